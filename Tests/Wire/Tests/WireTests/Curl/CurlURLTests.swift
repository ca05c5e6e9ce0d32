#if os(Linux)
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Requests that are sent one after the other, so that they use the same handle of libcurl, which has the last URL.
struct CurlURLTests {
    private func client() throws -> NetworkClient {
        NetworkClient(transport: try CurlTransport(), logging: .off)
    }

    @Test func eachRequestGoesToItsURL() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = try client()
        let targets = [
            "/a", "/a", "/b?x=1&y=%20", "/a", "/./x/../y", "//a", "/?q", "/%C3%A9%2F", "/a#f", "/a", "/b?x=1&y=%20",
            "/a%2fb/%c3%A9", "/a", "/?x=%2f", "/?", "/a%2Fb?x=%2f#%2f", "/a",
        ]
        for target in targets {
            try await client.fetch(request: URLRequest(url: server.url(target)))
        }
        #expect(server.requests.map(\.target) == targets.map { String($0.prefix { $0 != "#" }) })
        #expect(server.connectionCount == 1)
    }

    /// A signature may cover the bytes of a URL, so that not even the case of an escape may change.
    @Test(arguments: ["POST", "HEAD"]) func theBytesOfAURLAreSentWithAnyMethod(method: String) async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = try client()
        for target in ["/a%2fb?x=%c3%a9", "/b", "/?"] {
            var request = URLRequest(url: server.url(target))
            request.httpMethod = method
            try await client.fetch(request: request)
        }
        #expect(server.requests.map(\.target) == ["/a%2fb?x=%c3%a9", "/b", "/?"])
    }

    @Test(
        .enabled(if: TLSConfiguration.isAvailable, "there is no OpenSSL here"),
        arguments: ["/a%2fb?x=%c3%a9", "?", "/?", "/a", "?x=%2f"]
    )
    func theBytesOfAURLAreSentOverTLS(target: String) async throws {
        let server = try LoopbackServer(tls: TLSConfiguration()) { _ in .respond() }
        let configuration = CurlTransport.Configuration(security: .init(trustRoots: TLSFixtures.root))
        let client = NetworkClient(transport: try CurlTransport(configuration: configuration), logging: .off)
        try await client.fetch(request: URLRequest(url: server.url(target)))
        #expect(server.requests.map(\.target) == [target.hasPrefix("?") ? "/" + target : target])
    }

    @Test func eachRequestGoesToItsServer() async throws {
        let servers = try (0..<3).map { _ in try LoopbackServer { _ in .respond() } }
        let client = try client()
        for number in [0, 0, 1, 0, 2, 2, 1] {
            try await client.fetch(request: URLRequest(url: servers[number].url("/\(number)")))
        }
        #expect(servers.map { $0.requests.map(\.target) } == [["/0", "/0", "/0"], ["/1", "/1"], ["/2", "/2"]])
    }

    @Test func aRequestWithAnotherMethodGoesToItsURL() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = try client()
        for (method, target) in [("GET", "/a"), ("POST", "/a"), ("GET", "/a"), ("HEAD", "/b"), ("GET", "/a")] {
            var request = URLRequest(url: server.url(target))
            request.httpMethod = method
            try await client.fetch(request: request)
        }
        #expect(server.requests.map(\.method) == ["GET", "POST", "GET", "HEAD", "GET"])
        #expect(server.requests.map(\.target) == ["/a", "/a", "/a", "/b", "/a"])
    }

    @Test(arguments: ["http://a..b:99999/x", "http://127.0.0.1:99999/x"])
    func aRefusedURLDoesNotAffectTheNextRequest(refused: String) async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = try client()
        for _ in 0..<2 {
            for _ in 0..<2 { try await client.fetch(request: URLRequest(url: server.url("/a"))) }
            guard let url = URL(string: refused) else { continue }
            #expect(await client.outcome(of: URLRequest(url: url)) == .failed(.invalidRequest))
        }
        #expect(server.requests.map(\.target) == ["/a", "/a", "/a", "/a"])
    }

    /// libcurl sends the request once more, to the URL that it has stored.
    @Test func aRequestOverADeadConnectionIsSentAgainToItsURL() async throws {
        let server = try LoopbackServer { request in
            // Closes the connection after the second request, without a response.
            request.target == "/b" ? [.close] : .respond()
        }
        let client = try client()
        try await client.fetch(request: URLRequest(url: server.url("/a")))
        #expect(await client.outcome(of: URLRequest(url: server.url("/b"))) == .failed(.connectionLost))
        try await client.fetch(request: URLRequest(url: server.url("/c")))
        #expect(server.requests.map(\.target) == ["/a", "/b", "/b", "/c"])
    }

    /// libcurl parses a URL with a user or an IPv6 address itself.
    @Test func aURLWithAUserIsSentAsText() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = try client()
        let plain = server.url("/a")
        let user = try #require(URL(string: plain.absoluteString.replacingOccurrences(of: "//", with: "//u:p@")))
        for url in [plain, user, plain, user, user, plain] { try await client.fetch(request: URLRequest(url: url)) }
        #expect(server.requests.map(\.target) == Array(repeating: "/a", count: 6))
        let credentials = server.requests.map { $0.value(forHeader: "Authorization") }
        let expected = "Basic \(Data("u:p".utf8).base64EncodedString())"
        #expect(credentials == [nil, expected, nil, expected, expected, nil])
    }
}
#endif
