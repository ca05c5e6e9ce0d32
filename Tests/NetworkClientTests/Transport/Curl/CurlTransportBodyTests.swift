#if os(Linux)
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct CurlTransportBodyTests {
    private func client() throws -> NetworkClient {
        NetworkClient(transport: try CurlTransport(), logging: .off)
    }

    private func reason(_ error: (any Error)?) -> TransportError.Reason? {
        guard case NetworkClient.Error.requestError(let failure)? = error else { return nil }
        return failure.reason
    }

    @Test func sendsABodyWithItsLength() async throws {
        let server = try LoopbackServer { _ in .respond() }
        try await client().fetch(request: URLRequest.post(url: server.url).bodyText("hello é").build())
        let request = try #require(server.requests.first)
        #expect(request.bodyText == "hello é")
        #expect(request.framing == .contentLength(8))
        #expect(request.value(forHeader: "Content-Type") == "text/plain; charset=utf-8")
        #expect(request.value(forHeader: "Expect") == nil)
    }

    @Test func streamsAFormWithAFile() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("a.bin", Data(repeating: 7, count: 300_000))
        let server = try LoopbackServer { _ in .respond() }
        let form = try MultipartForm { try MultipartPart(name: "f", file: .init(file: file)) }
        try await client().fetch(request: URLRequest.post(url: server.url).bodyMultipart(form).build())
        let request = try #require(server.requests.first)
        #expect(request.framing == .contentLength(form.length))
        #expect(request.body.count == form.length)
    }

    @Test func sendsAStreamOfUnknownLengthInChunks() async throws {
        let server = try LoopbackServer { _ in .respond() }
        var request = URLRequest.post(url: server.url).noBody().build()
        request.httpBodyStream = InputStream(data: Data("chunks".utf8))
        try await client().fetch(request: request)
        #expect(server.requests.first?.bodyText == "chunks")
        #expect(server.requests.first?.value(forHeader: "Transfer-Encoding") == "chunked")
    }

    @Test func sendsABodyAgainOverADeadConnection() async throws {
        let server = try LoopbackServer { request in
            request.path == "/first" ? [.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), .close] : .respond()
        }
        let client = try client()
        for _ in 0..<20 {
            try await client.fetch(request: URLRequest.get(url: server.url("/first")).build())
            let body = String(repeating: "body", count: 100)
            try await client.fetch(request: URLRequest.post(url: server.url("/second")).bodyText(body).build())
            #expect(server.requests.last?.bodyText == body)
        }
    }

    @Test func saysNothingOfTheTypeOfABodyWithoutOne() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let source = DataBodySource(Data("x".utf8))
        try await client().fetch(request: URLRequest.post(url: server.url).body(Body(source: source)).build())
        #expect(server.requests.first?.bodyText == "x")
        #expect(server.requests.first?.value(forHeader: "Content-Type") == nil)
    }

    private struct Broken: Error {}

    /// A body whose reader does something, and then fails.
    private struct Scripted: BodySource {
        let length = 10
        let action: @Sendable () -> Void

        func open() -> any BodyReader { Reader(action) }

        final class Reader: BodyReader {
            private let action: @Sendable () -> Void

            init(_ action: @escaping @Sendable () -> Void) {
                self.action = action
            }

            func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
                action()
                throw Broken()
            }

            func close() {}
        }
    }

    private struct Body<Source: BodySource>: RequestBody {
        let mediaType: MediaType? = nil
        let source: Source
        func content() -> RequestContent { .source(source) }
    }

    @Test func namesABodyThatCannotBeRead() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let request = try URLRequest.post(url: server.url).body(Body(source: Scripted {})).build()
        let error = await #expect(throws: (any Error).self) { try await client().fetch(request: request) }
        #expect(reason(error) == .bodyUnreadable)
        guard case NetworkClient.Error.requestError(let failure)? = error else { return }
        #expect(failure.underlying is Broken)
    }

    @Test func letsABodyCancelItsOwnCall() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = try client()
        let request = try URLRequest.post(url: server.url).body(Body(source: Scripted { client.cancelAll() })).build()
        await #expect(throws: CancellationError.self) {
            try await withDeadline { try await client.fetch(request: request) }
        }
    }
}
#endif
