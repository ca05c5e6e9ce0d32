import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct SnakeCaseTests {
    @Test(
        arguments: [
            ("", ""), ("a", "a"), ("A", "a"), ("createdAt", "created_at"), ("myURLProperty", "my_url_property"),
            ("userID", "user_id"), ("a_b", "a_b"), ("_aB", "_a_b"), ("URL", "u_rl"), ("éÀb", "é_àb"),
            ("aǅb", "a_ǆb"), ("aǅBc", "a_ǆ_bc"), ("ǅaB", "ǆa_b"), ("aBǅc", "a_b_ǆc"),
        ]
    )
    func dividesWordsAtCapitals(name: String, expected: String) {
        #expect(SnakeCase.text(of: name) == expected)
        if !name.isEmpty { #expect(JSONNames.snakeCase(of: name) == expected) }
    }

    @Test func agreesWithJSONEncoder() {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<2_000 {
            let name = String((0..<7).compactMap { _ in "aabBCD1_é".randomElement(using: &generator) })
            #expect(SnakeCase.text(of: name) == JSONNames.snakeCase(of: name), "\(name)")
        }
    }

    /// The names that Foundation's encoder makes.
    private enum JSONNames {
        struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(_ name: String) { stringValue = name }
            init?(stringValue: String) { self.init(stringValue) }
            init?(intValue: Int) { nil }
        }

        struct Named: Encodable {
            let name: String

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Name.self)
                try container.encode(0, forKey: Name(name))
            }
        }

        static func snakeCase(of name: String) -> String? {
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            let data = try? encoder.encode(Named(name: name))
            return data.flatMap { try? JSONDecoder().decode([String: Int].self, from: $0) }?.keys.first
        }
    }
}
