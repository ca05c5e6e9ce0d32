import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Calls that take a `URLRequest` in place of a builder.
struct FinishedRequestTests {
    private let transport = StubTransport()
    private let reports = Recorder<CallReport>()

    private var client: NetworkClient {
        NetworkClient(
            transport: transport,
            logging: .off,
            configuration: .init(baseURL: url("https://api.example.com/v1"), encoders: .init(encoder: FixedEncoder())) {
                [reports] in reports.record($0)
            }
        )
    }

    @Test func aFinishedRequestIsFetchedAsTheTypeThatIsNamed() async throws {
        transport.on(.any, .json(7))
        let request = URLRequest.get(url: url("https://example.org/items/1")).build()
        expect(try await client.fetch(request, as: Int.self).item, 7)
        expect(try await client.fetch(request, as: Int?.self).item, 7)
        expect(try await client.fetch(request).statusCode, 200)
        let builder = URLRequest.get(url: url("https://example.org/items/1")).add(query: "a", value: "b")
        #expect(try await client.fetch(builder, as: Data.self).item == Data("7".utf8))
    }

    @Test func everyKindOfCallTakesAFinishedRequest() async throws {
        transport.on(.any, .json(7))
        let existential: any NetworkClientProtocol = client
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file")
        let request = URLRequest.post(url: url("https://example.org/a")).bodyText("t").build()
        expect(try await existential.fetch(request, as: Int.self).item, 7)
        expect(try await existential.fetch(request).statusCode, 200)
        #expect(try await client.stream(request).item.data() == Data("7".utf8))
        expect(try await client.upload(request, as: Int.self).value.item, 7)
        expect(try await client.upload(request).value.statusCode, 200)
        expect(try await client.download(request, to: file).value.item, file)
        let values = Recorder<Int?>()
        await client.start(request, as: Int.self) { values.record(try? $0.get().item) }.value
        #expect(values.values == [7] && transport.requests.count == 7)
    }

    @Test func aRequestThatIsFinishedInACallHasTheBaseURLAndTheEncodersOfTheClient() async throws {
        transport.on(.any, .json(7))
        try await client.fetch(.get(path: "a").build().withInstanceCaching())
        try await client.fetch(.post(path: "a").bodyJson(of: 1).build())
        try await client.fetch(.post(url: url("https://example.org/a")).bodyJson(of: 1).build())
        try await client.fetch(URLRequest.post(http: "https://example.org/a").bodyJson(of: 1).build())
        let texts = transport.requests.map { "\($0.method) \($0.url) \(String(decoding: $0.body, as: UTF8.self))" }
        #expect(
            texts == [
                "GET https://api.example.com/v1/a ", "POST https://api.example.com/v1/a [7]",
                "POST https://example.org/a [7]", "POST https://example.org/a [7]",
            ]
        )
    }

    @Test(.spec(92)) func anErrorOfMakingARequestIsThatOfTheCall() async throws {
        func make() throws -> URLRequest { try URLRequest.get(http: "ftp://example.org").build() }
        await #expect(throws: HTTPURLError.self) { try await client.fetch(make()) }
        await #expect(throws: HTTPURLError.self) { try await client.fetch(make(), as: Int.self) }
        await #expect(throws: HTTPURLError.self) { try await client.stream(make()) }
        await #expect(throws: HTTPURLError.self) { try await client.upload(try make(), as: Int.self).value }
        await #expect(throws: HTTPURLError.self) { try await client.upload(try make()).value }
        let file = url("file:///nowhere/file")
        await #expect(throws: HTTPURLError.self) { try await client.download(try make(), to: file).value }
        expect(reports.values.map { $0.error is HTTPURLError }, Array(repeating: true, count: 6))
        let coded = NetworkClient(transport: transport, logging: .off)
        func encode() throws -> URLRequest {
            try URLRequest.post(url: url("https://example.org")).bodyJson(of: Double.nan).build()
        }
        await #expect {
            try await coded.fetch(encode())
        } throws: {
            guard case NetworkClient.Error.encodingError = $0 else { return false }
            return true
        }
        #expect(transport.requests.isEmpty)
    }
}
