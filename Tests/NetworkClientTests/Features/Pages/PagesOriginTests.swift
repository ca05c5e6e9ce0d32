import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Pages of another origin than the first one's.
struct PagesOriginTests {
    private let transport = StubTransport()

    private func client(_ interceptors: [any InterceptorProtocol] = [], base: String? = nil) -> NetworkClient {
        NetworkClient(
            transport: transport,
            interceptors: interceptors,
            configuration: .init(baseURL: base.map { url($0) }, sensitiveHeaders: ["X-Own"])
        )
    }

    private static func page(_ items: [Int], next: String? = nil) -> StubTransport.Response {
        let page = StubTransport.Response.json(items)
        return next.map { page.setting(header: .custom(name: "Link", value: "<\($0)>; rel=next")) } ?? page
    }

    private func collect<Pages: AsyncSequence>(_ pages: Pages) async throws -> [Pages.Element] {
        var elements: [Pages.Element] = []
        for try await element in pages { elements.append(element) }
        return elements
    }

    @Test(arguments: [
        (
            "https://other/",
            "its next page is at another origin ('https://other' instead of 'https://h'), which the call does not allow"
        ),
        ("https://h:8443/", "'https://h:8443' instead of"), ("//other/b", "'https://other' instead of"),
        ("https://h.other/", "'https://h.other' instead of"),
        ("http://h/b", "its next page leads from https to http"),
        ("ftp://h/b", "its next page leads to a URL with the scheme 'ftp', which is not HTTP"),
        ("file:///etc/passwd", "with the scheme 'file'"),
        ("https:///b", "its next page leads to a URL that names no host"),
    ])
    func aPageOfAnotherOriginIsRefused(next: String, text: String) async throws {
        transport.on(.any, Self.page([1], next: next))
        var pages = client().pages(URLRequest(url: url("https://h/a?token=secret")).decoded(as: [Int].self))
            .makeAsyncIterator()
        expect(try await pages.next()?.item, [1])
        for _ in 1...2 {
            let error = await #expect(throws: NetworkClient.Error.self) { try await pages.next() }
            expect(error?.reason, .pageRefused)
            expect(error?.description.contains(text), true, "\(String(describing: error))")
            expect(error?.description.contains("secret"), false)
        }
        expect(transport.requests.count, 1)
    }

    @Test(arguments: ["http://h/b", "ftp://other/b"])
    func someURLsAreRefusedAlsoIfOtherOriginsAreAllowed(next: String) async throws {
        transport.on(.any, Self.page([1], next: next))
        let request = URLRequest(url: url("https://h/a"))
        let pages = client().pages(request.decoded(as: [Int].self), allowsOtherOrigins: true)
        let error = await #expect(throws: NetworkClient.Error.self) { try await collect(pages) }
        expect(error?.reason, .pageRefused)
        expect(transport.requests.count, 1)
    }

    @Test(.spec(226), arguments: [nil, "https://h/"])
    func noPageHasCredentialsOnceTheListHasLeftItsOrigin(base: String?) async throws {
        transport.on(.get("/a"), Self.page([1], next: "https://other/b"))
        transport.on(.get("/b"), Self.page([2], next: "https://h/c"))
        transport.on(.get("/c"), Self.page([3]))
        let client = client(
            [
                .headers([.custom(name: "X-Api-Key", value: "k"), .custom(name: "X-Trace", value: "t")]),
                .authentication(.bearer("token"), origins: [url("https://h"), url("https://other")]),
            ],
            base: base
        )
        let request = URLRequest.get(url: url("https://h/a")).add(header: .custom(name: "Cookie", value: "c=1"))
            .add(header: .custom(name: "X-Own", value: "o")).add(header: .accept(type: .json)).build()
        let pages = client.pages(request.decoded(as: [Int].self), allowsOtherOrigins: true)
        expect(try await collect(pages.items), [1, 2, 3])
        let sent = transport.requests
        expect(sent.map { $0[header: "Authorization"] }, ["Bearer token", nil, nil])
        expect(sent.map { $0[header: "X-Api-Key"] }, ["k", nil, nil])
        expect(sent.map { $0[header: "Cookie"] }, ["c=1", nil, nil])
        expect(sent.map { $0[header: "X-Own"] }, ["o", nil, nil])
        #expect(sent.allSatisfy { $0[header: "X-Trace"] == "t" && $0[header: "Accept"] == "application/json" })
    }

    @Test func theBodyStaysAtTheFirstOrigin() async throws {
        transport.on(.post("/a"), Self.page([1], next: "/b"))
        transport.on(.post("/b"), Self.page([2], next: "https://other/c"))
        transport.on(.get("/c"), Self.page([3]))
        let request = try URLRequest.post(url: url("https://h/a")).bodyJson(of: ["secret": 1])
        let pages = client().pages(request, as: [Int].self, allowsOtherOrigins: true)
        expect(try await collect(pages.items), [1, 2, 3])
        let sent = transport.requests
        expect(sent.map(\.body.count), [12, 12, 0])
        expect(sent.map { $0[header: "Content-Type"] }, ["application/json", "application/json", nil])
    }

    @Test func whatTheRuleSetsForAnotherOriginIsSent() async throws {
        transport.on(.post("/a"), Self.page([1]))
        transport.on(.post("/b"), Self.page([]))
        let next = NextPage<[Int]> { page, request in
            guard !page.item.isEmpty else { return nil }
            var request = request
            request.url = url("https://other/b")
            request.httpBody = Data("new".utf8)
            request.setValue("Bearer new", forHTTPHeaderField: "Authorization")
            return request
        }
        let request = try URLRequest.post(url: url("https://h/a")).bodyJson(of: ["secret": 1])
            .add(header: .authorization(.bearer("old"))).add(header: .custom(name: "X-Own", value: "o"))
        let pages = client().pages(request, as: [Int].self, next: next, allowsOtherOrigins: true)
        expect(try await collect(pages.items), [1])
        let sent = try #require(transport.requests.last)
        expect(sent.body, Data("new".utf8))
        expect(sent[header: "Authorization"], nil)
        expect(sent[header: "X-Own"], nil)
    }

    private struct Step: Endpoint {
        typealias Response = [Int]
        let target: String

        func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
            URLRequest.get(url: url(target)).add(header: .authorization(.bearer("secret"))).build()
        }
    }

    /// A client that passes everything on.
    private struct Forwarding: NetworkClientProtocol {
        let client: NetworkClient

        func send<E: Endpoint>(_ endpoint: E) async throws -> NetworkClient.Response<E.Value> {
            try await client.send(endpoint)
        }
    }

    @Test(arguments: [false, true]) func noLaterPageOfAnotherOriginHasCredentials(isForwarded: Bool) async throws {
        let targets = ["https://h/0", "https://other/1", "https://other/2", "https://third/3", "https://h/4"]
        for index in targets.indices { transport.on(.get("/\(index)"), Self.page([index])) }
        let client = client([.headers([.custom(name: "X-Api-Key", value: "k")])])
        let caller: any NetworkClientProtocol = isForwarded ? Forwarding(client: client) : client
        let pages = caller.pages(Step(target: targets[0]), allowsOtherOrigins: true) { page in
            page.item[0] + 1 < targets.count ? Step(target: targets[page.item[0] + 1]) : nil
        }
        expect(try await collect(pages.items), [0, 1, 2, 3, 4])
        let secret = "Bearer secret"
        expect(transport.requests.map { $0[header: "Authorization"] }, [secret, nil, nil, nil, nil])
        expect(transport.requests.map { $0[header: "X-Api-Key"] }, ["k", nil, nil, nil, nil])
    }

    @Test(.spec(226)) func theOriginOfAListIsThatOfItsFirstResponse() async throws {
        let location = HeaderField.custom(name: "Location", value: "https://www.h/list")
        transport.on(.get("/a"), .status(301).setting(header: location))
        transport.on(.get("/list"), Self.page([1], next: "?page=2"), Self.page([2], next: "https://h/back"))
        let request = try URLRequest.get(path: "a").add(header: .authorization(.bearer("secret")))
        let headers = HeadersInterceptor([.custom(name: "X-Api-Key", value: "k")])
        let pages = client([headers], base: "https://h").pages(request, as: [Int].self)
        var iterator = pages.makeAsyncIterator()
        for item in [[1], [2]] { expect(try await iterator.next()?.item, item) }
        let error = await #expect(throws: NetworkClient.Error.self) { try await iterator.next() }
        expect(error?.description, contains: "'https://h' instead of 'https://www.h'")
        expect(transport.requests.map { $0[header: "Authorization"] }, ["Bearer secret", nil, nil])
        expect(transport.requests.map { $0[header: "X-Api-Key"] }, ["k", nil, nil])
    }

    @Test(.spec(226, 240)) func aPageHasNoConditionOfTheFirstOneAndAKeyOfItsOwn() async throws {
        let pages = [2, 3, 2].map { Self.page([1], next: "?page=\($0)") }
        transport.on(.any, pages[0], pages[1], pages[2])
        let request = URLRequest.post(url: url("https://h/items")).bodyText("x").add(header: .idempotencyKey("k"))
            .add(header: .custom(name: "If-None-Match", value: "\"1\""))
            .add(header: .custom(name: "If-Modified-Since", value: "Sat, 29 Oct 1994 19:43:31 GMT"))
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await collect(client().pages(request, as: [Int].self))
        }
        expect(error?.reason, .tooManyPages)
        let sent = transport.requests
        expect(sent.map { $0[header: "If-None-Match"] }, ["\"1\"", nil, nil])
        expect(sent.map { $0[header: "If-Modified-Since"] != nil }, [true, false, false])
        let keys = sent.compactMap { $0[header: "Idempotency-Key"] }
        #expect(keys.first == "k" && Set(keys).count == 3 && sent.allSatisfy { $0.body == Data("x".utf8) })
    }

    private struct OneServer: Transport {
        let stub: StubTransport

        var description: String { "OneServer" }
        var defaults: TransportDefaults {
            var defaults = TransportDefaults()
            defaults.reachesOneServer = true
            return defaults
        }

        func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
            try await stub.send(request, options: options)
        }
    }

    @Test func aTransportToOneServerAllowsNoOtherOrigin() async throws {
        transport.on(.any, Self.page([1], next: "https://other/"))
        let pages = NetworkClient(transport: OneServer(stub: transport))
            .pages(URLRequest(url: url("https://h/")).decoded(as: [Int].self), allowsOtherOrigins: true)
        await #expect(throws: NetworkClient.Error.self) { try await collect(pages) }
        expect(transport.requests.count, 1)
    }

    @Test func eachPageHasTheTokenOfItsTime() async throws {
        let server = StubTransport()
        server.on(.any, .status(401))
        server.on(.get("/a").header("Authorization", "Bearer 1"), Self.page([1], next: "/b"))
        server.on(.get("/b").header("Authorization", "Bearer 2"), Self.page([2]))
        let store = InMemoryCredentialStore(AccessToken("1"))
        let bearer = AuthenticationScheme.bearer(store: store) { _ in AccessToken("2") }
        let client = NetworkClient(
            transport: server,
            interceptors: [.retry(), .authentication(bearer, origins: [url("https://h")])]
        )
        let pages = client.pages(URLRequest(url: url("https://h/a")).decoded(as: [Int].self))
        expect(try await collect(pages.items), [1, 2])
        expect(server.requests.map(\.path), ["/a", "/b", "/b"])
    }
}
