#if os(Linux)
import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct CurlTransportProxyTests {
    private func client(_ configuration: CurlTransport.Configuration) throws -> NetworkClient {
        NetworkClient(transport: try CurlTransport(configuration: configuration), logging: .off)
    }

    private func client(_ proxy: CurlTransport.Proxy) throws -> NetworkClient {
        try client(.init(proxy: proxy))
    }

    @Test func aRequestGoesThroughACustomProxy() async throws {
        let proxy = try LoopbackServer { _ in .respond(body: "from the proxy") }
        let client = try client(.server(proxy.url))
        let response: NetworkClient.Response<String> = try await client.fetch(
            request: URLRequest.get(url: url("http://example.invalid/a?b=1")).build()
        )
        #expect(response.item == "from the proxy")
        #expect(proxy.requests.first?.target == "http://example.invalid/a?b=1")
        #expect(proxy.requests.first?.value(forHeader: "Host") == "example.invalid")
    }

    /// The proxy gets the whole URL unchanged; before libcurl 7.80 the engine cannot find out that there is a proxy.
    @Test(
        .enabled(if: CurlLibrary.reportsConnections, "this libcurl drops an empty query, which is documented"),
        arguments: ["http://example.invalid/?", "http://example.invalid/a%2fb?x=%c3%a9", "http://u:p@example.invalid?"]
    )
    func aProxyGetsTheExactURL(text: String) async throws {
        let proxy = try LoopbackServer { _ in .respond() }
        let client = try client(.server(proxy.url))
        for place in [text, "http://example.invalid/plain"] {
            try await client.fetch(request: URLRequest(url: url(place)))
        }
        var expected = text.replacingOccurrences(of: "u:p@", with: "")
        expected = expected.replacingOccurrences(of: "invalid?", with: "invalid/?")
        #expect(proxy.requests.map(\.target) == [expected, "http://example.invalid/plain"])
    }

    @Test func aServerWithoutAProxyGetsThePathOnly() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let proxy = try LoopbackServer { _ in .respond() }
        let client = try client(.server(proxy.url, except: ["127.0.0.1"]))
        for target in ["/?", "/a%2fb"] { try await client.fetch(request: URLRequest(url: server.url(target))) }
        #expect(server.requests.map(\.target) == ["/?", "/a%2fb"])
        #expect(proxy.requests.isEmpty)
    }

    @Test(.spec(178, 311)) func aProxyThatRefusesAWebSocketIsTheCauseOfTheFailure() async throws {
        let proxy = try LoopbackServer { _ in .respond(status: 403) }
        let client = try client(.server(proxy.url))
        let failure = await failure { _ = try await client.webSocket("ws://example.invalid/") }
        #expect(failure?.reason == .proxyRefused && failure?.proxyStatus?.rawValue == 403)
    }

    @Test(.spec(178), arguments: [407, 403, 502], [true, false])
    func theStatusOfAProxyThatRefusesIsReported(status: Int, isStreamed: Bool) async throws {
        let proxy = try LoopbackServer { _ in
            .respond(status: status, headers: ["Proxy-Authenticate": "Basic realm=\"x\""], body: "no")
        }
        let client = try client(.server(proxy.url))
        let failure = await failure {
            let request = URLRequest.get(url: url("https://example.invalid/a")).build()
            if isStreamed {
                _ = try await client.stream(request)
            } else {
                try await client.fetch(request: request)
            }
        }
        #expect(failure?.reason == .proxyRefused && failure?.proxyStatus?.rawValue == status)
        let sentence = "The request to 'https://example.invalid/a' failed: the proxy refused to connect, with status "
        #expect(failure?.description == sentence + "\(status).")
        #expect(proxy.requests.map(\.method) == ["CONNECT"])
    }

    /// Nothing was sent to the server, so that even a POST can be sent again.
    @Test(.spec(178), arguments: [(502, 3), (503, 3), (504, 3), (403, 1), (407, 1)])
    func aProxyThatMayConnectLaterIsAskedAgain(status: Int, count: Int) async throws {
        let proxy = try LoopbackServer { _ in .respond(status: status) }
        let client = NetworkClient(
            transport: try CurlTransport(configuration: .init(proxy: .server(proxy.url))),
            interceptors: [.retry()],
            logging: .off,
            configuration: .init(time: TestClock(advancesItself: true))
        )
        let failure = await failure {
            try await client.fetch(
                request: URLRequest.post(url: url("https://example.invalid/")).bodyJson(of: 1).build()
            )
        }
        #expect(failure?.proxyStatus?.rawValue == status)
        #expect(proxy.requests.map(\.method) == Array(repeating: "CONNECT", count: count))
    }

    /// URLSession takes its proxies from the environment.
    @Test(.spec(178)) func urlSessionReportsTheStatusOfAProxyThatRefuses() async {
        await #expect(processExitsWith: .success) {
            let proxy = try LoopbackServer { _ in .respond(status: 407, headers: ["Proxy-Authenticate": "Basic"]) }
            setenv("https_proxy", proxy.url.absoluteString, 1)
            let failure = await CurlTransportProxyTests().failure {
                let client = NetworkClient(transport: URLSessionTransport(), logging: .off)
                try await client.fetch(request: URLRequest.get(url: url("https://example.invalid/")).build())
            }
            #expect(failure?.reason == .proxyRefused && failure?.proxyStatus == 407)
        }
    }

    private func failure(_ work: () async throws -> Void) async -> TransportError? {
        do {
            try await work()
            Issue.record("did not fail")
        } catch NetworkClient.Error.requestError(let failure) {
            return failure
        } catch {
            Issue.record("\(error)")
        }
        return nil
    }

    @Test(.spec(178), arguments: ["socks5h", "socks4a"])
    func aSOCKSProxyThatRefusesIsReported(scheme: String) async throws {
        let proxy = try RefusingSOCKSProxy()
        let client = try client(.server(url("\(scheme)://127.0.0.1:\(proxy.port)")))
        let failure = await failure {
            try await client.fetch(request: URLRequest.get(url: url("http://example.invalid/")).build())
        }
        #expect(failure?.reason == .proxyRefused && failure?.proxyStatus == nil)
        let sentence = "The request to 'http://example.invalid/' failed: the proxy refused to connect."
        #expect(failure?.description == sentence)
    }

    @Test(.spec(94)) func thePasswordOfAnInvalidProxyAddressIsNotShown() async throws {
        let client = try client(.server(url("http://user:s3cret@127.0.0.1:99999")))
        let failure = await failure {
            try await client.fetch(request: URLRequest.get(url: url("http://example.invalid/")).build())
        }
        let error = try #require(failure)
        #expect(error.reason == .unsupported)
        let texts = [error.description, error.underlying.map { String(reflecting: $0) } ?? ""]
        #expect(texts.allSatisfy { !$0.contains("s3cret") && !$0.contains("user") })
        #expect(error.description.contains("libcurl cannot parse the proxy's address"))
    }

    @Test(.enabled(if: TLSConfiguration.isAvailable, "there is no OpenSSL here"), arguments: [true, false])
    func aProxyWithTLSIsTrustedByTheRootsOfTheConfiguration(isTrusted: Bool) async throws {
        let proxy = try LoopbackServer(tls: TLSConfiguration()) { _ in .respond() }
        let roots = isTrusted ? TLSFixtures.root : nil
        let client = try client(.init(proxy: .server(proxy.url), security: .init(trustRoots: roots)))
        for _ in 0..<3 {
            let outcome = await client.outcome(of: URLRequest(url: url("http://example.invalid/")))
            #expect(outcome == (isTrusted ? .answered(200) : .failed(.secureConnectionFailed)))
        }
        #expect(proxy.requests.count == (isTrusted ? 3 : 0))
        // Later versions do not reuse a connection over which a session ticket of the proxy has come.
        if CurlLibrary.isOlder(than: 8, 0) { #expect(proxy.requests.allSatisfy { $0.connection == 0 }) }
    }

    @Test func onlyTheProxyGetsItsCredential() async throws {
        let proxy = try LoopbackServer { _ in .respond() }
        let server = try LoopbackServer { _ in .respond() }
        let place = try #require(URL(string: "http://user:secret@127.0.0.1:\(proxy.port)"))
        let configuration = CurlTransport.Configuration(proxy: .server(place, except: ["127.0.0.1"]))
        let client = try client(configuration)
        try await client.fetch(request: URLRequest.get(url: url("http://example.invalid/")).build())
        try await client.fetch(request: URLRequest.get(url: server.url).build())
        let expected = "Basic \(Data("user:secret".utf8).base64EncodedString())"
        #expect(proxy.requests.map { $0.value(forHeader: "Proxy-Authorization") } == [expected])
        #expect(server.requests.map { $0.value(forHeader: "Proxy-Authorization") } == [nil])
        #expect(!"\(configuration.proxy)".contains("secret"))
        #expect(!String(reflecting: configuration).contains("secret"))
    }

    /// The response with which a proxy opens a tunnel is not that of the server, however the body is read.
    @Test(.enabled(if: TLSConfiguration.isAvailable, "there is no OpenSSL here"), arguments: [true, false])
    func aSecureRequestGoesThroughATunnel(isStreamed: Bool) async throws {
        let server = try LoopbackServer(tls: TLSConfiguration()) { _ in
            .respond(status: 201, headers: ["X-From": "server"], body: "hello")
        }
        let response = "HTTP/1.1 200 Connection established\r\nContent-Encoding: rot13\r\nX-From: proxy\r\n\r\n"
        let proxy = try LoopbackServer { [port = server.port] _ in [.send(response), .tunnel(to: port)] }
        let client = try client(
            .init(proxy: .server(proxy.url), security: .init(trustRoots: TLSFixtures.root))
        )
        let request = URLRequest.get(url: server.url).build()
        if isStreamed {
            let response = try await client.stream(request)
            #expect(response.statusCode == 201 && response["X-From"] == "server")
            #expect(try await response.item.text() == "hello")
        } else {
            let response: NetworkClient.Response<String> = try await client.fetch(request: request)
            #expect(response.statusCode == 201 && response["X-From"] == "server" && response.item == "hello")
        }
        #expect(proxy.requests.map(\.method) == ["CONNECT"])
        #expect(proxy.requests.map(\.target) == ["localhost:\(server.port)"])
    }

    @Test func theExceptedHostsAreReachedWithoutTheProxy() async throws {
        let proxy = try LoopbackServer { _ in .respond(body: "from the proxy") }
        let server = try LoopbackServer { _ in .respond(body: "from the server") }
        let client = try client(.server(proxy.url, except: ["example.com", "127.0.0.1"]))
        let response: NetworkClient.Response<String> = try await client.fetch(
            request: URLRequest.get(url: server.url).build()
        )
        #expect(response.item == "from the server")
        #expect(proxy.requests.isEmpty)
    }

    /// A server that cannot be reached is not blamed on a proxy that others use.
    @Test(.spec(285), arguments: ["http", "https", "socks5h"])
    func whatFailsAtAProxyIsSaidOfTheProxy(scheme: String) async throws {
        let (refusing, server) = (try RefusingPort(), try RefusingPort())
        let port = try #require(refusing.url.port)
        let proxy = url("\(scheme == "https" ? "http" : scheme)://u:s3cret@127.0.0.1:\(port)")
        let request = URLRequest(url: url("\(scheme == "https" ? "https" : "http")://example.invalid/"))
        let named = url("\(proxy.scheme ?? "")://user@proxy.invalid:9")
        let rows: [(CurlTransport.Proxy, URLRequest, TransportError.Reason, String)] = [
            (
                .server(proxy), request, .connectionRefused,
                "the proxy '\(proxy.scheme ?? "")://127.0.0.1:\(port)' refused the connection"
            ),
            (
                .server(named), request, .nameNotResolved,
                "the name of the proxy '\(proxy.scheme ?? "")://proxy.invalid:9' has no address"
            ),
            (
                .server(proxy, except: ["127.0.0.1"]), URLRequest(url: server.url), .connectionRefused,
                "the connection was refused"
            ),
        ]
        for (proxy, request, reason, cause) in rows {
            let client = try client(proxy)
            let failure = await failure { try await client.fetch(request: request) }
            #expect(failure?.reason == reason)
            #expect(failure?.description.hasSuffix("failed: \(cause).") == true, "\(String(describing: failure))")
        }
    }
}

/// A proxy that accepts one connection after the other and refuses each request.
private final class RefusingSOCKSProxy: Sendable {
    let port: UInt16
    private let listener: Socket

    init() throws {
        listener = try Socket.listening(on: .ipv4)
        port = try listener.port()
        let listener = listener
        Thread.detachNewThread {
            while Socket.waitReadable([listener]) == [true], let client = try? listener.acceptNext() {
                // For SOCKS 5 no way to authenticate is good enough (RFC 1928 §3); for SOCKS 4 the request is refused.
                let isFive = (try? client.receive())?.first == 5
                try? client.sendAll(isFive ? [5, 0xFF] : [0, 91, 0, 0, 0, 0, 0, 0])
                client.closeNow()
            }
        }
    }

    deinit {
        listener.shutDown()
    }
}
#endif
