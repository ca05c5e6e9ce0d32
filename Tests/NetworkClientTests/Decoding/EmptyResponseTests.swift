import Foundation
import NetworkClient
import NetworkTestSupport
import Testing

struct EmptyResponseTests {
    @Test(
        .spec(73),
        arguments: [Data(), Data([0xFF]), Data("{}".utf8), Data("[1".utf8), Data("null".utf8), Data("<html>".utf8)]
    )
    func isMadeOfAnyBody(body: Data) throws {
        let decoders: [any DecoderProtocol] = [.default, .default.handlingOptionalResponses]
        for decoder in decoders {
            #expect(try decoder.decode(data: body) == EmptyResponse())
        }
    }

    @Test func isMadeOfAnyValueInsideJSON() throws {
        let decoded: [EmptyResponse] = try DefaultDecoder().decode(data: Data(#"[{"a":1},2,"x"]"#.utf8))
        #expect(decoded.count == 3)
    }
}
