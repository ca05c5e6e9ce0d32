#if os(Linux)
import Foundation
import NetworkClient
import Testing

/// The openings of sockets, which are calls like any other.
extension WebSocketTests {
    /// Opens a socket, and returns what the server saw of it.
    private func opening(_ client: NetworkClient, _ url: String) async throws -> SeenOpening {
        let socket = try await client.webSocket(url)
        var values = socket.values(of: SeenOpening.self).makeAsyncIterator()
        let seen = try #require(try await values.next())
        try await socket.close()
        return seen
    }

    @Test(arguments: WebSocketRoute.all, [401, 403])
    func aRefusalIsAResponseWithItsBody(route: WebSocketRoute, status: Int) async throws {
        let error = try await failure {
            _ = try await route.client().webSocket(route.url("/socket?key=\(key)&status=\(status)"))
        }
        #expect(error.statusCode == status)
        #expect(String(decoding: error.data ?? Data(), as: UTF8.self) == #"{"error": "not here"}"#)
    }

    @Test(arguments: [WebSocketRoute.aiohttp, .nginx, .nginxTLS])
    func aSuccessWithoutAHandshakeIsAnError(route: WebSocketRoute) async throws {
        let port = route == .nginx ? NginxPort.plain : .tls
        let url = try route == .aiohttp ? route.httpURL("/text") : port.url("/echo")
        let error = try await failure { _ = try await route.client().webSocket(URLRequest(url: url)) }
        guard case .requestError(let failure) = error else { throw error }
        #expect(failure.reason == .notAWebSocket)
    }

    @Test(arguments: [WebSocketRoute.nginx, .nginxTLS])
    func nginxRespondsForAServerThatIsDown(route: WebSocketRoute) async throws {
        // Nothing listens on the first port of a machine.
        let error = try await failure {
            _ = try await route.client().webSocket(route.url("/socket", upstream: 1))
        }
        #expect(error.statusCode == 502)
    }

    struct Offer: Sendable {
        let protocols: [String]
        /// The choice of aiohttp, which goes by the order of the client.
        var chosen: String?
        /// The choice of websockets, which goes by its own; nil for a refusal.
        var insisted: String?
    }

    @Test(
        arguments: [WebSocketRoute.aiohttp, .insisting],
        [
            Offer(protocols: ["chat.v1", "chat.v2"], chosen: "chat.v1", insisted: "chat.v2"),
            Offer(protocols: ["other", "chat.v1"], chosen: "chat.v1", insisted: "chat.v1"),
            Offer(protocols: ["other"]), Offer(protocols: []),
        ]
    )
    func theServerChoosesASubprotocol(route: WebSocketRoute, offer: Offer) async throws {
        let url = try route.url("/socket?key=\(key)")
        if route == .insisting, offer.insisted == nil {
            let error = try await failure { _ = try await route.client().webSocket(url, protocols: offer.protocols) }
            #expect(error.statusCode == 400)
        } else {
            let socket = try await route.client().webSocket(url, protocols: offer.protocols)
            #expect(socket.subprotocol == (route == .insisting ? offer.insisted : offer.chosen))
        }
    }

    @Test(
        arguments: [
            (WebSocketRoute.plain, .tls), (.aiohttp, .plain), (.nginx, .nginxTLS), (.proxy, .proxyTLS), (.tls, .tls),
        ] as [(WebSocketRoute, WebSocketRoute)],
        [302, 307]
    )
    func aRedirectIsFollowed(routes: (start: WebSocketRoute, target: WebSocketRoute), status: Int) async throws {
        let target = try routes.target.url("/opening?key=\(key)")
        let location = try #require(target.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let start = try routes.start.httpURL("/redirect")
        let client = try routes.start.client([.authentication(.bearer("secret"), origins: [start])])
        let seen = try await opening(client, routes.start.url("/redirect?status=\(status)&to=\(location)"))
        #expect(seen.target == "/opening?key=\(key)" && seen.number == 1)
        #expect(seen["Authorization"] == (routes.start == routes.target ? ["Bearer secret"] : []))
    }

    @Test(arguments: [WebSocketRoute.plain, .nginxTLS, .proxy, .proxyTLS])
    func aTokenThatTheServerRefusesIsRefreshed(route: WebSocketRoute) async throws {
        let session = TokenSession(store: InMemoryCredentialStore(AccessToken("old"))) { old in
            #expect(old.value == "old")
            return AccessToken("fresh")
        }
        let client = try route.client([.authentication(.bearer(session), origins: [route.httpURL("/")])])
        for number in 1...2 {
            let seen = try await opening(client, route.url("/opening?key=\(key)&token=fresh"))
            #expect(seen["Authorization"] == ["Bearer fresh"] && seen.number == number)
            #expect(seen["Proxy-Authorization"] == [])
        }
    }

    @Test(arguments: [WebSocketRoute.plain, .nginxTLS, .proxy])
    func cookiesOfLoginsAndOpeningsAreSent(route: WebSocketRoute) async throws {
        let client = try route.client(cookies: CookieStore())
        try await client.fetch(.get(url: route.httpURL("/login")))
        for expected in ["session=1", "session=1; socket=2"] {
            let seen = try await opening(client, route.url("/opening?key=\(key)&cookie=socket%3D2"))
            #expect(seen["Cookie"] == [expected])
        }
    }

    struct Refusal: Sendable {
        let configuration: [String]
        var user = ""
        let status: Int
    }

    @Test(
        arguments: [WebSocketRoute.plain, .tls],
        [
            Refusal(configuration: ["ConnectPort 563"], status: 403),
            Refusal(configuration: ["Filter \"/dev/null\"", "FilterDefaultDeny Yes"], status: 403),
            Refusal(configuration: ["BasicAuth user secret"], status: 407),
            Refusal(configuration: ["BasicAuth user secret"], user: "user:wrong@", status: 401),
        ]
    )
    func aProxyThatRefusesIsAnErrorOfTheProxy(route: WebSocketRoute, refusal: Refusal) async throws {
        let proxy = try await ServerProcess.start(.tinyproxy, refusal.configuration)
        let client = try route.client(proxy: .server(proxy.url("", host: refusal.user + "127.0.0.1")))
        let error = try await failure { _ = try await client.webSocket(route.url("/socket?key=\(key)")) }
        guard case .requestError(let failure) = error else { throw error }
        #expect(failure.reason == .proxyRefused && failure.proxyStatus?.rawValue == refusal.status)
        #expect(!"\(error)".contains("wrong"))
    }

    @Test(arguments: [WebSocketRoute.plain, .tls])
    func theCredentialOfAProxyIsForTheProxyAlone(route: WebSocketRoute) async throws {
        let proxy = try await ServerProcess.start(.tinyproxy, ["BasicAuth user secret"])
        let client = try route.client(proxy: .server(proxy.url("", host: "user:secret@127.0.0.1")))
        let seen = try await opening(client, route.url("/opening?key=\(key)"))
        #expect(seen["Proxy-Authorization"] == [] && seen["Authorization"] == [])
        #expect(proxy.log.contains("CONNECT \(route == .tls ? "localhost" : "127.0.0.1")"), "\(proxy.log)")
    }
}
#endif
