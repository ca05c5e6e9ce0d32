import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Calls that take a `URLRequest` in place of a builder.
struct FinishedRequestTests {
    private let transport = StubTransport()

    private var client: NetworkClient { NetworkClient(transport: transport, logging: .off) }

    @Test func aFinishedRequestIsFetchedAsTheTypeThatIsNamed() async throws {
        transport.on(.any, .json(7))
        let request = URLRequest.get(url: url("https://example.org/items/1")).build()
        expect(try await client.fetch(request: request, as: Int.self).item, 7)
        expect(try await client.fetch(request: request, as: Int?.self).item, 7)
        expect(try await client.fetch(request: request).statusCode, 200)
        let builder = URLRequest.get(url: url("https://example.org/items/1")).add(query: "a", value: "b")
        expect(try await client.fetch(builder, as: Data.self).item, Data("7".utf8))
    }

    @Test func everyKindOfCallTakesAFinishedRequest() async throws {
        transport.on(.any, .json(7))
        let existential: any NetworkClientProtocol = client
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file")
        let request = URLRequest.post(url: url("https://example.org/a")).bodyText("t").build()
        expect(try await existential.fetch(request: request, as: Int.self).item, 7)
        expect(try await existential.fetch(request: request).statusCode, 200)
        expect(try await client.stream(request).item.data(), Data("7".utf8))
        expect(try await client.upload(request.decoded(as: Int.self)).value.item, 7)
        expect(try await client.upload(request).value.statusCode, 200)
        expect(try await client.download(request, to: file).value.item, file)
        let values = Recorder<Int?>()
        await client.start(request.decoded(as: Int.self)) { values.record(try? $0.get().item) }.value
        expectAll((values.values, transport.requests.count), ([7], 7))
    }
}
