import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The cookies that servers receive from a client, on every transport.
struct CookiesOnTheWireTests {
    enum Moved: CaseIterable, Sendable {
        case byURLSession
        #if os(Linux)
        case byCurl
        #endif

        func transport() throws -> any Transport {
            switch self {
            case .byURLSession: URLSessionTransport.shared
            #if os(Linux)
            case .byCurl: try CurlTransport()
            #endif
            }
        }

        func client(_ store: CookieStore?) throws -> NetworkClient {
            let configuration = NetworkClient.Configuration(cookies: store)
            return NetworkClient(transport: try transport(), logging: .off, configuration: configuration)
        }

        /// A client for which every host is the loopback: libcurl knows `*.localhost` from 7.85 only.
        func clientOfTheLoopback(_ store: CookieStore) throws -> NetworkClient {
            let transport = try transport()
            let redirecting = ClosureTransport { request, options in
                var request = request
                var parts = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) }
                parts?.host = "127.0.0.1"
                request.url = parts?.url
                return try await transport.send(request, options: options)
            }
            let configuration = NetworkClient.Configuration(cookies: store)
            return NetworkClient(transport: redirecting, logging: .off, configuration: configuration)
        }
    }

    private let store = CookieStore()

    /// A server that sets cookies at `/set` and `/set/y` and responds with an empty body otherwise.
    private func server(setting fields: [String], status: Int = 200) throws -> LoopbackServer {
        let headers = WireFields(fields.map { WireField(name: "Set-Cookie", value: $0) })
        return try LoopbackServer { request in
            ["/set", "/set/y"].contains(request.path) ? .respond(status: status, headers: headers) : .respond()
        }
    }

    private func fetch(_ paths: [String], of server: LoopbackServer, _ moved: Moved) async throws -> [String?] {
        let client = try moved.client(store)
        let options = CallOptions(acceptedStatuses: .all)
        for path in paths {
            try await client.fetch(request: URLRequest(url: server.url(path)), options: options)
        }
        return server.requests.map { $0.value(forHeader: "Cookie") }
    }

    @Test(arguments: Moved.allCases)
    func cookiesAreSentWithTheNextRequest(moved: Moved) async throws {
        let server = try server(setting: [
            "a=1", "b=2; Expires=Wed, 21 Oct 2099 07:28:00 GMT; HttpOnly", "c=\"x, y=z\"; Max-Age=100", "d=4,5",
        ])
        let fields = try await fetch(["/set", "/", "/x?y"], of: server, moved)
        let expected = "a=1; b=2; c=\"x, y=z\"; d=4,5"
        #expect(fields == [nil, expected, expected])
        #expect(store.cookies.map(\.isHTTPOnly) == [false, true, false, false])
        #expect(store.persistentCookies.map(\.name) == ["b", "c"])
    }

    @Test(arguments: Moved.allCases)
    func cookiesAreSentToTheirPathOnly(moved: Moved) async throws {
        let server = try server(setting: ["a=1; Path=/x", "b=2", "c=3; Path=/"])
        let fields = try await fetch(["/set/y", "/x/y", "/xy", "/set/", "/set/z", "/"], of: server, moved)
        #expect(fields == [nil, "a=1; c=3", "c=3", "b=2; c=3", "b=2; c=3", "c=3"])
    }

    @Test(arguments: Moved.allCases)
    func cookiesAreSentToTheirDomainOnly(moved: Moved) async throws {
        let server = try server(setting: [
            "a=1; Domain=app.localhost", "b=2; Domain=localhost", "c=3", "d=4; Domain=other.localhost", "e=5; Domain=",
        ])
        let client = try moved.clientOfTheLoopback(store)
        for host in ["api.app.localhost", "api.app.localhost", "www.app.localhost", "app.localhost", "localhost"] {
            let path = server.requestCount == 0 ? "set" : ""
            try await client.fetch(request: URLRequest(url: url("http://\(host):\(server.port)/\(path)")))
        }
        let fields = server.requests.map { $0.value(forHeader: "Cookie") }
        #expect(fields == [nil, "a=1; c=3; e=5", "a=1", "a=1", nil])
    }

    @Test(arguments: Moved.allCases)
    func cookiesAreRemovedWhenTheirServerExpiresThem(moved: Moved) async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/set": .respond(headers: ["Set-Cookie": "a=1", "Set-Cookie": "b=2", "Set-Cookie": "c=3"])
            case "/end":
                .respond(headers: [
                    "Set-Cookie": "a=; Max-Age=0", "Set-Cookie": "b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
                ])
            default: .respond()
            }
        }
        #expect(try await fetch(["/set", "/end", "/"], of: server, moved) == [nil, "a=1; b=2; c=3", "c=3"])
    }

    @Test(arguments: Moved.allCases)
    func secureCookiesAreNotSentOverPlainHTTP(moved: Moved) async throws {
        store.set(try Cookie(name: "a", value: "1", domain: "127.0.0.1", isSecure: true))
        let server = try server(setting: ["a=2", "b=2; Secure", "__Host-c=3; Secure; Path=/", "d=4"])
        #expect(try await fetch(["/set", "/"], of: server, moved) == [nil, "d=4"])
        #expect(store.cookies.map(\.value) == ["1", "4"])
    }

    @Test(arguments: Moved.allCases)
    func cookiesAreKeptWhateverTheStatus(moved: Moved) async throws {
        for status in [204, 304, 404, 500] {
            store.removeAll()
            let server = try server(setting: ["a=\(status)"], status: status)
            #expect(try await fetch(["/set", "/"], of: server, moved) == [nil, "a=\(status)"])
        }
    }

    @Test(.spec(162), arguments: Moved.allCases)
    func cookiesAreKeptAndSentOnEveryHop(moved: Moved) async throws {
        let target = try LoopbackServer { _ in .respond() }
        let server = try LoopbackServer { request in
            request.path == "/1"
                ? .redirect(to: "/2", headers: ["Set-Cookie": "hop=1; Path=/"])
                : .redirect(to: "http://localhost:\(target.port)/", headers: ["Set-Cookie": "hop=2; Path=/"])
        }
        store.set(try Cookie(name: "there", value: "1", domain: "localhost"))
        let request = URLRequest.get(url: server.url("/1")).set(header: .custom(name: "Cookie", value: "own=s3cret"))
        try await moved.client(store).fetch(request: request.build())
        #expect(server.requests.map { $0.value(forHeader: "Cookie") } == ["own=s3cret", "own=s3cret; hop=1"])
        #expect(target.requests.map { $0.value(forHeader: "Cookie") } == ["there=1"])
        #expect(store.cookies.map(\.value) == ["1", "2"])
    }

    @Test(arguments: Moved.allCases)
    func cookiesFollowTheOwnCookiesOfTheRequest(moved: Moved) async throws {
        let server = try LoopbackServer { _ in .respond() }
        store.set(try Cookie(name: "a", value: "1", domain: "127.0.0.1"))
        store.set(try Cookie(name: "b", value: "2", domain: "127.0.0.1"))
        let request = URLRequest.get(url: server.url).set(header: .custom(name: "Cookie", value: "b=own; c=3")).build()
        try await moved.client(store).fetch(request: request)
        #expect(server.requests.map { $0.headers.values(for: "Cookie") } == [["b=own; c=3; a=1"]])
    }

    @Test(arguments: Moved.allCases)
    func aClientWithoutAStoreSendsNoCookies(moved: Moved) async throws {
        let server = try server(setting: ["a=1"])
        let client = try moved.client(nil)
        for path in ["/set", "/"] { try await client.fetch(request: URLRequest(url: server.url(path))) }
        #expect(server.requests.map { $0.value(forHeader: "Cookie") } == [nil, nil])
    }

    @Test(arguments: Moved.allCases)
    func cookiesBelongToTheStoreAndNotToTheClient(moved: Moved) async throws {
        let server = try server(setting: ["a=1"])
        _ = try await fetch(["/set"], of: server, moved)
        #expect(try await fetch(["/"], of: server, moved) == [nil, "a=1"])
        try await moved.client(CookieStore()).fetch(request: URLRequest(url: server.url))
        #expect(server.requests.last?.value(forHeader: "Cookie") == nil)
    }

    @Test(arguments: Moved.allCases)
    func invalidSetCookieFieldsDoNoHarm(moved: Moved) async throws {
        let server = try server(setting: [
            "a=1\u{1}", "b=2\u{7F}", "c=" + String(repeating: "v", count: 50_000), "", ";;;", "=", "d", "e=é", "f=6",
            "g=7; Max-Age=" + String(repeating: "9", count: 5_000),
            "h=8; Expires=" + String(repeating: ",", count: 5_000),
        ])
        let fields = try await fetch(["/set", "/"], of: server, moved)
        #expect(fields == [nil, "e=é; f=6; g=7; h=8"])
    }

    @Test(arguments: Moved.allCases)
    func cookiesAreSentByConcurrentRequests(moved: Moved) async throws {
        let server = try LoopbackServer { request in
            .respond(headers: ["Set-Cookie": "n\(request.path.dropFirst())=1; Path=/"])
        }
        let client = try moved.client(store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<40 {
                group.addTask { try await client.fetch(request: URLRequest(url: server.url("/\(index)"))) }
            }
            try await group.waitForAll()
        }
        #expect(Set(store.cookies.map(\.name)) == Set((0..<40).map { "n\($0)" }))
    }
}

struct CookieStoreExchangeTests {
    private let store = CookieStore()

    private func cookieField(_ given: [String: String], _ place: String = "https://h/") -> String? {
        var request = URLRequest(url: url(place))
        request.allHTTPHeaderFields = given
        return store.adding(to: request).value(forHTTPHeaderField: "Cookie")
    }

    @Test(arguments: [
        ([:], "a=1; b=2"), (["Cookie": "c=3"], "c=3; a=1; b=2"), (["cookie": " c=3; a=9 "], "c=3; a=9; b=2"),
        (["Cookie": ""], "a=1; b=2"), (["Cookie": "a"], "a; b=2"), (["Cookie": "b = x ;; a=;"], "b = x ;; a=;"),
        (["Cookie": "A=1"], "A=1; a=1; b=2"), (["Cookie": "x=a=1"], "x=a=1; a=1; b=2"),
    ])
    func theOwnCookiesOfARequestComeFirst(given: [String: String], expected: String) {
        store.receive(["a=1", "b=2"], from: url("https://h/"))
        #expect(cookieField(given) == expected)
    }

    @Test func aRequestWithoutStoredCookiesIsNotChanged() throws {
        store.receive(["a=1; Path=/x"], from: url("https://h/"))
        let request = URLRequest(url: url("https://h/")).setting(header: .custom(name: "Cookie", value: "own=1"))
        #expect(store.adding(to: request).allHTTPHeaderFields == request.allHTTPHeaderFields)
        #expect(cookieField([:]) == nil)
    }

    @Test func aRequestThatHandlesNoCookiesBypassesTheStore() throws {
        store.receive(["a=1"], from: url("https://h/"))
        var request = URLRequest(url: url("https://h/"))
        request.httpShouldHandleCookies = false
        #expect(store.adding(to: request).value(forHTTPHeaderField: "Cookie") == nil)
        let answer = TransportResponse(response: .made(url: "https://h/", headers: ["Set-Cookie": "b=2"]))
        store.receive(answer, to: request)
        #expect(store.cookies.map(\.name) == ["a"])
        request.httpShouldHandleCookies = true
        store.receive(answer, to: request)
        #expect(store.cookies.map(\.name) == ["a", "b"])
        #expect(store.adding(to: request).httpShouldHandleCookies == false)
    }

    @Test func eachHopOfARedirectGetsItsOwnCookies() async throws {
        let sent = Recorder<String>()
        let transport = ClosureTransport { request in
            sent.record(request.value(forHTTPHeaderField: "Cookie") ?? "-")
            let place = request.url?.absoluteString ?? ""
            switch place {
            case "https://a.example/1":
                return (Data(), .made(307, url: place, headers: ["Location": "/2", "Set-Cookie": "hop=1"]))
            case "https://a.example/2":
                return (
                    Data(), .made(307, url: place, headers: ["Location": "https://b.example/", "Set-Cookie": "x=1"])
                )
            default: return (Data(), .made(url: place))
            }
        }
        store.receive(["b=1"], from: url("https://b.example/"))
        let client = NetworkClient(transport: transport, logging: .off, configuration: .init(cookies: store))
        let request = URLRequest(url: url("https://a.example/1"))
        try await client.fetch(request: request.setting(header: .custom(name: "Cookie", value: "own=1")))
        #expect(sent.values == ["own=1", "own=1; hop=1", "b=1"])
    }

    @Test func aFailedRequestSetsNoCookies() async throws {
        let transport = ClosureTransport { request, _ in throw TransportError(.timedOut, request: request) }
        let client = NetworkClient(transport: transport, logging: .off, configuration: .init(cookies: store))
        await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(request: URLRequest(url: url("https://h/")))
        }
        #expect(store.cookies.isEmpty)
    }

    @Test(.spec(94)) func interceptorsDoNotSeeStoredCookies() async throws {
        let seen = SeenFields()
        let transport = ClosureTransport { request in
            #expect(request.value(forHTTPHeaderField: "Cookie") == "a=s3cret")
            return (Data(), .made(url: "https://h/"))
        }
        let client = NetworkClient(transport: transport, interceptors: [seen], configuration: .init(cookies: store))
        store.receive(["a=s3cret"], from: url("https://h/"))
        try await client.fetch(request: URLRequest(url: url("https://h/")))
        #expect(seen.fields.values == [[:]])
    }
}

private struct SeenFields: InterceptorProtocol {
    let fields = Recorder<[String: String]>()

    func process(
        _ request: URLRequest,
        next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
    ) async throws -> NetworkClient.ChainResult {
        fields.record(request.allHTTPHeaderFields ?? [:])
        return try await next(request)
    }
}
