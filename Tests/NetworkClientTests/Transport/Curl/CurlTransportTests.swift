#if os(Linux)
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct CurlTransportTests {
    @Test func saysWhichLibraryItDrives() throws {
        let text = try CurlTransport().description
        #expect(text.hasPrefix("CurlTransport (libcurl ") && text.hasSuffix(")"))
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete, .head, .options, .query])
    func sendsTheMethod(method: HTTPMethod) async throws {
        let server = try LoopbackServer { _ in .respond(headers: ["Content-Length": "0"]) }
        let client = NetworkClient(transport: try CurlTransport(), logging: .off)
        try await client.fetch(request: URLRequest.build().method(method, url: server.url).noBody().build())
        let request = try #require(server.requests.first)
        #expect(request.method == method.rawValue)
        let hasLength = [.post, .put, .patch].contains(method)
        #expect(request.framing == (hasLength ? .contentLength(0) : .none))
        #expect(request.value(forHeader: "Content-Type") == nil)
    }

    /// What the client refuses before it comes here, a transport that is used by itself refuses too.
    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "dict://127.0.0.1/"])
    func speaksNothingButHTTP(place: String) async throws {
        let transport = try CurlTransport()
        await #expect(throws: TransportError.self) {
            try await transport.send(URLRequest(url: url(place)), options: TransportOptions())
        }
    }
}
#endif
