import Foundation
import NetworkTestSupport
import Testing

@testable import JSONDecoding
@testable import NetworkClient

/// Both implementations of ``DefaultDecoder``, of which one is the default of the platform.
struct ImplementationTests {
    private struct Post: Decodable, Equatable {
        var title: String
        var date: Date?
    }

    private static let foundation: DefaultDecoder = {
        var decoder = DefaultDecoder(keyDecodingStrategy: .convertFromSnakeCase)
        decoder.implementation = .foundation
        return decoder
    }()

    private static let native: DefaultDecoder = {
        var decoder = DefaultDecoder(keyDecodingStrategy: .convertFromSnakeCase)
        decoder.implementation = .native
        return decoder
    }()

    private func outcomes<Value: Decodable & Equatable>(
        _ type: Value.Type,
        _ text: String,
        _ layered: (DefaultDecoder) -> any DecoderProtocol = { $0 }
    ) -> [JSONOutcome<Value>] {
        [Self.foundation, Self.native].map { decoder in
            JSONOutcome { try layered(decoder).decode(data: Data(text.utf8)) }
        }
    }

    @Test(
        .spec(74, 78, 79),
        arguments: [
            #"{"data": [{"title": "a", "date": "2024-01-02T03:04:05.678Z"}, {"title": null}, 3, {"title": "b"}]}"#,
            #"{"data": [{"title": "a", "date": "2024-02-30"}]}"#, #"{"data": {}}"#, #"{"other": []}"#, "[", "null", "",
        ]
    )
    func bothImplementationsDecodeEnvelopesArraysAndDatesTheSame(text: String) {
        let plain = outcomes([String: [Post]].self, text)
        #expect(plain[0] == plain[1])
        let lossy = outcomes(LossyArray<Post>.self, text) { $0.unwrapping("data") }
        #expect(lossy[0] == lossy[1])
        let strict = outcomes([Post].self, text) { $0.unwrappingEnvelope }
        #expect(strict[0] == strict[1])
    }

    @Test(.spec(79)) func bothImplementationsRecordTheSameDroppedElements() throws {
        let text = Data(#"[{"title":"a"},{},null,{"title":"\ud800"},{"title":1}]"#.utf8)
        let arrays: [LossyArray<Post>] = try [Self.foundation, Self.native].map { try $0.decode(data: text) }
        #expect(arrays[1].drops.map(\.description) == arrays[0].drops.map(\.description))
        #expect(arrays[1].drops.map(\.index) == [1, 2, 3, 4])
    }

    @Test func bothImplementationsRejectTextsThatAreNestedTooDeeply() {
        for depth in [JSONNesting.maxDepth, JSONNesting.maxDepth + 1] {
            let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            for decoder in [Self.foundation, Self.native] {
                let failure = #expect(throws: DecodingError.self) { () -> Int in
                    try decoder.decode(data: Data(text.utf8))
                }
                let isTooDeep = failure?.context?.debugDescription.contains("nested deeper than 128 levels") == true
                #expect(isTooDeep == (depth > JSONNesting.maxDepth))
            }
        }
    }

    @Test(.spec(77)) func whatOnlyFoundationDecodesIsDecodedByIt() throws {
        let json5 = JSONDecoder()
        json5.allowsJSON5 = true
        let numbers: [Int] = try DefaultDecoder(decoder: json5).decode(data: Data("[1, /* two */ +2]".utf8))
        #expect(numbers == [1, 2])
    }
}
