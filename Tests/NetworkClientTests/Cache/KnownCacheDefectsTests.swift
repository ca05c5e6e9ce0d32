import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient
@testable import NetworkUtilities

/// Defects that other caches had, by the names under which they were reported, and behaviours that OkHttp tests.
///
/// Others stand where their rules are tested: CVE-2026-93748 and `private=""` of CVE-2026-13697 in
/// ``CachedPersonsTests``, harp#906 and ktor KTOR-8838 in ``StaleResponsesTests``.
struct KnownCacheDefectsTests {
    private let calendar = CacheCalendar()

    private func text(
        _ client: NetworkClient,
        _ url: URL,
        _ fields: [String: String] = [:],
        method: String = "GET"
    ) async throws -> NetworkClient.Response<String> {
        var request = URLRequest(url: url)
        request.httpMethod = method
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return try await client.fetch(request: request)
    }

    private func client(_ transport: TransportUnderTest? = nil) throws -> NetworkClient {
        let cache = ResponseCache()
        let configuration = NetworkClient.Configuration(
            acceptedStatuses: .all,
            redirects: .never,
            cache: cache,
            time: calendar
        )
        return try transport?.client(configuration: configuration) ?? NetworkClient(configuration: configuration)
    }

    /// CVE-2026-13697: a field crashed the parser, or its flaw made a private response a shared one.
    @Test(
        .spec(260),
        arguments: [
            "public, max-age=60, private=\"", "public, max-age=60, private=\"\\", "public, max-age=60, private==\"\"",
            "private=\"a\"b, public, max-age=60", "public;private, max-age=60, private",
            "=, \"\", public, private, max-age=60",
            "public, max-age=60, no-cache=\"", "public, max-age=60, =private, private = x",
        ]
    )
    func aMalformedFieldNeitherCrashesNorShares(control: String) async throws {
        let server = try LoopbackServer { [calendar] request in
            calendar.response(request.value(forHeader: "X-API-Key") ?? "", control: control)
        }
        let client = try client()
        for name in ["ada", "bob"] { expect(try await text(client, server.url, ["X-API-Key": name]).item, name) }
    }

    /// undici#4911: the cache looked for `Authorization` in the response.
    @Test(.spec(260)) func thePersonIsThatOfTheRequest() async throws {
        let server = try LoopbackServer { [calendar] request in
            calendar.response(request.value(forHeader: "Authorization") ?? "nobody", ["Authorization": "Bearer a"])
        }
        let client = try client()
        expect(try await text(client, server.url, ["Authorization": "Bearer a"]).item, "Bearer a")
        expect(try await text(client, server.url, ["Authorization": "Bearer b"]).item, "Bearer b")
        expect(try await text(client, server.url).item, "nobody")
        expect(try await text(client, server.url, ["Authorization": "Bearer a"]).cacheStatus, .fresh)
    }

    /// undici#5508: a stale response was used in spite of `must-revalidate`.
    @Test(.spec(259), arguments: TransportUnderTest.all, ["must-revalidate", "no-cache", "no-cache=\"x\""])
    func whatMustBeValidatedIsNeverUsedStale(transport: TransportUnderTest, directive: String) async throws {
        let isDown = Locked(false)
        let server = try LoopbackServer { [calendar] _ in
            let windows = "stale-while-revalidate=600, stale-if-error=600"
            guard !isDown.withLock({ $0 }) else { return .respond(status: 503) }
            return calendar.response("tea", ["ETag": "\"1\""], control: "max-age=60, \(windows), \(directive)")
        }
        let client = try client(transport)
        _ = try await text(client, server.url)
        isDown.withLock { $0 = true }
        calendar.advance(by: 100)
        for control in ["max-stale", "max-stale=600", "stale-if-error=600"] {
            expect(try await text(client, server.url, ["Cache-Control": control]).statusCode, 503)
        }
        expect(server.requestCount, 4)
    }

    /// The statuses of undici#4334 and of OkHttp's tests that are stored only with a lifetime; 206 never is.
    @Test(
        .spec(259),
        arguments: [
            (200, true, true), (206, false, false), (302, false, true), (303, false, true), (307, false, true),
            (201, false, true), (202, false, true), (205, false, true), (207, false, true), (305, false, true),
            (400, false, true), (401, false, false), (403, false, true), (404, true, true), (407, false, false),
            (408, false, true), (412, false, true), (429, false, true), (500, false, true), (599, false, true),
            (301, true, true), (308, true, true), (410, true, true),
        ]
    )
    func aStatusIsStoredByItself(row: (status: Int, byItself: Bool, withALifetime: Bool)) async throws {
        for (control, isStored) in [("", row.byItself), ("max-age=60", row.withALifetime)] {
            let transport = ClosureTransport { request, _ in
                let fields = ["ETag": "\"1\"", "Cache-Control": control].filter { !$0.value.isEmpty }
                return TransportResponse(response: .made(row.status, headers: fields), data: Data("a".utf8))
            }
            let cache = ResponseCache()
            let configuration = NetworkClient.Configuration(
                acceptedStatuses: .all,
                redirects: .never,
                cache: cache,
                time: calendar
            )
            let client = NetworkClient(transport: transport, configuration: configuration)
            _ = try await text(client, url("https://h.example/a"))
            expect(cache.statistics.stored, isStored ? 1 : 0, "\(row.status) \(control)")
        }
    }

    /// Meziantou#1920, first: a HEAD was stored, whose empty body a GET got; fifth: a response that replaced a stored
    /// one was born with the age of that one.
    @Test(.spec(259), arguments: TransportUnderTest.all)
    func aHeadIsNotStoredAndAReplacementIsYoung(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { [calendar] request in
            let number = request.value(forHeader: "If-None-Match") == nil ? 1 : 2
            return calendar.response("tea \(number)", ["ETag": "\"\(number)\""])
        }
        let client = try client(transport)
        #expect(try await text(client, server.url, method: "HEAD").item.isEmpty)
        let first = try await text(client, server.url)
        #expect(first.item == "tea 1" && first.cacheStatus == .network)
        calendar.advance(by: 1_000)
        #expect(try await text(client, server.url).item == "tea 2")
        calendar.advance(by: 59)
        let second = try await text(client, server.url)
        #expect(second.item == "tea 2" && second.cacheStatus == .fresh && second["Age"] == "59")
    }

    /// Meziantou#1920, second and third: the request that validates had lost settings of the caller's request; fourth:
    /// conditions of the caller got a stored response, or were sent twice.
    @Test(.spec(259)) func aRequestThatValidatesIsTheCallersRequest() async throws {
        let sent = Recorder<URLRequest>()
        let transport = ClosureTransport { [calendar] request, _ in
            sent.record(request)
            let fields = [
                "ETag": "\"1\"", "Cache-Control": "max-age=60", "Date": HTTPDate.text(of: calendar.date) ?? "",
            ]
            let isConfirmed = request.value(forHTTPHeaderField: "If-None-Match") != nil
            return TransportResponse(response: .made(isConfirmed ? 304 : 200, headers: fields))
        }
        let configuration = NetworkClient.Configuration(acceptedStatuses: .all, cache: ResponseCache(), time: calendar)
        let client = NetworkClient(transport: transport, configuration: configuration)
        var request = URLRequest(url: url("https://h.example/a"), timeoutInterval: 17)
        request.setValue("b", forHTTPHeaderField: "X-A")
        for _ in 1...2 {
            _ = try await client.fetch(request: request) as NetworkClient.Response<Data>
            calendar.advance(by: 100)
        }
        expect(sent.values.map(\.timeoutInterval), [17, 17])
        expect(sent.values.map { $0.value(forHTTPHeaderField: "X-A") }, ["b", "b"])
        expect(sent.values[1].value(forHTTPHeaderField: "If-None-Match"), "\"1\"")
        calendar.advance(by: -90)
        request.setValue("\"7\"", forHTTPHeaderField: "If-None-Match")
        let response: NetworkClient.Response<Data> = try await client.fetch(request: request)
        #expect(response.statusCode == 304 && response.cacheStatus == nil)
        expect(sent.values.last?.value(forHTTPHeaderField: "If-None-Match"), "\"7\"")
    }

    /// Meziantou#2906: responses with `Vary: *` took room, and no request could select them.
    @Test(.spec(259)) func whatNoRequestSelectsTakesNoRoom() async throws {
        let server = try LoopbackServer { [calendar] request in
            calendar.response("tea", request.path == "/b" ? ["Vary": "A, *"] : ["Vary": "*"])
        }
        let client = try client()
        for path in ["/a", "/b"] { _ = try await text(client, server.url(path)) }
        let statistics = client.configuration.cache?.statistics
        #expect(statistics?.stored == 0 && statistics?.bytes == 0)
    }

    /// A caller who wants nothing from the cache gets the error of the server, not what is stored.
    @Test(
        .spec(275),
        arguments: [
            URLRequest.CachePolicy.reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData,
        ]
    )
    func aPolicyThatIgnoresTheCacheGetsTheError(policy: URLRequest.CachePolicy) async throws {
        let isDown = Locked(false)
        let server = try LoopbackServer { [calendar] _ in
            guard !isDown.withLock({ $0 }) else { return .respond(status: 503) }
            return calendar.response("tea", control: "max-age=60, stale-if-error=600")
        }
        let client = try client()
        _ = try await text(client, server.url)
        isDown.withLock { $0 = true }
        for seconds in [0.0, 100] {
            calendar.advance(by: seconds)
            var request = URLRequest(url: server.url)
            request.cachePolicy = policy
            let response: NetworkClient.Response<String> = try await client.fetch(request: request)
            expect(response.statusCode, 503)
        }
    }

    /// OkHttp: a 304 counts as one revalidation, and a response that replaces the stored one as a miss.
    @Test(.spec(261)) func theStatisticsCountEachCallOnce() async throws {
        let version = Locked(1)
        let server = try LoopbackServer { [calendar] request in
            let tag = "\"\(version.withLock { $0 })\""
            if request.value(forHeader: "If-None-Match") == tag { return .respond(status: 304) }
            return calendar.response("tea", ["ETag": tag])
        }
        let client = try client()
        for (seconds, newVersion) in [(0.0, 1), (10, 1), (100, 1), (100, 2), (10, 2)] {
            calendar.advance(by: seconds)
            version.withLock { $0 = newVersion }
            _ = try await text(client, server.url)
        }
        let statistics = ResponseCache.Statistics(hits: 2, revalidations: 1, misses: 2, stored: 1)
        expect(client.configuration.cache?.statistics.counts, statistics.counts)
        _ = try await text(client, server.url, method: "POST")
        expect(client.configuration.cache?.statistics.counts, [2, 1, 2, 0])
    }

    /// OkHttp: an interim response is not stored, and does not keep the final one from being stored.
    @Test(.spec(259), arguments: TransportUnderTest.all)
    func aFinalResponseAfterAnInterimOneIsStored(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { [calendar] _ in
            let interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\nCache-Control: no-store\r\n\r\n"
            return [.send(interim), calendar.response("tea")]
        }
        let client = try client(transport)
        for status in [CacheStatus.network, .fresh] {
            let response = try await text(client, server.url)
            #expect(response.item == "tea" && response.cacheStatus == status && response["Link"] == nil)
        }
    }
}
