import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient
@testable import NetworkUtilities

/// A client with a cache: hits, and the policies of requests.
struct CachingClientTests {
    private let calendar = CacheCalendar()

    private func text(
        _ client: NetworkClient,
        _ url: URL,
        _ change: (inout URLRequest) -> Void = { _ in }
    ) async throws -> NetworkClient.Response<String> {
        var request = URLRequest(url: url)
        change(&request)
        return try await client.fetch(request: request)
    }

    @Test(.spec(261), arguments: TransportUnderTest.all)
    func aHitIsRecordedAsWhatItIsAndIsNoExchange(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { [calendar] _ in calendar.response("tea") }
        let (stream, reports) = (RecordingStream(), Recorder<CallReport>())
        let client = NetworkClient(
            transport: try transport.transport(),
            interceptors: [.retry()],
            logging: .default(logStream: stream),
            configuration: .init(cache: ResponseCache(), time: calendar, observer: { reports.record($0) })
        )
        let first = try await text(client, server.url("/a"))
        let logged = stream.records.count
        calendar.advance(by: 12.5)
        let hit = try await text(client, server.url("/a"))
        #expect(first.cacheStatus == .network && hit.cacheStatus == .fresh && hit.item == "tea")
        expect(hit["age"], "12")
        expect(hit["Date"], first["date"])
        expect(hit.journey.steps.map(\.kind), [.attempt, .decision, .response])
        expect(hit.journey.steps[1].detail, "ResponseCache: a fresh response")
        expect(stream.records.count, logged, "\(stream.records)")
        expect(reports.values.map { $0.response?.cacheStatus }.last ?? nil, .fresh)
        expect(server.requestCount, 1)
        let statistics = ResponseCache.Statistics(hits: 1, misses: 1, stored: 1)
        expect(client.configuration.cache?.statistics.counts, statistics.counts)
    }

    @Test(.spec(261), arguments: TransportUnderTest.all)
    func aHitPassesInterceptorsSharingAndRedirects(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { [calendar] request in
            guard request.path == "/old" else { return calendar.response("tea") }
            return .respond(status: 301, headers: ["Location": "/new", "Cache-Control": "max-age=60"])
        }
        struct Seeing: InterceptorProtocol {
            let statuses = Recorder<Int>()

            func process(
                _ request: URLRequest,
                next: NetworkClient.Next
            ) async throws -> NetworkClient.ChainResult {
                let result = try await next(request)
                statuses.record(result.response.statusCode)
                return result
            }
        }
        let seeing = Seeing()
        let configuration = NetworkClient.Configuration(cache: ResponseCache(), time: calendar)
        let client = try transport.client(interceptors: [seeing], configuration: configuration)
        for _ in 1...3 {
            let response = try await text(client, server.url("/old")) { $0 = $0.withInstanceCaching() }
            #expect(response.item == "tea" && response.metrics?.redirects == 1)
        }
        #expect(seeing.statuses.values == [200, 200, 200] && server.requestCount == 2)
    }

    @Test(.spec(261), arguments: TransportUnderTest.all)
    func aHitStoresNoCookieAgain(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { [calendar] _ in calendar.response("tea", ["Set-Cookie": "sid=1"]) }
        let store = CookieStore()
        let cache = ResponseCache(separatesCookies: false)
        let client = try transport.client(configuration: .init(cookies: store, cache: cache, time: calendar))
        _ = try await text(client, server.url("/a"))
        store.removeAll()
        let hit = try await text(client, server.url("/a"))
        #expect(hit.cacheStatus == .fresh && hit["Set-Cookie"] == nil && store.cookies.isEmpty)
    }

    @Test(.spec(259), arguments: TransportUnderTest.all)
    func streamsAndTransfersNeitherReadNorStore(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { [calendar] _ in calendar.response("tea") }
        let client = try transport.client(configuration: .init(cache: ResponseCache(), time: calendar))
        let request = URLRequest(url: server.url("/a"))
        for _ in 1...2 {
            let stream = try await client.stream(request)
            #expect(try await stream.item.text() == "tea" && stream.cacheStatus == nil)
        }
        let folder = try TemporaryDirectory()
        let download = client.download(request, to: folder.url.appendingPathComponent("tea"))
        #expect(try await download.value.cacheStatus == nil && server.requestCount == 3)
        var options = CallOptions()
        options.decodesBody = false
        let _: NetworkClient.Response<String> = try await client.fetch(request: request, options: options)
        #expect(try await text(client, server.url("/a")).cacheStatus == .network && server.requestCount == 5)
    }

    // MARK: - Policies

    /// The cache policy, whether the stored response is fresh, and the status that results; nil for an error.
    private static let policies: [(URLRequest.CachePolicy, Bool, CacheStatus?)] = [
        (.useProtocolCachePolicy, true, .fresh), (.useProtocolCachePolicy, false, .revalidated),
        (.reloadIgnoringLocalCacheData, true, .network), (.reloadIgnoringLocalCacheData, false, .network),
        (.reloadIgnoringLocalAndRemoteCacheData, true, .network), (.reloadRevalidatingCacheData, true, .revalidated),
        (.reloadRevalidatingCacheData, false, .revalidated), (.returnCacheDataElseLoad, true, .fresh),
        (.returnCacheDataElseLoad, false, .stale), (.returnCacheDataDontLoad, true, .fresh),
        (.returnCacheDataDontLoad, false, .stale),
    ]

    @Test(.spec(275), arguments: TransportUnderTest.all, policies)
    func aCachePolicyMeansTheSameOnEveryTransport(
        transport: TransportUnderTest,
        row: (policy: URLRequest.CachePolicy, isFresh: Bool, status: CacheStatus?)
    ) async throws {
        let server = try LoopbackServer { [calendar] request in
            if request.value(forHeader: "If-None-Match") == "\"1\"" { return .respond(status: 304) }
            return calendar.response("tea", ["ETag": "\"1\""])
        }
        let client = try transport.client(configuration: .init(cache: ResponseCache(), time: calendar))
        _ = try await text(client, server.url("/a"))
        calendar.advance(by: row.isFresh ? 1 : 100)
        let response = try await text(client, server.url("/a")) { $0.cachePolicy = row.policy }
        #expect(response.cacheStatus == row.status && response.item == "tea" && response.statusCode == 200)
        let isSent = row.status == .network || row.status == .revalidated
        expect(server.requestCount, isSent ? 2 : 1)
        let isForced = row.policy == .reloadIgnoringLocalAndRemoteCacheData
        #if os(Linux)
        expect(server.requests.last?.value(forHeader: "Cache-Control"), isForced ? "no-cache" : nil)
        #endif
        expect(server.requests.last?.value(forHeader: "If-None-Match"), row.status == .revalidated ? "\"1\"" : nil)
        // What was loaded is stored, and is fresh.
        if isSent { #expect(try await text(client, server.url("/a")).cacheStatus == .fresh) }
    }

    @Test(.spec(275), arguments: TransportUnderTest.all)
    func aCallThatWantsOnlyAStoredResponseFailsWithoutOne(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { [calendar] _ in calendar.response("tea") }
        let client = try transport.client(
            interceptors: [.retry()],
            configuration: .init(cache: ResponseCache(), time: calendar)
        )
        _ = try await text(client, server.url("/a"))
        calendar.advance(by: 100)
        let changes: [(String, @Sendable (inout URLRequest) -> Void)] = [
            ("/b", { $0.cachePolicy = .returnCacheDataDontLoad }),
            ("/b", { $0.setValue("only-if-cached", forHTTPHeaderField: "Cache-Control") }),
            ("/a", { $0.setValue("only-if-cached", forHTTPHeaderField: "Cache-Control") }),
            ("/a", { ($0.httpMethod, $0.cachePolicy) = ("POST", .returnCacheDataDontLoad) }),
        ]
        for (path, change) in changes {
            let error = await #expect(throws: NetworkClient.Error.self) {
                try await text(client, server.url(path), change)
            }
            guard case .requestError(let failure)? = error else {
                return #expect(Bool(false), "\(String(describing: error))")
            }
            expect(failure.reason, .notInCache)
            let sentence = "it accepts only a stored response, and there is none"
            expect(failure.description, "The request to '\(server.url(path).absoluteString)' failed: \(sentence).")
        }
        let stored = try await text(client, server.url("/a")) {
            $0.setValue("only-if-cached, max-stale=100", forHTTPHeaderField: "Cache-Control")
        }
        #expect(stored.cacheStatus == .stale && server.requestCount == 1)
    }
}

extension ResponseCache.Statistics {
    init(hits: Int = 0, revalidations: Int = 0, misses: Int = 0, stored: Int = 0) {
        self.init()
        (self.hits, self.revalidations, self.misses, self.stored) = (hits, revalidations, misses, stored)
    }

    /// All numbers but the bytes.
    var counts: [Int] { [hits, revalidations, misses, stored] }
}
