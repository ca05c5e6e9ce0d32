#if os(Linux)
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct CurlTransportFaultTests {
    private func client() throws -> NetworkClient {
        NetworkClient(transport: try CurlTransport(), logging: .off)
    }

    private func reason(_ error: (any Error)?) -> TransportError.Reason? {
        guard case NetworkClient.Error.requestError(let failure)? = error else { return nil }
        return failure.reason
    }

    @Test func tellsFailuresApart() async throws {
        let refused = try RefusingPort()
        let client = try client()
        let cases: [(Script, TransportError.Reason)] = [
            ([.close], .connectionLost), ([.reset], .connectionLost),
            ([.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .close], .connectionLost),
            ([.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), .close], .malformedResponse),
            ([.send("nonsense\r\n\r\n"), .close], .malformedResponse),
            ([.wait(Gate(), orPeerClose: true), .close], .timedOut),
        ]
        for (script, expected) in cases {
            let server = try LoopbackServer { _ in script }
            let request = URLRequest.get(url: server.url).timeout(0.3).build()
            let error = await #expect(throws: (any Error).self) { try await client.fetch(request: request) }
            #expect(reason(error) == expected)
        }
        let error = await #expect(throws: (any Error).self) {
            try await client.fetch(request: URLRequest.get(url: refused.url).build())
        }
        #expect(reason(error) == .connectionRefused)
        let unknown = await #expect(throws: (any Error).self) {
            try await client.fetch(request: URLRequest.get(url: url("http://nowhere.invalid")).build())
        }
        #expect(reason(unknown) == .nameNotResolved)
    }

    /// LINUX.md calls these the killers: each of them ends a process that uses URLSession there.
    @Test func survivesWhatURLSessionDoesNot() async throws {
        let client = try client()
        let partial = try LoopbackServer { _ in [.send("HTTP/1.1 200 OK\r\n"), .close] }
        await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(request: URLRequest.get(url: partial.url).build())
        }
        let trailers = try LoopbackServer { _ in
            [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n")]
        }
        let response: NetworkClient.Response<Data> = try await client.fetch(
            request: URLRequest.get(url: trailers.url).build()
        )
        #expect(response.item == Data("ok".utf8))
        #expect(response["X-Sum"] == nil)
        let challenge = try LoopbackServer { _ in .respond(status: 401, headers: ["WWW-Authenticate": "Basic realm=a"])
        }
        await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(request: URLRequest.get(url: challenge.url).build())
        }
    }

    @Test func stopsAFloodOfHeads() async throws {
        let early = "HTTP/1.1 103 Early Hints\r\nLink: \(String(repeating: "x", count: 60_000))\r\n\r\n"
        let server = try LoopbackServer { _ in [.repeat(early, count: 100), .close] }
        let error = await #expect(throws: (any Error).self) {
            try await client().fetch(request: URLRequest.get(url: server.url).build())
        }
        #expect(reason(error) == .malformedResponse)
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
