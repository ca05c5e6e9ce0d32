import Foundation
import NetworkTestSupport
import Testing

@testable import JSONDecoding
@testable import NetworkClient

struct JSONNestingTests {
    private struct Comment: Decodable {
        let replies: [Comment]?
    }

    private indirect enum JSON: Decodable {
        case text(String)
        case array([JSON])
        case object([String: JSON])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let object = try? container.decode([String: JSON].self) {
                self = .object(object)
            } else {
                self = .array(try container.decode([JSON].self))
            }
        }
    }

    #if os(Linux)
    /// The thread sanitizer, if this program runs under it, makes functions take several times as much.
    private static let stackSize = dlsym(dlopen(nil, RTLD_LAZY), "__tsan_init") == nil ? 512 << 10 : 8 << 20
    #else
    private static let stackSize = 512 << 10
    #endif

    /// Decodes on a thread with the stack that threads other than the main one have on Apple platforms.
    private func isDecoded<Value: Decodable & Sendable>(
        _ text: String,
        as type: Value.Type,
        by implementation: DefaultDecoder.Implementation = DefaultDecoder().implementation
    ) async -> Bool {
        let decode: @Sendable () -> Bool = {
            var decoder = DefaultDecoder()
            decoder.implementation = implementation
            return (try? decoder.decode(data: Data(text.utf8)) as Value) != nil
        }
        return await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: decode()) }
            thread.stackSize = Self.stackSize
            thread.start()
        }
    }

    private func nested(_ open: String, _ close: String, _ count: Int) -> String {
        String(repeating: open, count: count) + String(repeating: close, count: count)
    }

    @Test(.spec(196)) func aDeeplyNestedResponseFitsOnASmallStackOrIsAnError() async {
        #expect(await isDecoded(nested(#"{"replies":["#, "]}", 64), as: Comment.self))
        #expect(await !isDecoded(nested(#"{"replies":["#, "]}", 65), as: Comment.self))
        #expect(await isDecoded(nested(#"{"a":["#, "]}", 64), as: JSON.self))
        #expect(await !isDecoded(nested(#"{"a":["#, "]}", 250), as: JSON.self))
        #expect(await !isDecoded(nested("[", "]", 250), as: JSON.self))
    }

    private final class EitherNode: Decodable, Sendable {
        let next: Either<EitherNode, Int>?
    }

    private final class LossyNode: Decodable, Sendable {
        let next: LossyArray<LossyNode>?
    }

    private struct Nested: Decodable {
        init(from decoder: any Decoder) throws {
            let tree = try JSONTree(from: decoder)
            guard tree == tree, Set([tree]).count == 1, (tree.decoded() as JSONTree?) == tree else {
                throw DecodingReason("is unequal to itself").error()
            }
        }
    }

    /// The result does not matter: without a limit, the process ends.
    @Test(.spec(196, 216), arguments: [DefaultDecoder.Implementation.native, .foundation])
    func everyTypeThatCanNestFitsOnASmallStackOrIsAnError(implementation: DefaultDecoder.Implementation) async {
        let objects = String(repeating: #"{"next":"#, count: 126) + "{}" + String(repeating: "}", count: 126)
        let arrays = String(repeating: #"{"next":["#, count: 63) + String(repeating: "]}", count: 63)
        _ = await isDecoded(objects, as: EitherNode.self, by: implementation)
        _ = await isDecoded(arrays, as: LossyNode.self, by: implementation)
        _ = await isDecoded(objects, as: ProblemDetails.self, by: implementation)
        let errors = #"{"errors":[{"extensions":\#(arrays)}]}"#
        _ = await isDecoded(errors, as: [String: [GraphQLError]].self, by: implementation)
        let isTreeDecoded = await isDecoded(objects, as: Nested.self, by: implementation)
        #expect(isTreeDecoded || implementation == .foundation)
    }

    @Test func theErrorOfADeeplyNestedResponseNamesTheLimit() {
        #expect {
            let _: Comment = try DefaultDecoder().decode(data: Data(nested(#"{"replies":["#, "]}", 100).utf8))
        } throws: {
            guard case DecodingError.dataCorrupted(let context) = $0 else { return false }
            return context.debugDescription == "The JSON is nested deeper than 128 levels."
        }
    }

    private static let examples: [(json: String, isTooDeep: Bool)] = [
        (String(repeating: "[", count: 129), true), (String(repeating: "[", count: 128), false),
        ("\"" + String(repeating: "[", count: 300) + "\"", false), (String(repeating: "[]", count: 300), false),
        ("[\"\\\"" + String(repeating: "{", count: 300), false), (String(repeating: "{\"a\":", count: 129), true),
        ("\"\\\\\"" + String(repeating: "{", count: 129), true), ("", false), ("\"\\", false),
    ]

    @Test(arguments: [
        String.Encoding.utf8, .utf16, .utf16BigEndian, .utf16LittleEndian, .utf32BigEndian, .utf32LittleEndian,
    ])
    func bracketsAreCountedOutsideOfStringsInEveryEncoding(encoding: String.Encoding) throws {
        for example in Self.examples {
            let data = try #require(example.json.data(using: encoding))
            let isRefused = (try? JSONNesting.check(data)) == nil
            expect(isRefused, example.isTooDeep, "\(example.json.prefix(8))")
        }
    }

    /// What JSON5 adds must not hide brackets, nor make any.
    @Test(.spec(323)) func quotesAndCommentsOfJSON5HideNoBrackets() {
        let (many, few) = (String(repeating: "[", count: 129), String(repeating: "[", count: 128))
        let rows: [(json: String, isTooDeep: Bool)] = [
            ("['\"', \(many)", true), ("[/* \" */ \(many)", true), ("[// \"\n\(many)", true),
            ("'\(many)'", false), ("/* \(many) */ \(few)", false), ("// \(many)\r\(few)", false),
            ("/*/ \(many) */", false), ("'\\'\(many)", false), ("1 / 2 \(many)", true), ("/", false), ("/*", false),
        ]
        for row in rows {
            let isRefused = (try? JSONNesting.check(Data(row.json.utf8), isJSON5: true)) == nil
            expect(isRefused, row.isTooDeep, "\(row.json.prefix(8))")
        }
        let json5 = JSONDecoder()
        json5.allowsJSON5 = true
        #expect {
            let _: JSON = try DefaultDecoder(decoder: json5).decode(data: Data("['\"', \(many)".utf8))
        } throws: {
            "\($0)".contains("128 levels")
        }
    }
}
