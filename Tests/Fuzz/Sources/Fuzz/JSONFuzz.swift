import Foundation

@testable import JSONDecoding
@testable import NetworkClient

/// Decodes random texts by random steps, with `JSONDecoder` and natively, and compares them.
enum JSONFuzz {
    private static let keys = ["a", "b", "aB", "a_b", "super", "x", "", "é", "1", "key", "title", "status"]
    private static let scalars = [
        "0", "-0", "1", "1.5", "-3e2", "1e400", "18446744073709551615", "0.1", "true", "false", "null", "\"\"",
        "\"x\"", "\"\\u00e9\"", "\"\\ud83d\\ude00\"", "\"AQID/w==\"", "\"2024-01-02T03:04:05Z\"", "700000000.25",
        "\"https://h/a?b=c\"", "\"12.5\"", "\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"", "9007199254740993",
    ]

    /// Compares the decoders on the text after the first two bytes, or on one that is made from the hash of the bytes
    /// if the first one is even; returns the first difference, or nil if they agree.
    static func fault(_ input: [UInt8]) -> String? {
        // FNV-1a: the steps differ for each input.
        let seed: UInt64 = input.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var random = SeededGenerator(seed: seed)
        var text = Array(input.dropFirst(2))
        if input.first?.isMultiple(of: 2) != false {
            text = Array(value(depth: 0, &random).utf8)
            if Int.random(in: 0..<8, using: &random) == 0 { text = Array(Order.json.utf8) }
            if Bool.random(using: &random) { text = JSONMutations.mutated(text, &random) }
        }
        // Foundation refuses a zero with an exponent, which is valid.
        guard !hasZeroWithExponent(text) else { return nil }
        let configuration = JSONConfiguration.allCases.randomElement(using: &random) ?? .standard
        let decoder = configuration.decoder
        guard let options = JSONOptions(decoder) else { return "no options for \(configuration)" }
        let expected = steps(seed) { try decoder.decode(RandomWalk.self, from: Data(text)) }
        let steps = steps(seed) {
            try NativeJSONDecoder(options: options).decode(RandomWalk.self, from: Data(text))
        }
        guard steps != expected else { return nil }
        let index = zip(steps, expected).prefix { $0 == $1 }.count
        let lines = [steps, expected].map { $0.dropFirst(max(index - 3, 0)).prefix(5).joined(separator: "\n  ") }
        return """
            seed \(seed), \(configuration): \(String(decoding: text, as: UTF8.self))
            native:
              \(lines[0])
            JSONDecoder:
              \(lines[1])
            """
    }

    private static func hasZeroWithExponent(_ text: [UInt8]) -> Bool {
        text.indices.dropLast().contains { index in
            guard text[index] == UInt8(ascii: "0"), text[index + 1] | 0x20 == UInt8(ascii: "e") else { return false }
            return index == 0 || !"0123456789.-".utf8.contains(text[index - 1])
        }
    }

    private static func steps(_ seed: UInt64, _ decode: () throws -> RandomWalk) -> [String] {
        let state = WalkState(seed: seed)
        return RandomWalk.$state.withValue(state) {
            do {
                return try decode().lines
            } catch {
                return state.lines + [describeFailure(error)]
            }
        }
    }

    private static func value(depth: Int, _ random: inout SeededGenerator) -> String {
        let kind = Int.random(in: 0..<(depth > 3 ? 2 : 6), using: &random)
        let count = Int.random(in: 0...4, using: &random)
        switch kind {
        case 0, 1:
            return scalars.randomElement(using: &random) ?? "0"
        case 2, 3:
            let elements = (0..<count).map { _ in value(depth: depth + 1, &random) }
            return "[\(elements.joined(separator: ","))]"
        default:
            let wide = Int.random(in: 0..<10, using: &random) == 0 ? 70 : 0
            var members = (0..<count).map { _ in
                "\"\(keys.randomElement(using: &random) ?? "a")\":\(value(depth: depth + 1, &random))"
            }
            members += (0..<wide).map { "\"k\($0)\":\($0)" }
            return "{\(members.joined(separator: ", "))}"
        }
    }
}
