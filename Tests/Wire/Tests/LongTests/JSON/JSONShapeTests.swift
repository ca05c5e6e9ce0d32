#if os(Linux)
import Foundation
import Testing

@testable import JSONDecoding

/// Objects whose keys are the same, byte for byte, share their names; others, however similar, don't.
struct JSONShapeTests {
    /// Asks for present, absent, repeated and converted keys in an order that no object has.
    private struct Probe: Decodable, Equatable {
        let names: Set<String>
        let values: [Tree?]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Tree.Key.self)
            names = Set(container.allKeys.map(\.stringValue))
            let asked = [
                "k7", "aB", "absent", "a_b", "xabc", "é", "yabc", "k0", "super", "k69", "k8", "", "\u{212A}",
                "a\u{37E}\u{1FEF}", "long_name_1", "long_name_2",
            ]
            values = try asked.map { name in
                let key = Tree.Key(stringValue: name)
                let isPresent = container.contains(key)
                #expect(try isPresent == !(container.superDecoder(forKey: key).singleValueContainer().decodeNil()))
                return isPresent ? try container.decode(Tree.self, forKey: key) : nil
            }
        }
    }

    private static func wide(_ keys: [String]) -> String {
        "{\(keys.enumerated().map { #""\#($1)":\#($0)"# }.joined(separator: ", "))}"
    }

    private static let names = (0..<70).map { "k\($0)" }

    /// More keys than the table of an object tries slots for: the hash of each has the same highest bits.
    private static let colliding = (0..<40_000).map { "k\($0)" }
        .filter { name in name.withUTF8Span { JSONKeyFilter.hash($0) } >> 56 == 7 }.prefix(80)

    /// Each is like its neighbours: in another order, with a key more, fewer, twice, or written differently.
    ///
    /// The keys `xabc` and `yabc` have the same length and the same end.
    private static let objects = [
        #"{"a_b":1,"xabc":2}"#, #"{"a_b":3,"yabc":4}"#, #"{"xabc":5,"a_b":6}"#, #"{"a_b":7,"xabc":8,"aB":9}"#,
        #"{"aB":1,"a_b":2,"xabc":3}"#, #"{"a_b":1,"a_b":2}"#, #"{"a_b":{"aB":[{"a_b":1}]},"xabc":[{}]}"#,
        #"{"é":1,"xabc":2}"#, #"{"\u00e9":3,"xabc":4}"#, "{\"e\u{301}\":5,\"xabc\":6}", #"{"":1}"#, "{}",
        wide(names), wide(names.reversed()), wide(names + ["k7"]), wide(Array(names.dropFirst())),
        wide(["k8"] + names), wide(names.dropLast() + ["é"]), wide(Array(colliding)), wide(colliding + ["k7"]),
        wide(names + ["", "K", "a;`", "long_name_1", "long_name_2"]), wide(names.reversed() + ["long_name_1", ""]),
    ]

    @Test(arguments: JSONConfiguration.allCases)
    func objectsThatAlternateDecodeAsWithJSONDecoder(configuration: JSONConfiguration) throws {
        let decoder = configuration.decoder
        let native = NativeJSONDecoder(options: try #require(JSONOptions(decoder)))
        try #require(Self.colliding.count == 80)
        for one in Self.objects {
            for other in Self.objects {
                let objects = [one, other, one, one, other].joined(separator: ",")
                // So many values that shapes are kept.
                let text = Data("[[\(Array(repeating: "0", count: 70).joined(separator: ","))],[\(objects)]]".utf8)
                let expected = try decoder.decode(Last<Probe>.self, from: text)
                #expect(try native.decode(Last<Probe>.self, from: text) == expected, "\(one), \(other)")
            }
        }
    }

    /// The last key of the text is too close to its end to be read eight bytes at a time.
    @Test(arguments: ["k7", "k70", "", "K"])
    func aWideObjectMayBeTheWholeText(last: String) throws {
        let text = Data(Self.wide(Self.names + [last]).utf8)
        let expected = try JSONDecoder().decode(Probe.self, from: text)
        #expect(try NativeJSONDecoder(options: JSONOptions()).decode(Probe.self, from: text) == expected)
    }

    @Test func moreShapesThanAreKeptDecodeAsWithJSONDecoder() throws {
        let objects = (0..<700).map { #"{"key_\#($0 % 300)":\#($0),"é":\#($0)}"# }
        let text = Data("[\(objects.joined(separator: ","))]".utf8)
        let expected = try JSONDecoder().decode([Tree].self, from: text)
        #expect(try NativeJSONDecoder(options: JSONOptions()).decode([Tree].self, from: text) == expected)
    }

    @Test func aStrategyOfTheCallerConvertsTheKeysOfEachObject() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in
            let names = path.map(\.stringValue)
            return Tree.Key(stringValue: names.dropLast().joined() + (names.last ?? ""))
        }
        let text = Data("[\(Array(repeating: #"{"a":1,"b":{"a":2}}"#, count: 30).joined(separator: ","))]".utf8)
        let expected = try decoder.decode([Tree].self, from: text)
        let native = NativeJSONDecoder(options: try #require(JSONOptions(decoder)))
        #expect(try native.decode([Tree].self, from: text) == expected)
    }

    /// The tokens of such keys have two slots.
    @Test func keysLongerThan16MiBThatDifferAreNotTheSame() throws {
        let keys = ["a", "b"].map { $0 + String(repeating: "x", count: JSONToken.longLength + 1) }
        let padding = Array(repeating: "0", count: 70).joined(separator: ",")
        let text = Data("[[\(padding)],[{\"\(keys[0])\":1},{\"\(keys[1])\":2}]]".utf8)
        let found = try NativeJSONDecoder(options: JSONOptions()).decode(Last<Tree>.self, from: text)
        #expect(found.values == [.object([keys[0]: .integer(1)]), .object([keys[1]: .integer(2)])])
    }

    /// The second of two arrays.
    private struct Last<Value: Decodable & Equatable>: Decodable, Equatable {
        let values: [Value]

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            _ = try container.decode([Int].self)
            values = try container.decode([Value].self)
        }
    }
}
#endif
