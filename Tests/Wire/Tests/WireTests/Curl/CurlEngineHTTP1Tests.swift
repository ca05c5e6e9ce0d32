#if os(Linux)
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// What a server, or the source of a body, can do to calls with HTTP/1.1.
struct CurlEngineHTTP1Tests {
    private let client: NetworkClient

    init() throws {
        let configuration = CurlTransport.Configuration(security: .init(trustRoots: TLSFixtures.root))
        client = NetworkClient(transport: try CurlTransport(configuration: configuration), logging: .off)
    }

    /// libcurl calls back for each byte, and sets its timer to the current time.
    @Test(.spec(249), arguments: [false, true])
    func aBodyInChunksOfOneByteDelaysNoCallToAnotherHost(isSecure: Bool) async throws {
        guard !isSecure || TLSConfiguration.isAvailable else { return }
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let flooding = try LoopbackServer(tls: isSecure ? TLSConfiguration() : nil) { _ in
            [.send(head), .repeat("1\r\nx\r\n", count: 1 << 40)]
        }
        let other = try LoopbackServer { _ in .respond(body: "1") }
        let flooded = Task {
            await client.outcome(of: URLRequest(url: flooding.url), options: CallOptions(attemptTimeout: 3))
        }
        try await withDeadline { try await flooding.waitForRequests(count: 1) }
        let isOver = Gate()
        let calls = Task {
            var outcomes: Set<Outcome> = []
            while !isOver.isOpen {
                let options = CallOptions(attemptTimeout: 1)
                outcomes.insert(await client.outcome(of: URLRequest(url: other.url), options: options))
            }
            return outcomes
        }
        _ = try await withDeadline { await flooded.value }
        isOver.open()
        let outcomes = try await withDeadline { await calls.value }
        #expect(outcomes == [.answered(200, "1")])
    }

    /// libcurl keeps the end of a body that is not read yet, and forgets what was wrong with it.
    @Test func aMalformedTrailerThatArrivesDuringAPauseFailsTheBody() async throws {
        let isSent = Gate()
        let full = [UInt8](repeating: 1, count: BodyBufferState.mark)
        let server = try LoopbackServer { request in
            guard request.path == "/body" else { return .respond(body: "1") }
            return [
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), .chunk(full),
                .send("3\r\n123\r\n0\r\nX-Sum\r\n\r\n"), .open(isSent),
            ]
        }
        let response = try await client.stream(URLRequest(url: server.url("/body")))
        try await withDeadline { try await isSent.wait() }
        // By then, the engine has handled what arrived before.
        #expect(await client.outcome(of: URLRequest(url: server.url)) == .answered(200, "1"))
        let outcome = await Outcome {
            let data = try await response.item.data(limit: 1 << 20)
            return NetworkClient.Response(item: data, httpResponse: response.httpResponse)
        }
        #expect(outcome == .failed(.malformedResponse))
    }

    /// A server that accepts a body at a steady pace, at most 16 KB every 40 ms, and so does its system.
    ///
    /// The client's system accepts much more of the body in advance.
    @Test(.spec(199, 248)) func anUploadWhoseBytesAreAcknowledgedIsNotIdle() async throws {
        let listener = try Socket.listening(on: .ipv4)
        var size: CInt = 65_536
        setsockopt(listener.descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        let address = "http://127.0.0.1:\(try listener.port())/"
        let (never, other) = try Socket.pair()
        defer { other.closeNow() }
        let body = Data(count: 1_200_000)
        let server = Task.detached {
            _ = Socket.waitReadable([listener])
            guard let socket = try listener.acceptNext() else { return }
            var count = 0
            while count < body.count {
                count += try socket.receive(upTo: 16_384).count
                _ = Socket.waitReadable([never], milliseconds: 40)
            }
            try socket.sendAll(Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1".utf8))
            socket.shutDownWriting()
        }
        var request = URLRequest.put(url: url(address)).bodyData(body).build()
        request.timeoutInterval = 0.8
        #expect(await client.outcome(of: request) == .answered(200, "1"))
        try await withDeadline { try await server.value }
    }

    /// A server that accepts nothing: its system acknowledges what fits into its buffers.
    @Test(.spec(248)) func anUploadWhoseBytesAreNotAcknowledgedIsIdle() async throws {
        let gate = Gate()
        defer { gate.open() }
        let server = try LoopbackServer(onHead: { _ in .interim([.wait(gate)]) }, handler: { _ in .respond() })
        var request = URLRequest.put(url: server.url).bodyData(Data(count: 30_000_000)).build()
        request.timeoutInterval = 0.3
        #expect(await client.outcome(of: request) == .failed(.timedOut))
    }

    /// A body whose reader waits when it is closed.
    private struct StubbornBody: RequestBody, BodySource {
        let mayClose: DispatchSemaphore
        var mediaType: MediaType? { .octetStream }
        var length: Int { 10_000_000 }

        func makeContent() -> RequestContent { .source(self) }

        func open() -> any BodyReader { Reader(mayClose: mayClose) }

        private final class Reader: BodyReader {
            private let mayClose: DispatchSemaphore

            init(mayClose: DispatchSemaphore) { self.mayClose = mayClose }

            func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
                buffer.initializeMemory(as: UInt8.self, repeating: 0)
                return buffer.count
            }

            func close() { mayClose.wait() }
        }
    }

    @Test(.spec(173)) func aReaderThatWaitsWhenItIsClosedDelaysNoTimeout() async throws {
        let gate = Gate()
        defer { gate.open() }
        let server = try LoopbackServer(onHead: { _ in .interim([.wait(gate)]) }, handler: { _ in .respond() })
        let mayClose = DispatchSemaphore(value: 0)
        defer { mayClose.signal() }
        let upload = try URLRequest.put(url: server.url).body(StubbornBody(mayClose: mayClose)).build()
        let options = CallOptions(attemptTimeout: 0.2)
        for request in [upload, URLRequest.put(url: server.url).bodyData(Data(count: 1)).build()] {
            #expect(await client.outcome(of: request, options: options) == .failed(.timedOut))
        }
    }

    /// libcurl sends such a request again without `Expect`.
    @Test(.enabled(if: CurlLibrary.reportsConnections, "before 7.80 libcurl sends it again by itself"))
    func aResponseThatRefusesAnExpectationIsReturned() async throws {
        let answer = EarlyAnswer.final([.respond(status: 417), .close])
        let server = try LoopbackServer(onHead: { _ in answer }, handler: { _ in .respond() })
        var request = URLRequest.put(url: server.url).bodyData(Data(count: 10)).build()
        request.setValue("100-continue", forHTTPHeaderField: "Expect")
        #expect(await client.outcome(of: request) == .refused(417))
        #expect(server.heads.count == 1)
    }
}
#endif
