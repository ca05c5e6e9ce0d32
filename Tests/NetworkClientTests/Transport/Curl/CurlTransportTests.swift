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
    private func client() throws -> NetworkClient {
        NetworkClient(transport: try CurlTransport(), logging: .off)
    }

    private func reason(_ error: (any Error)?) -> TransportError.Reason? {
        guard case NetworkClient.Error.requestError(let failure)? = error else { return nil }
        return failure.reason
    }

    @Test func saysWhichLibraryItDrives() throws {
        let text = try CurlTransport().description
        #expect(text.hasPrefix("CurlTransport (libcurl ") && text.hasSuffix(")"))
    }

    @Test func bringsTheAnswerWhole() async throws {
        let server = try LoopbackServer { _ in .json(#"{"a":1}"#) }
        let request = URLRequest.get(url: server.url("/items?x=1")).set(header: .custom(name: "X-Tag", value: "é"))
            .build()
        let response: NetworkClient.Response<Data> = try await client().fetch(request: request)
        #expect(response.item == Data(#"{"a":1}"#.utf8))
        #expect(response.statusCode == 200)
        #expect(response["content-type"] == "application/json")
        #expect(server.requests.first?.target == "/items?x=1")
        #expect(server.requests.first?.value(forHeader: "X-Tag") == "é")
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete, .head, .options, .query])
    func sendsTheMethod(method: HTTPMethod) async throws {
        let server = try LoopbackServer { _ in .respond(headers: ["Content-Length": "0"]) }
        try await client().fetch(request: URLRequest.build().method(method, url: server.url).noBody().build())
        let request = try #require(server.requests.first)
        #expect(request.method == method.rawValue)
        let hasLength = [.post, .put, .patch].contains(method)
        #expect(request.framing == (hasLength ? .contentLength(0) : .none))
        #expect(request.value(forHeader: "Content-Type") == nil)
    }

    @Test(.enabled(if: (try? Socket.bound(to: .ipv6)) != nil, "no IPv6 here"))
    func reachesAnIPv6Literal() async throws {
        let server = try LoopbackServer(on: .ipv6) { _ in .json("1") }
        let response: NetworkClient.Response<Int> = try await client().fetch(
            request: URLRequest.get(url: server.url).build()
        )
        #expect(response.item == 1)
        #expect(server.requests.first?.value(forHeader: "Host")?.hasPrefix("[::1]:") == true)
    }

    @Test(.spec(162)) func followsRedirectsByTheLibrarysRules() async throws {
        let target = try LoopbackServer { _ in .json("1") }
        let server = try LoopbackServer { _ in .redirect(to: target.url("/b").absoluteString, status: 307) }
        let request = try URLRequest.post(url: server.url).bodyJson(of: ["a": 1])
            .set(header: .authorisation(.bearer("secret"))).build()
        try await client().fetch(request: request)
        let received = try #require(target.requests.first)
        #expect(received.method == "POST" && received.bodyText == #"{"a":1}"#)
        #expect(received.value(forHeader: "Authorization") == nil)
    }

    /// A body goes over a connection that the server has just closed: libcurl sends it again, from its start.
    @Test func reusesItsConnection() async throws {
        let server = try LoopbackServer { _ in .json("1") }
        let client = try client()
        for _ in 0..<5 { try await client.fetch(request: URLRequest.get(url: server.url).build()) }
        #expect(server.connectionCount == 1)
    }

    @Test func answersManyAtOnce() async throws {
        let server = try LoopbackServer { request in .json(#""\#(request.path)""#) }
        let client = try client()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<300 {
                group.addTask {
                    let request = URLRequest.get(url: server.url("/\(index)")).build()
                    let response: NetworkClient.Response<String> = try await client.fetch(request: request)
                    return response.item == "/\(index)"
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func stopsAtTheBodyLimit() async throws {
        let server = try LoopbackServer { _ in .respond(body: String(repeating: "x", count: 100_000)) }
        let client = try client()
        let error = await #expect(throws: (any Error).self) {
            try await client.fetch(
                request: URLRequest.get(url: server.url).build(),
                options: CallOptions(bodyLimit: 1_000)
            )
        }
        #expect(reason(error) == .bodyTooLarge)
    }

    @Test func endsACancelledExchangeAndItsConnection() async throws {
        let (arrived, closed) = (Gate(), Gate())
        let server = try LoopbackServer { _ in [.open(arrived), .awaitPeerClose(then: closed)] }
        let client = try client()
        let call = Task { try await client.fetch(request: URLRequest.get(url: server.url).build()) }
        try await arrived.wait()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await call.value } }
        try await withDeadline { try await closed.wait() }
    }

    @Test func refusesAfterItWasShutDown() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let transport = try CurlTransport()
        let client = NetworkClient(transport: transport, logging: .off)
        try await client.fetch(request: URLRequest.get(url: server.url).build())
        transport.shutDown()
        let error = await #expect(throws: (any Error).self) {
            try await client.fetch(request: URLRequest.get(url: server.url).build())
        }
        #expect(reason(error) == .transportClosed)
    }
}
#endif
