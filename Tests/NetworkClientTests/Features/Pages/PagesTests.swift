import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct PagesTests {
    private struct List: Codable, Sendable {
        var items: [Int]
        var next: URL?
        var cursor: String?
        var since: Int?
    }

    private let transport = StubTransport()
    private let client: NetworkClient

    init() {
        client = NetworkClient(transport: transport, configuration: .init(baseURL: url("https://h/v1")))
    }

    private func collect<Pages: AsyncSequence>(_ pages: Pages) async throws -> [Pages.Element] {
        try await pages.reduce(into: []) { $0.append($1) }
    }

    private static func page(_ items: [Int], links: String? = nil, status: Int = 200) -> StubTransport.Response {
        let page = StubTransport.Response.json(items, status: status)
        return links.map { page.setting(header: .custom(name: "Link", value: $0)) } ?? page
    }

    private var targets: [String] { transport.requests.map { $0.url.absoluteString } }

    // MARK: - Links

    @Test func pagesFollowTheLinkNextUntilThereIsNone() async throws {
        let last = #", <https://h/v1/items?page=3>; rel="last""#
        transport.on(.get("/v1/items"), Self.page([1, 2], links: #"<https://h/v1/items?page=2>; rel="next""# + last))
        transport.on(.get("/v1/items").query("page", "2"), Self.page([3], links: #"<?page=3>; rel="next""# + last))
        transport.on(.get("/v1/items").query("page", "3"), Self.page([4, 5], links: "</v1/items?page=2>; rel=prev"))
        let pages = try client.pages(
            .get(path: "items").set(header: .accept(type: .json)),
            as: [Int].self,
            options: CallOptions(idleTimeout: 7)
        )
        expect(transport.requests.count, 0)
        expect(try await collect(pages).map(\.item), [[1, 2], [3], [4, 5]])
        expect(targets, ["https://h/v1/items", "https://h/v1/items?page=2", "https://h/v1/items?page=3"])
        #expect(transport.requests.allSatisfy { $0[header: "Accept"] == "application/json" })
        #expect(transport.requests.allSatisfy { $0.urlRequest.timeoutInterval == 7 })
        // Each iterator begins with the first page.
        expect(try await collect(pages.items), [1, 2, 3, 4, 5])
        expect(transport.requests.count, 6)
        expect(client.calls.count, 0)
    }

    @Test(arguments: TransportUnderTest.all)
    func aListIsReadOverASocketWhateverFormItsLinksHave(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { request in
            let links: WireFields =
                switch request.target {
                case "/a": ["link": "<z>; rel=prev", "link": #"</b?x=1,2>; title="a, b"; rel="next last""#]
                case "/b?x=1,2": ["LINK": #"<c>; rel="next", </a>; rel=prev"#]
                default: ["Link": "</a>; rel=first"]
                }
            return .respond(headers: links, body: "[1]")
        }
        let pages = try transport.client().pages(URLRequest(url: server.url("/a")).decoded(as: [Int].self))
        expect(try await collect(pages.items), [1, 1, 1])
        expect(server.requests.map(\.target), ["/a", "/b?x=1,2", "/c"])
    }

    @Test func aPageIsRequestedWhenItIsAwaited() async throws {
        transport.on(.get("/v1/items"), Self.page([1, 2], links: "<b>; rel=next"))
        transport.on(.get("/v1/b"), Self.page([3], links: "<c>; rel=next"))
        for try await item in try client.pages(.get(path: "items"), as: [Int].self).items where item == 3 { break }
        expect(targets, ["https://h/v1/items", "https://h/v1/b"])
    }

    @Test(arguments: [
        ("?page=2", "https://user:pw@h/a/list?page=2"), ("two", "https://user:pw@h/a/two"),
        ("../two?x=1&y=a,b", "https://user:pw@h/two?x=1&y=a,b"), ("/two", "https://user:pw@h/two"),
        ("//h/two", "https://h/two"), ("https://H:443/two", "https://H:443/two"),
        ("/ä b", "https://user:pw@h/%C3%A4%20b"),
    ])
    func aRelativeLinkIsResolved(link: String, target: String) async throws {
        transport.on(.any, Self.page([2]))
        transport.on(.get("/a/list"), Self.page([1], links: "<\(link)>; rel=next"), Self.page([2]))
        let request = URLRequest(url: url("https://user:pw@h/a/list"))
        expect(try await collect(client.pages(request.decoded(as: [Int].self)).items), [1, 2])
        expect(targets.last, target)
    }

    @Test func aLinkIsResolvedAgainstTheURLAfterRedirects() async throws {
        transport.on(.get("/v1/items"), .status(301).setting(header: .custom(name: "Location", value: "/v2/all/items")))
        transport.on(.get("/v2/all/items"), Self.page([1], links: "<two>; rel=next"))
        transport.on(.get("/v2/all/two"), Self.page([2]))
        expect(try await collect(client.pages(.get(path: "items"), as: [Int].self).items), [1, 2])
    }

    @Test func aFieldThatCannotBeReadIsAnErrorAfterItsPage() async throws {
        transport.on(.any, Self.page([1], links: "/two; rel=next"))
        var pages = try client.pages(.get(path: "items"), as: [Int].self).makeAsyncIterator()
        expect(try await pages.next()?.item, [1])
        let error = await #expect(throws: NetworkClient.Error.self) { try await pages.next() }
        expect(error?.reason, .malformedResponse)
        expect(transport.requests.count, 1)
    }

    // MARK: - Other rules

    @Test func aURLInThePageLeadsToTheNextOne() async throws {
        transport.on(.get("/v1/items"), .json(List(items: [1], next: url("https://h/v1/items?page=2"))))
        transport.on(.get("/v1/items").query("page"), .json(List(items: [2], next: url("items/"))))
        transport.on(.get("/v1/items/"), .json(List(items: [3])))
        let pages = try client.pages(.get(path: "items"), as: List.self, next: .url { $0.next })
        expect(try await collect(pages.items(\.items)), [1, 2, 3])
    }

    @Test func aCursorReplacesTheQueryItem() async throws {
        transport.on(.get("/v1/items"), .json(List(items: [1], cursor: "b c&d")))
        transport.on(.get("/v1/items").query("after", "b c&d"), .json(List(items: [2], cursor: "")))
        let request = try URLRequest.get(path: "items").add(query: "after", value: "a").add(query: "x", value: 1)
        let pages = client.pages(request, as: List.self, next: .cursor("after") { $0.cursor })
        expect(try await collect(pages.items(\.items)), [1, 2])
        expect(targets.last, "https://h/v1/items?x=1&after=b%20c%26d")
        let since = client.pages(request, as: List.self, next: .cursor("since", \.since))
        expect(try await collect(since).count, 1)
    }

    @Test func aNumberGrowsUntilAPageIsEmpty() async throws {
        let counted: @Sendable (StubTransport.Request) throws -> StubTransport.Response = { request in
            let page = request.queryItems.first { $0.name == "page" }?.value.flatMap { Int($0) } ?? 1
            return Self.page(page < 4 ? [page] : [])
        }
        transport.on(.any) { try counted($0) }
        let pages = try client.pages(.get(path: "items"), as: [Int].self, next: .number("page"))
        expect(try await collect(pages.items), [1, 2, 3])
        let third = try URLRequest.get(path: "items").add(query: "page", value: 3)
        let later = client.pages(third, as: [Int].self, next: .number("page"))
        expect(try await collect(later.items), [3])
        expect(targets.suffix(2), ["https://h/v1/items?page=3", "https://h/v1/items?page=4"])
        let last = NextPage<[Int]>.number("page", isLast: { $0 == [2] })
        expect(try await collect(client.pages(.get(path: "items"), as: [Int].self, next: last).items), [1, 2])
    }

    @Test func anOffsetGrowsByTheLengthOfAPage() async throws {
        transport.on(.any, Self.page([1]), Self.page([2]), Self.page([]))
        let offset = NextPage<[Int]>.number("offset", first: 0, step: 100)
        expect(try await collect(client.pages(.get(path: "items"), as: [Int].self, next: offset).items), [1, 2])
        expect(targets, ["https://h/v1/items", "https://h/v1/items?offset=100", "https://h/v1/items?offset=200"])
    }

    @Test(arguments: ["x", "", "9223372036854775807"])
    func aQueryItemThatIsNoNumberIsAnError(value: String) async throws {
        transport.on(.any, Self.page([1]))
        let request = try URLRequest.get(path: "items").add(query: "page", value: value)
        let pages = client.pages(request, as: [Int].self, next: .number("page"))
        let error = await #expect(throws: NetworkClient.Error.self) { try await collect(pages) }
        expect(error?.reason, .invalidRequest)
        expect(error?.description, contains: "its query item 'page' is not a number to which 1 can be added")
    }

    @Test func aClosureMakesTheNextRequest() async throws {
        transport.on(.post("/v1/search"), .json(List(items: [1], cursor: "b")))
        transport.on(.post("/v1/search").json(["after": "b"]), .json(List(items: [2])))
        let next = NextPage<List> { page, request in
            guard let cursor = page.item.cursor else { return nil }
            var request = request
            request.httpBody = try JSONEncoder().encode(["after": cursor])
            return request
        }
        let first = try URLRequest.post(path: "search").bodyJson(of: ["after": "a"])
        expect(try await collect(client.pages(first, as: List.self, next: next).items(\.items)), [1, 2])
    }

    // MARK: - Endpoints

    private struct Items: Endpoint {
        typealias Response = [Int]
        var page = 1
        var options: CallOptions { CallOptions(acceptedStatuses: [203]) }

        func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
            try builder.get(path: "items").add(query: "page", value: page).build()
        }

        func value(from response: NetworkClient.Response<[Int]>) async throws -> [String] {
            response.item.map { "\(page): \($0)" }
        }
    }

    @Test func anEndpointRequestsTheFirstPageOrEachPage() async throws {
        transport.on(.get("/v1/items").query("page", "1"), Self.page([1], links: "<?page=2>; rel=next", status: 203))
        transport.on(.get("/v1/items").query("page", "2"), Self.page([2], status: 203))
        expect(try await collect(client.pages(Items()).items), ["1: 1", "1: 2"])
        let pages = client.pages(Items()) { $0.item == ["2: 2"] ? nil : Items(page: 2) }
        expect(try await collect(pages.items), ["1: 1", "2: 2"])
    }

    private struct Mock: NetworkClientProtocol {
        func send<E: Endpoint>(_ endpoint: E) async throws -> NetworkClient.Response<E.Value> {
            let page = try #require((endpoint as? Items)?.page)
            return NetworkClient.Response(item: try #require(["\(page)"] as? E.Value), httpResponse: .made())
        }
    }

    @Test func aMockKnowsTheEndpointOfEachPage() async throws {
        let pages = Mock().pages(Items()) { $0.item == ["3"] ? nil : Items(page: Int($0.item[0])! + 1) }
        expect(try await collect(pages.items), ["1", "2", "3"])
    }

    /// A mock whose requests have relative URLs, and whose first one cannot be made.
    private struct Linking: NetworkClientProtocol {
        func send<E: Endpoint>(_ endpoint: E) async throws -> NetworkClient.Response<E.Value> {
            let target = try? endpoint.request(from: request).url?.absoluteString
            let fields = target == "/items" ? ["Link": "</b>; rel=next"] : [:]
            let head = HTTPURLResponse(url: url("https://h/"), statusCode: 200, httpVersion: nil, headerFields: fields)
            let item = try #require([target ?? "none"] as? E.Value)
            return NetworkClient.Response(item: item, httpResponse: try #require(head))
        }
    }

    @Test func aMockWithRelativeURLsFollowsLinks() async throws {
        let pages = try Linking().pages(.get(path: "items"), as: [String].self)
        expect(try await collect(pages.items), ["/items", "https://h/b"])
        let unmade = Linking().pages(try URLRequest.get(path: ""), as: [String].self)
        expect(try await collect(unmade.items), ["none"])
    }

    @Test func aStreamThatWasReadIsNotSentAgain() async throws {
        transport.on(.any, Self.page([1], links: "<b>; rel=next"))
        var request = URLRequest.post(url: url("https://h/a")).noBody().build()
        request.httpBodyStream = InputStream(data: Data("x".utf8))
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await collect(client.pages(request.decoded(as: [Int].self)))
        }
        expect(error?.reason, .bodyNotReplayable)
        expect(transport.requests.count, 1)
    }

    @Test func errorsOfTheRequestAreThoseOfTheFirstPage() async throws {
        let pages = client.pages(try URLRequest.get(path: ""), as: [Int].self)
        await #expect(throws: RequestPathError.self) { try await collect(pages) }
        let request = URLRequest(url: url("/items"))
        let relative = NetworkClient(transport: transport).pages(request.decoded(as: [Int].self))
        await #expect(throws: NetworkClient.Error.self) { try await collect(relative) }
        expect(transport.requests.count, 0)
    }

    // MARK: - Ends

    @Test func aPageThatWasRequestedBeforeIsAnError() async throws {
        transport.on(.get("/v1/a"), Self.page([1], links: "<b>; rel=next"))
        transport.on(.get("/v1/b"), Self.page([2], links: "<a>; rel=next"))
        var items: [Int] = []
        let error = await #expect(throws: NetworkClient.Error.self) {
            for try await item in try client.pages(.get(path: "a"), as: [Int].self).items { items.append(item) }
        }
        expect(items, [1, 2])
        expect(error?.reason, .tooManyPages)
        expect(error?.description, contains: "its next page was requested before")
    }

    @Test func aListWithoutAnEndIsAnError() async throws {
        transport.on(.any, Self.page([1]))
        let pages = try client.pages(.get(path: "a"), as: [Int].self, next: .number("page"), limit: 5)
        let error = await #expect(throws: NetworkClient.Error.self) { try await collect(pages) }
        expect(error?.reason, .tooManyPages)
        expect(error?.description, contains: "it has more than 5 pages")
        expect(transport.requests.count, 5)
    }

    @Test func aPageWhoseCallHasFailedIsRequestedAgain() async throws {
        transport.on(.get("/v1/a"), Self.page([1], links: "<b>; rel=next"))
        transport.on(.get("/v1/b"), .status(500), Self.page([2]))
        var pages = try client.pages(.get(path: "a"), as: [Int].self).makeAsyncIterator()
        expect(try await pages.next()?.item, [1])
        await #expect(throws: NetworkClient.Error.self) { try await pages.next() }
        expect(try await pages.next()?.item, [2])
        expect(try await pages.next()?.item, nil)
        expect(try await pages.next()?.item, nil)
        expect(targets, ["https://h/v1/a", "https://h/v1/b", "https://h/v1/b"])
    }

    @Test func cancelAllEndsASequenceBetweenTwoPages() async throws {
        transport.on(.any, Self.page([1], links: "<b>; rel=next"))
        do {
            var pages = try client.pages(.get(path: "a"), as: [Int].self).makeAsyncIterator()
            expect(try await pages.next()?.item, [1])
            client.cancelAll()
            await #expect(throws: CancellationError.self) { try await pages.next() }
            expect(transport.requests.count, 1)
        }
        expect(client.calls.count, 0)
        expect(try await client.pages(.get(path: "a"), as: [Int].self).first { _ in true }?.item, [1])
    }
}
