import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The cookies that servers receive from a client, on every transport.
struct CookiesOnTheWireTests {
    private let store = CookieStore()

    @Test(arguments: TransportUnderTest.all, [200, 204, 304, 404, 500])
    func cookiesAreSentWithTheNextRequestWhateverTheStatus(transport: TransportUnderTest, status: Int) async throws {
        let fields = [
            "a=1", "b=2; Expires=Wed, 21 Oct 2099 07:28:00 GMT; HttpOnly", "c=\"x, y=z\"; Max-Age=100", "d=4,5",
            "path=1; Path=/x", "secure=1; Secure", "foreign=1; Domain=localhost",
            // Fields that set no cookie, or one without the attribute that is not valid.
            "i=1\u{1}", "j=2\u{7F}", "k=" + String(repeating: "v", count: 50_000), "", ";;;", "=", "l", "e=é",
            "g=7; Max-Age=" + String(repeating: "9", count: 5_000),
            "h=8; Expires=" + String(repeating: ",", count: 5_000),
        ]
        let headers = WireFields(fields.map { WireField(name: "Set-Cookie", value: $0) })
        let server = try LoopbackServer { request in
            request.path == "/set" ? .respond(status: status, headers: headers) : .respond()
        }
        let client = try transport.client(configuration: .init(cookies: store))
        for path in ["/set", "/", "/x?y"] {
            let options = CallOptions(acceptedStatuses: .all)
            try await client.fetch(request: URLRequest(url: server.url(path)), options: options)
        }
        let expected = "a=1; b=2; c=\"x, y=z\"; d=4,5; e=é; g=7; h=8"
        expect(server.requests.map { $0.value(forHeader: "Cookie") }, [nil, expected, "path=1; " + expected])
        expect(store.cookies.filter(\.isHTTPOnly).map(\.name), ["b"])
        expect(store.persistentCookies.map(\.name), ["b", "c"])
    }

    @Test(.spec(162), arguments: TransportUnderTest.all)
    func cookiesAreKeptAndSentOnEveryHopBehindTheOwnCookiesOfTheRequest(transport: TransportUnderTest) async throws {
        let target = try LoopbackServer { _ in .respond() }
        let server = try LoopbackServer { request in
            request.path == "/1"
                ? .redirect(
                    to: "/2",
                    headers: ["Set-Cookie": "hop=1; Path=/", "Set-Cookie": "gone=; Max-Age=0; Path=/"]
                )
                : .redirect(to: "http://localhost:\(target.port)/", headers: ["Set-Cookie": "hop=2; Path=/"])
        }
        store.set(try Cookie(name: "there", value: "1", domain: "localhost"))
        store.set(try Cookie(name: "gone", value: "1", domain: "127.0.0.1"))
        store.set(try Cookie(name: "b", value: "2", domain: "127.0.0.1"))
        let own = URLRequest.get(url: server.url("/1")).set(header: .custom(name: "Cookie", value: "b=own; c=s3cret"))
        try await transport.client(configuration: .init(cookies: store)).fetch(request: own.build())
        let sent = server.requests.map { $0.headers.values(for: "Cookie") }
        expect(sent, [["b=own; c=s3cret; gone=1"], ["b=own; c=s3cret; hop=1"]])
        expect(target.requests.map { $0.headers.values(for: "Cookie") }, [["there=1"]])
        expect(store.cookies.map(\.value), ["1", "2", "2"])
    }

    @Test(arguments: TransportUnderTest.all)
    func aClientWithoutAStoreOrWithAnotherSendsNoCookies(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond(headers: ["Set-Cookie": "a=1"]) }
        for store in [store, store, nil, nil, CookieStore()] {
            try await transport.client(configuration: .init(cookies: store))
                .fetch(request: URLRequest(url: server.url))
        }
        expect(server.requests.map { $0.value(forHeader: "Cookie") }, [nil, "a=1", nil, nil, nil])
    }
}

struct CookieStoreExchangeTests {
    private let store = CookieStore()

    private func cookieField(_ given: [String: String], _ place: String = "https://h/") -> String? {
        var request = URLRequest(url: url(place))
        request.allHTTPHeaderFields = given
        return store.adding(to: request, on: SystemTimeSource()).value(forHTTPHeaderField: "Cookie")
    }

    @Test(arguments: [
        ([:], "a=1; b=2"), (["Cookie": "c=3"], "c=3; a=1; b=2"), (["cookie": " c=3; a=9 "], "c=3; a=9; b=2"),
        (["Cookie": ""], "a=1; b=2"), (["Cookie": "a"], "a; b=2"), (["Cookie": "b = x ;; a=;"], "b = x ;; a=;"),
        (["Cookie": "A=1"], "A=1; a=1; b=2"), (["Cookie": "x=a=1"], "x=a=1; a=1; b=2"),
    ])
    func theOwnCookiesOfARequestComeFirst(given: [String: String], expected: String) {
        store.receive(["a=1", "b=2"], from: url("https://h/"), on: SystemTimeSource())
        expect(cookieField(given), expected)
    }

    @Test func aRequestThatHandlesNoCookiesBypassesTheStore() throws {
        store.receive(["a=1"], from: url("https://h/"), on: SystemTimeSource())
        var request = URLRequest(url: url("https://h/"))
        request.httpShouldHandleCookies = false
        expect(store.adding(to: request, on: SystemTimeSource()).value(forHTTPHeaderField: "Cookie"), nil)
        let answer = TransportResponse(response: .made(url: "https://h/", headers: ["Set-Cookie": "b=2"]))
        store.receive(answer, to: request, on: SystemTimeSource())
        expect(store.cookies.map(\.name), ["a"])
        request.httpShouldHandleCookies = true
        store.receive(answer, to: request, on: SystemTimeSource())
        expect(store.cookies.map(\.name), ["a", "b"])
        expect(store.adding(to: request, on: SystemTimeSource()).httpShouldHandleCookies, false)
    }

    @Test func aRequestWithoutStoredCookiesIsNotChangedAndAFailedOneSetsNone() async throws {
        store.receive(["a=1; Path=/x"], from: url("https://h/"), on: SystemTimeSource())
        let request = URLRequest(url: url("https://h/")).setting(header: .custom(name: "Cookie", value: "own=1"))
        expect(store.adding(to: request, on: SystemTimeSource()).allHTTPHeaderFields, request.allHTTPHeaderFields)
        expect(cookieField([:]), nil)
        let transport = ClosureTransport { request, _ in throw TransportError(.timedOut, request: request) }
        let client = NetworkClient(transport: transport, logging: .off, configuration: .init(cookies: store))
        await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
        expect(store.cookies.map(\.name), ["a"])
    }

    @Test(.spec(94)) func interceptorsDoNotSeeStoredCookies() async throws {
        let seen = SeenFields()
        let transport = ClosureTransport { request in
            expect(request.value(forHTTPHeaderField: "Cookie"), "a=s3cret")
            return (Data(), .made(url: "https://h/"))
        }
        let client = NetworkClient(transport: transport, interceptors: [seen], configuration: .init(cookies: store))
        store.receive(["a=s3cret"], from: url("https://h/"), on: SystemTimeSource())
        try await client.fetch(request: URLRequest(url: url("https://h/")))
        expect(seen.fields.values, [[:]])
    }
}

private struct SeenFields: InterceptorProtocol {
    let fields = Recorder<[String: String]>()

    func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
        fields.record(request.allHTTPHeaderFields ?? [:])
        return try await next(request)
    }
}
