import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient
@testable import NetworkUtilities

/// What a 304 confirms, and what it does not (RFC 9111 §4.3.4).
struct ConfirmedResponsesTests {
    private let calendar = CacheCalendar()

    private static let (day, nextDay) = ("Fri, 15 Jan 2027 08:00:00 GMT", "Sat, 16 Jan 2027 08:00:00 GMT")

    /// The validators of the stored response, those of the 304, and whether it confirms what is stored.
    private static let validators: [([String: String], [String: String], Bool)] = [
        (["ETag": "\"1\""], ["ETag": "\"1\""], true), (["ETag": "\"1\""], [:], true),
        (["ETag": "\"1\""], ["ETag": "W/\"1\""], true), (["ETag": "W/\"1\""], ["ETag": "W/\"1\""], true),
        (["ETag": "W/\"1\""], ["ETag": "\"1\""], true), (["ETag": "\"1\""], ["ETag": "\"2\""], false),
        (["ETag": "\"1\""], ["ETag": "W/\"2\""], false), (["ETag": "W/\"1\""], ["ETag": "w/\"1\""], false),
        (["ETag": "\"1\""], ["ETag": ""], false),
        (["Last-Modified": day], ["Last-Modified": day], true), (["Last-Modified": day], [:], true),
        (["Last-Modified": day], ["Last-Modified": nextDay], false), (["Last-Modified": day], ["ETag": "\"1\""], false),
        (["ETag": "\"1\"", "Last-Modified": day], ["ETag": "\"1\"", "Last-Modified": nextDay], true),
        (["ETag": "\"1\"", "Last-Modified": day], ["ETag": "\"2\"", "Last-Modified": day], false),
    ]

    @Test(.spec(259), arguments: validators)
    func a304ConfirmsOnlyTheResponseWithItsValidator(
        row: (stored: [String: String], confirming: [String: String], confirms: Bool)
    ) async throws {
        let transport = ClosureTransport { request, _ in
            let names = ["If-None-Match", "If-Modified-Since"]
            let isConditional = names.contains { request.value(forHTTPHeaderField: $0) != nil }
            let fields = isConditional ? row.confirming : row.stored.merging(["Cache-Control": "max-age=60"]) { $1 }
            let head = HTTPURLResponse.made(isConditional ? 304 : 200, headers: fields)
            return TransportResponse(response: head, data: Data("tea".utf8))
        }
        let client = NetworkClient(transport: transport, configuration: .init(cache: ResponseCache(), time: calendar))
        let request = URLRequest(url: url("https://h.example/a"))
        _ = try await client.fetch(request: request) as NetworkClient.Response<String>
        calendar.advance(by: 100)
        let response: NetworkClient.Response<String> = try await client.fetch(request: request)
        #expect(response.item == "tea" && response.cacheStatus == (row.confirms ? .revalidated : .network))
        let last: NetworkClient.Response<String> = try await client.fetch(request: request)
        expect(last.cacheStatus, .fresh)
    }

    @Test(.spec(259)) func a304WithoutACauseIsPassedOnAndNotStored() async throws {
        let count = Locked(0)
        let transport = ClosureTransport { _, _ in
            count.withLock { $0 += 1 }
            return TransportResponse(response: .made(304, headers: ["Cache-Control": "max-age=60"]))
        }
        let client = NetworkClient(transport: transport, configuration: .init(cache: ResponseCache(), time: calendar))
        for _ in 1...2 {
            await #expect(throws: NetworkClient.Error.self) {
                try await client.fetch(request: URLRequest(url: url("https://h.example/a")))
                    as NetworkClient.Response<String>
            }
        }
        #expect(count.withLock { $0 } == 2 && client.configuration.cache?.statistics.stored == 0)
    }

    /// The `ETag` of a 304 to a request for a third variant, and the body that is returned.
    @Test(
        .spec(259),
        arguments: [("\"de\"", "de"), ("\"en\"", "en"), ("W/\"en\"", "en"), ("\"it\"", "fr"), ("", "fr")]
    )
    func a304ChoosesAmongTheVariants(row: (tag: String, body: String)) async throws {
        let transport = ClosureTransport { request, _ in
            let language = request.value(forHTTPHeaderField: "Accept-Language") ?? ""
            let known = language == "fr" ? request.value(forHTTPHeaderField: "If-None-Match") : nil
            var fields = ["Vary": "Accept-Language", "Cache-Control": "max-age=60", "ETag": "\"\(language)\""]
            if known != nil { fields["ETag"] = row.tag.isEmpty ? nil : row.tag }
            if let known { expect(Set(known.components(separatedBy: ", ")), ["\"de\"", "\"en\""]) }
            let head = HTTPURLResponse.made(known == nil ? 200 : 304, headers: fields)
            return TransportResponse(response: head, data: Data(language.utf8))
        }
        let client = NetworkClient(transport: transport, configuration: .init(cache: ResponseCache(), time: calendar))
        func body(_ language: String) async throws -> String {
            var request = URLRequest(url: url("https://h.example/a"))
            request.setValue(language, forHTTPHeaderField: "Accept-Language")
            let response: NetworkClient.Response<String> = try await client.fetch(request: request)
            return response.item
        }
        for language in ["de", "en"] { expect(try await body(language), language) }
        expect(try await body("fr"), row.body)
        for (language, known) in [("fr", row.body), ("de", "de"), ("en", "en")] {
            expect(try await body(language), known)
        }
    }

    /// The `Cache-Control` of a 304 to one person, whether that person gets the response again without the server, and
    /// whose response another person gets.
    @Test(
        .spec(260),
        arguments: [
            ("public, max-age=60", true, "ada"), ("private, max-age=60", true, "eve"), ("max-age=60", true, "eve"),
            ("no-store", false, "bob"), ("public, no-cache", false, "eve"),
        ]
    )
    func a304MayTakeAPublicResponseFromTheOthers(row: (control: String, isKept: Bool, other: String)) async throws {
        let server = try LoopbackServer { [calendar] request in
            let name = request.value(forHeader: "X-API-Key") ?? ""
            let isKnown = request.value(forHeader: "If-None-Match") != nil
            guard isKnown else { return calendar.response(name, ["ETag": "\"1\""], control: "public, max-age=60") }
            return .respond(status: 304, headers: ["ETag": "\"1\"", "Cache-Control": row.control])
        }
        let client = NetworkClient(configuration: .init(cache: ResponseCache(), time: calendar))
        func response(_ name: String) async throws -> NetworkClient.Response<String> {
            var request = URLRequest(url: server.url)
            request.setValue(name, forHTTPHeaderField: "X-API-Key")
            return try await client.fetch(request: request)
        }
        _ = try await response("ada")
        calendar.advance(by: 100)
        expect(try await response("bob").cacheStatus, .revalidated)
        expect(try await response("bob").cacheStatus == .fresh, row.isKept)
        expect(try await response("eve").item, row.other)
    }

    /// Whether the stored response, and the 304, are coded with gzip.
    @Test(.spec(259), arguments: TransportUnderTest.all, [(true, true), (true, false), (false, true)])
    func aCodingOnEitherSideOfA304LeavesTheBodyDecoded(
        transport: TransportUnderTest,
        isCoded: (stored: Bool, confirming: Bool)
    ) async throws {
        let server = try LoopbackServer { [calendar] request in
            let isKnown = request.value(forHeader: "If-None-Match") != nil
            let hasCoding = isKnown ? isCoded.confirming : isCoded.stored
            let coding: WireFields = hasCoding ? ["Content-Encoding": "gzip"] : [:]
            let fields = WireFields(coding + [WireField(name: "ETag", value: "W/\"1\"")])
            if isKnown { return .respond(status: 304, headers: fields) }
            guard isCoded.stored else { return calendar.response("tea", fields) }
            let control = [WireField(name: "Cache-Control", value: "max-age=60")]
            return .respond(headers: WireFields(fields + control), body: Gzip.stored("tea"))
        }
        let client = try transport.client(configuration: .init(cache: ResponseCache(), time: calendar))
        let request = URLRequest(url: server.url)
        for status in [CacheStatus.network, .revalidated, .revalidated] {
            let response: NetworkClient.Response<String> = try await client.fetch(request: request)
            #expect(response.item == "tea" && response.cacheStatus == status && response["Content-Encoding"] == nil)
            calendar.advance(by: 100)
        }
    }

    @Test(.spec(259), arguments: TransportUnderTest.all)
    func aCookieOfA304IsStoredOnce(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { [calendar] request in
            let isKnown = request.value(forHeader: "If-None-Match") != nil
            let fields: WireFields = ["ETag": "\"1\"", "Set-Cookie": isKnown ? "sid=2" : "sid=1"]
            return isKnown ? .respond(status: 304, headers: fields) : calendar.response("tea", fields)
        }
        let store = CookieStore()
        let cache = ResponseCache(separatesCookies: false)
        let client = try transport.client(configuration: .init(cookies: store, cache: cache, time: calendar))
        for value in ["1", "2"] {
            let response: NetworkClient.Response<String> = try await client.fetch(request: URLRequest(url: server.url))
            #expect(response.item == "tea" && store.cookies.map(\.value) == [value])
            calendar.advance(by: 100)
        }
    }
}
