import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

private struct Item: Codable, Equatable, Sendable {
    var id: Int
}

/// State that only the main actor can read.
@MainActor private final class ItemsModel {
    private var page = 2
    private let client: NetworkClient

    init(client: NetworkClient) {
        self.client = client
    }

    func load() async throws -> [Item] {
        try await client.fetch(.get(path: "items").add(query: "page", value: page), as: [Item].self).item
    }
}

/// A client that only passes endpoints on, and has the default builder.
private struct Wrapper: NetworkClientProtocol {
    let client: NetworkClient

    func send<E: Endpoint>(_ endpoint: E) async throws -> NetworkClient.Response<E.Value> {
        try await client.send(endpoint)
    }
}

struct RequestBuilderSendingTests {
    private let transport = StubTransport()
    private let reports = Recorder<CallReport>()

    private func client(baseURL: URL? = url("https://api.example.com/v1"), _ logging: any NetworkLogger = .off)
        -> NetworkClient
    {
        NetworkClient(
            transport: transport,
            logging: logging,
            configuration: .init(baseURL: baseURL, encoders: .init(encoder: FixedEncoder())) { [reports] in
                reports.record($0)
            }
        )
    }

    private var sent: [String] { transport.requests.map { "\($0.method) \($0.url.absoluteString)" } }

    @Test(.spec(140)) func aRequestThatIsWrittenInAFetchHasTheBaseURLOfTheClient() async throws {
        transport.on(.any, .json([Item(id: 1)]))
        let client = client()
        let items = try await client.fetch(.get(path: "items").add(query: "page", value: 1), as: [Item].self).item
        let same: [Item] = try await client.fetch(.get(path: "/items").set(header: .accept(type: .json))).item
        expectAll((items, same), ([Item(id: 1)], items))
        expect(sent, ["GET https://api.example.com/v1/items?page=1", "GET https://api.example.com/v1/items"])
        expect(transport.requests.last?[header: "Accept"], "application/json")
    }

    @Test func everyMethodCanBeginTheRequestOfAFetch() async throws {
        transport.on(.any, .status(200))
        let client = client()
        try await client.fetch(.get(path: "a"))
        try await client.fetch(.head(path: "a"))
        try await client.fetch(.delete(path: "a"))
        try await client.fetch(.options(path: "a"))
        try await client.fetch(.post(path: "a").noBody())
        try await client.fetch(.put(path: "a").noBody())
        try await client.fetch(.patch(path: "a").noBody())
        try await client.fetch(.method(HTTPMethod("PROPFIND"), path: "a").noBody())
        let methods = ["GET", "HEAD", "DELETE", "OPTIONS", "POST", "PUT", "PATCH", "PROPFIND"]
        expect(sent, methods.map { "\($0) https://api.example.com/v1/a" })
    }

    @Test func dictionariesAndBlocksGiveTheSameRequest() async throws {
        transport.on(.any, .status(200))
        let client = client()
        let query = ["q": 2, "p": nil]
        let fields = ["Accept": "application/json", "X-A": nil, "X-B": "c"]
        try await client.fetch(.get(path: "a").query(query).headers(fields))
        try await client.fetch(.get(path: "a").query(["q": 2]).headers(["Accept": "application/json", "X-B": "c"]))
        try await client.fetch(
            .get(path: "a").query {
                query
                QueryItem("r", value: Int?.none)
            }.headers {
                HeaderField.accept(type: .json)
                ["X-B": "c"]
            }
        )
        expect(Set(sent), ["GET https://api.example.com/v1/a?q=2"])
        expect(Set(transport.requests.map(\.headers)).count, 1)
        expect(transport.requests.last?.headers["X-B"], "c")
    }

    @Test func aFetchTakesCompleteURLsAndTextsOfThem() async throws {
        transport.on(.any, .status(200))
        let client = client(baseURL: nil)
        let there = url("https://example.org/a?b=c")
        try await client.fetch(.get(url: there))
        try await client.fetch(.get(http: "https://example.org/a?b=c"))
        try await client.fetch(.head(url: there))
        try await client.fetch(.head(http: "https://example.org/a?b=c"))
        try await client.fetch(.delete(url: there))
        try await client.fetch(.delete(http: "https://example.org/a?b=c"))
        try await client.fetch(.options(url: there))
        try await client.fetch(.options(http: "https://example.org/a?b=c"))
        try await client.fetch(.post(url: there).noBody())
        try await client.fetch(.post(http: "https://example.org/a?b=c").noBody())
        try await client.fetch(.put(url: there).noBody())
        try await client.fetch(.put(http: "https://example.org/a?b=c").noBody())
        try await client.fetch(.patch(url: there).noBody())
        try await client.fetch(.patch(http: "https://example.org/a?b=c").noBody())
        try await client.fetch(.method(HTTPMethod("PROPFIND"), url: there).noBody())
        try await client.fetch(.method(HTTPMethod("PROPFIND"), http: "https://example.org/a?b=c").noBody())
        let methods = ["GET", "HEAD", "DELETE", "OPTIONS", "POST", "PUT", "PATCH", "PROPFIND"]
        let lines: [String] = methods.map { "\($0) https://example.org/a?b=c" }
        expect(sent, lines.flatMap { [$0, $0] })
    }

    @Test(arguments: ["", "api.example.com", "ftp://example.com", "https://", "https://a b"])
    func aTextThatIsNoURLFailsTheCallAndNothingIsSent(text: String) async throws {
        await #expect(throws: HTTPURLError.self) { try await client().fetch(.get(http: text)) }
        expectAll((transport.requests.count, reports.values.map { $0.error is HTTPURLError }), (0, [true]))
    }

    @Test func aBodyThatIsWrittenInACallIsEncodedByTheClient() async throws {
        transport.on(.any, .json(Item(id: 1)))
        let client = client()
        let item = Item(id: 1)
        _ = try await client.fetch(.post(path: "items").bodyJson(of: item), as: Item.self)
        _ = try await client.fetch(.post(http: "https://example.org").bodyJson(of: item), as: Item.self)
        _ = try await client.upload(.post(path: "items").bodyJson(of: item), as: Item.self).value
        let existential: any NetworkClientProtocol = client
        _ = try await existential.fetch(.post(path: "items").bodyJson(of: item), as: Item.self)
        expect(transport.requests.map { String(decoding: $0.body, as: UTF8.self) }, ["[7]", "[7]", "[7]", "[7]"])
    }

    @Test(.spec(92)) func aCallIsReportedOnceFromTheBuildingOfItsRequest() async throws {
        transport.on(.any, .text("not JSON"))
        let client = client()
        try await client.fetch(.get(path: "items"))
        await #expect(throws: NetworkClient.Error.self) { try await client.fetch(.get(path: "items"), as: Item.self) }
        await #expect(throws: RequestPathError.self) { try await client.fetch(.get(path: "\("")"), as: Item.self) }
        expect(transport.requests.count, 2)
        expect(reports.values.map { $0.error == nil }, [true, false, false])
        let last = try #require(reports.values.last)
        #expect(last.error is RequestPathError && last.request.url == nil)
        expect(reports.values.first?.request.url?.absoluteString, "https://api.example.com/v1/items")
    }

    @Test(.spec(153)) func aRequestThatCannotBeBuiltIsLoggedOnce() async throws {
        let stream = RecordingStream()
        let client = client(.default(logLevel: .status, logStream: stream))
        await #expect(throws: RequestPathError.self) { try await client.fetch(.get(path: "\("")")) }
        expect(stream.messages.count, 1)
    }

    @Test func aBodyThatCannotBeEncodedIsAnErrorOfTheClientInEachKindOfCall() async throws {
        let client = NetworkClient(transport: transport, configuration: .init(baseURL: url("https://api.example.com")))
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file")
        func isEncodingError(_ call: () async throws -> Void) async -> Bool {
            do { try await call() } catch NetworkClient.Error.encodingError { return true } catch {}
            return false
        }
        #expect(await isEncodingError { try await client.fetch(.post(path: "a").bodyJson(of: Double.nan)) })
        #expect(await isEncodingError { _ = try await client.stream(.post(path: "a").bodyJson(of: Double.nan)) })
        #expect(await isEncodingError { _ = try await client.upload(.post(path: "a").bodyJson(of: Double.nan)).value })
        #expect(
            await isEncodingError {
                _ = try await client.download(.post(path: "a").bodyJson(of: Double.nan), to: file).value
            }
        )
        #expect(transport.requests.isEmpty && !FileManager.default.fileExists(atPath: file.path))
    }

    @Test func aRequestMayUseTheStateOfTheActorThatWritesIt() async throws {
        transport.on(.any, .json([Item(id: 1)]))
        expect(try await ItemsModel(client: client()).load(), [Item(id: 1)])
        expect(sent, ["GET https://api.example.com/v1/items?page=2"])
    }

    @Test(arguments: TransportUnderTest.all)
    func aRequestThatIsWrittenInACallIsUploadedStreamedAndDownloaded(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .json("7") }
        let client = try transport.client(configuration: .init(baseURL: server.url))
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file")
        let uploaded = try await client.upload(.put(path: "a").bodyText("text"), as: Int.self).value
        expect(uploaded.item, 7)
        expect(try await client.upload(.put(path: "a").bodyText("text")).value.statusCode, 200)
        let stream = try await client.stream(.get(path: "b").query { QueryItem("q", value: 1) })
        expect(try await stream.item.data(), Data("7".utf8))
        expect(try await client.fetch(.get(path: "d"), as: Int.self).item, 7)
        expect(try await client.download(.get(path: "c"), to: file).value.item, file)
        expect(try Data(contentsOf: file), Data("7".utf8))
        let targets = server.requests.map { "\($0.method) \($0.target)" }
        expect(targets, ["PUT /a", "PUT /a", "GET /b?q=1", "GET /d", "GET /c"])
    }

    @Test func blocksFollowABareVerbInEveryKindOfCall() async throws {
        transport.on(.any, .json(7))
        let client = client()
        let existential: any NetworkClientProtocol = client
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file")
        func q(_ page: Int?) -> QueryItem { QueryItem("q", value: page) }
        let pages = [1, 2]
        _ = try await client.fetch(.get(path: "a").query { for page in pages { q(page) } }, as: Int.self)
        _ = try await existential.fetch(.get(path: "a").query { if pages.isEmpty { q(0) } else { q(3) } }, as: Int.self)
        try await existential.fetch(.delete(http: "https://example.org/a").query { q(4) })
        _ = try await client.stream(.get(url: url("https://example.org/a")).query { q(5) })
        _ = try await client.upload(.post(path: "a").bodyText("t").query { q(6) }, as: Int.self).value
        _ = try await client.upload(.post(path: "a").bodyText("t").query { q(7) }).value
        _ = try await client.download(.get(path: "a").query { q(8) }, to: file).value
        await client.start(try .get(path: "a").query { q(9) }, as: Int.self) { _ in }.value
        expect(
            sent,
            [
                "GET https://api.example.com/v1/a?q=1&q=2", "GET https://api.example.com/v1/a?q=3",
                "DELETE https://example.org/a?q=4", "GET https://example.org/a?q=5",
                "POST https://api.example.com/v1/a?q=6", "POST https://api.example.com/v1/a?q=7",
                "GET https://api.example.com/v1/a?q=8", "GET https://api.example.com/v1/a?q=9",
            ]
        )
    }

    @Test func aCallWithAClosureTakesARequestThatIsWrittenInIt() async throws {
        transport.on(.any, .json(Item(id: 1)))
        let client = client()
        let good = Recorder<Item?>()
        try await client.start(.get(path: "items/1"), as: Item.self) { good.record(try? $0.get().item) }.value
        try await client.start(.get(path: "items/\("")"), as: Item.self) { good.record(try? $0.get().item) }.value
        expect(good.values, [Item(id: 1), nil])
    }

    @Test func aMockGetsTheRequestThatIsWrittenInACall() async throws {
        transport.on(.any, .json(Item(id: 1)))
        let wrapper: any NetworkClientProtocol = Wrapper(client: client())
        expect(try await wrapper.fetch(.get(path: "items/1"), as: Item.self).item, Item(id: 1))
        expect(try await wrapper.fetch(.delete(path: "items/1")).statusCode, 200)
        expect(sent, ["GET https://api.example.com/v1/items/1", "DELETE https://api.example.com/v1/items/1"])
    }

    @Test func aBareVerbOutsideACallMakesARelativeURL() async throws {
        let request = try URLRequest.QueryBuilder.get(path: "items").build()
        expect(request.url?.absoluteString, "/items")
        transport.on(.any, .status(200))
        try await client().fetch(request: request)
        expect(sent, ["GET https://api.example.com/v1/items"])
        await #expect(throws: NetworkClient.Error.self) { try await client(baseURL: nil).fetch(.get(path: "items")) }
    }
}

/// Encodes every value as the same text, so that a body shows whose encoder made it.
struct FixedEncoder: JSONDataEncoder {
    func encode<Value: Encodable>(_ value: Value) throws -> Data { Data("[7]".utf8) }
}
