import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Bodies of responses that a transport around another one reads.
struct WrappedBodyTests {
    /// A transport around another one that replaces its responses.
    private struct Wrapper: Transport {
        let wrapped: any Transport
        let change: @Sendable (TransportResponse) async throws -> TransportResponse

        var defaults: TransportDefaults { wrapped.defaults }
        var description: String { "Wrapper" }

        func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
            try await change(await wrapped.send(request, options: options))
        }
    }

    private let hasRead = Gate()

    /// Sends `hello`, and `world` after the gate.
    private func server() throws -> LoopbackServer {
        try LoopbackServer { [hasRead] _ in
            [.respond(length: .stated(10), body: "hello"), .wait(hasRead), .send("world")]
        }
    }

    private func client(
        _ transport: TransportUnderTest,
        _ change: @escaping @Sendable (TransportResponse) async throws -> TransportResponse
    ) throws -> NetworkClient {
        NetworkClient(transport: Wrapper(wrapped: try transport.transport(), change: change))
    }

    @Test(.spec(308), arguments: TransportUnderTest.all)
    func aBodyIsReportedWhileItsReaderReadsIt(transport: TransportUnderTest) async throws {
        let (server, parts) = (try server(), Recorder<String>())
        let client = try client(transport) { response in
            response.observingBody { part in
                switch part {
                case .success(let chunk): parts.record(chunk.map { String(decoding: $0, as: UTF8.self) } ?? "end")
                case .failure(let error): parts.record("\(type(of: error))")
                }
            }
        }
        let request = URLRequest(url: server.url)
        var chunks = try await client.stream(request).item.makeAsyncIterator()
        expect(try await chunks.next(), Data("hello".utf8))
        expect(parts.values, ["hello"])
        hasRead.open()
        while try await chunks.next() != nil {}
        expect(parts.values.joined(separator: " "), "hello world end")
        try await client.fetch(request: request)
        expect(parts.values.suffix(2), ["helloworld", "end"])
        do { _ = try await client.stream(request) }
        try await eventually("the end") { parts.values.last == "CancellationError" }
    }

    @Test(.spec(308), arguments: TransportUnderTest.all)
    func aBodyIsReadAndReplacedByAnother(transport: TransportUnderTest) async throws {
        let server = try server()
        let client = try client(transport) { response in
            let upper = response.body.chunks.map { Data(String(decoding: $0, as: UTF8.self).uppercased().utf8) }
            return TransportResponse(response: response.response, chunks: upper, metrics: response.metrics)
        }
        hasRead.open()
        let request = URLRequest(url: server.url)
        let whole = try await client.fetch(request: request, as: String.self).item
        let streamed = try await client.stream(request).item.text()
        expectAll((whole, streamed), ("HELLOWORLD", "HELLOWORLD"))
    }

    @Test(.spec(308), arguments: TransportUnderTest.all)
    func aStreamedBodyThatWasReadIsNotReadAgain(transport: TransportUnderTest) async throws {
        let (server, errors) = (try server(), Recorder<String>())
        let client = try client(transport) { response in
            for try await _ in response.body.chunks {}
            do {
                for try await _ in response.body.chunks {}
            } catch {
                errors.record("\(error)")
            }
            return response
        }
        hasRead.open()
        let request = URLRequest(url: server.url)
        expect(try await client.fetch(request: request, as: String.self).item, "helloworld")
        let body = try await client.stream(request).item
        await #expect {
            for try await _ in body {}
        } throws: { $0.transportReason == .bodyNotReplayable }
        expect(errors.values, ["The request failed: the body of the response was read before."])
    }
}
