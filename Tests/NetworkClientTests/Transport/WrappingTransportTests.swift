import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Responses whose bodies and sockets a transport around another one passes on, reads or replaces.
struct WrappingTransportTests {
    /// A transport around another one that replaces the options of its requests, and its responses.
    private struct Wrapper: Transport {
        let wrapped: any Transport
        var change: @Sendable (TransportResponse) async throws -> TransportResponse = { $0 }
        var changeOptions: @Sendable (inout TransportOptions) -> Void = { _ in }

        var defaults: TransportDefaults { wrapped.defaults }
        var description: String { "Wrapper" }

        func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
            var options = options
            changeOptions(&options)
            return try await change(await wrapped.send(request, options: options))
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

    @Test(.spec(312)) func aTransportAroundAnotherPassesTheSocketOn() async throws {
        let stub = StubTransport()
        stub.on(.any, .webSocket { await $0.send("open") })
        let (parts, request) = (Recorder<String>(), URLRequest(url: url("wss://example.com/a")))
        let observing = Wrapper(wrapped: stub) { response in
            response.observingBody { parts.record("\((try? $0.get())?.count ?? 0) bytes") }
        }
        for transport in [observing, HARRecorder(wrapping: stub)] as [any Transport] {
            let socket = try await NetworkClient(transport: transport).webSocket(request)
            expect(try await socket.receive(), .text("open"))
        }
        expect(parts.values, ["0 bytes"])
        let losing = Wrapper(wrapped: stub) { TransportResponse(response: $0.response) }
        let others: [any Transport] = SessionPlatform.opensSockets ? [] : [URLSessionTransport()]
        for transport in [losing] + others {
            let error = await #expect(throws: NetworkClient.Error.self) {
                try await NetworkClient(transport: transport).webSocket(request)
            }
            expect(error?.transportError?.reason, .unsupported)
        }
    }

    @Test(.spec(312), arguments: WebSocketTests.transports)
    func aTransportThatWantsWholeBodiesPassesTheSocketOn(_ kind: TransportUnderTest) async throws {
        let server = try LoopbackServer { .echo($0) }
        let transport = Wrapper(wrapped: try kind.transport(), changeOptions: { $0.streamsBody = false })
        let client = NetworkClient(transport: transport)
        let socket = try await withDeadline { try await client.webSocket(URLRequest(url: server.url("/"))) }
        try await socket.send("open")
        expect(try await socket.receive(), .text("open"))
    }

    @Test(.spec(312)) func aReplacedResponseOpensNoSocket() async throws {
        let stub = StubTransport()
        stub.on(.any, .webSocket { await $0.send("open") })
        for (status, reason) in [(200, TransportError.Reason.notAWebSocket), (101, .unsupported)] {
            let transport = Wrapper(wrapped: stub) { _ in TransportResponse(response: .made(status)) }
            let error = await #expect(throws: NetworkClient.Error.self) {
                _ = try await NetworkClient(transport: transport).webSocket("wss://example.com/a")
            }
            expect(error?.transportError?.reason, reason)
        }
    }
}
