import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient
@testable import NetworkUtilities

/// Stored responses that are validated, that stand for others, and that are removed.
struct StaleResponsesTests {
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

    // MARK: - Validation

    @Test(.spec(259), arguments: TransportUnderTest.all)
    func aRefreshedCredentialKeepsTheConditions(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { [calendar] request in
            guard request.value(forHeader: "Authorization") != "Bearer expired" else { return .respond(status: 401) }
            if request.value(forHeader: "If-None-Match") == "\"1\"" { return .respond(status: 304) }
            return calendar.response("tea", ["ETag": "\"1\""])
        }
        let session = TokenSession { _ in AccessToken("new") }
        try await session.setToken(AccessToken("first"), person: "ada")
        let client = try transport.client(
            interceptors: [.authentication(.bearer(session), origins: [server.url])],
            configuration: .init(cache: ResponseCache(), time: calendar)
        )
        _ = try await text(client, server.url("/a"))
        try await session.setToken(AccessToken("expired"), person: "ada")
        calendar.advance(by: 100)
        let response = try await text(client, server.url("/a"))
        #expect(response.item == "tea" && response.cacheStatus == .revalidated)
        expect(server.requests.map { $0.value(forHeader: "If-None-Match") }, [nil, "\"1\"", "\"1\""])
    }

    @Test(.spec(259), arguments: TransportUnderTest.all)
    func a304ThatConfirmsNothingIsFollowedByARequestWithoutConditions(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { [calendar] request in
            let isConditional = request.value(forHeader: "If-None-Match") != nil
            return isConditional
                ? .respond(status: 304, headers: ["ETag": "\"2\""]) : calendar.response("tea", ["ETag": "\"1\""])
        }
        let client = try transport.client(configuration: .init(cache: ResponseCache(), time: calendar))
        _ = try await text(client, server.url("/a"))
        calendar.advance(by: 100)
        let response = try await text(client, server.url("/a"))
        #expect(response.item == "tea" && response.cacheStatus == .network && server.requestCount == 3)
    }

    // MARK: - Stale responses

    @Test(.spec(259), arguments: TransportUnderTest.all)
    func aStaleResponseIsReturnedAtOnceWhileItIsValidated(transport: TransportUnderTest) async throws {
        let gate = Gate()
        let server = try LoopbackServer { [calendar] request in
            let control = "max-age=60, stale-while-revalidate=600"
            guard request.value(forHeader: "If-None-Match") != nil else {
                return calendar.response("tea", ["ETag": "\"1\""], control: control)
            }
            return [.wait(gate), calendar.response("coffee", ["ETag": "\"2\""], control: control)]
        }
        let client = try transport.client(configuration: .init(cache: ResponseCache(), time: calendar))
        _ = try await text(client, server.url("/a"))
        calendar.advance(by: 100)
        for _ in 1...3 {
            let stale = try await text(client, server.url("/a"))
            #expect(stale.item == "tea" && stale.cacheStatus == .stale && stale["Age"] == "100")
        }
        try await server.waitForHeads(count: 2)
        gate.open()
        try await withDeadline("the validated response") {
            while client.configuration.cache?.flightCount != 0 { await Task.yield() }
        }
        let fresh = try await text(client, server.url("/a"))
        #expect(fresh.item == "coffee" && fresh.cacheStatus == .fresh && server.requestCount == 2)
    }

    @Test(.spec(259), arguments: TransportUnderTest.all)
    func cancelAllEndsAValidationInTheBackgroundAndItsCallerDoesNot(transport: TransportUnderTest) async throws {
        let closed = Gate()
        let server = try LoopbackServer { [calendar] request in
            let control = "max-age=60, stale-while-revalidate=600"
            guard request.value(forHeader: "If-None-Match") != nil else {
                return calendar.response("tea", ["ETag": "\"1\""], control: control)
            }
            return [.awaitPeerClose(then: closed)]
        }
        let client = try transport.client(configuration: .init(cache: ResponseCache(), time: calendar))
        _ = try await text(client, server.url("/a"))
        calendar.advance(by: 100)
        let caller = Task {
            let item = try await text(client, server.url("/a")).item
            withUnsafeCurrentTask { $0?.cancel() }
            return item
        }
        expect(try await caller.value, "tea")
        try await server.waitForHeads(count: 2)
        expect(client.configuration.cache?.flightCount, 1)
        client.cancelAll()
        try await withDeadline("the end of the validation") { try await closed.wait() }
        try await withDeadline("no flight") {
            while client.configuration.cache?.flightCount != 0 { await Task.yield() }
        }
    }

    @Test(.spec(289)) func aStaleResponseStandsForTheErrorOfATransportOnURLSession() async throws {
        let isDown = Locked(false)
        let transport = ClosureTransport { request in
            guard !isDown.withLock({ $0 }) else { throw URLError(.networkConnectionLost) }
            let fields = ["Cache-Control": "max-age=60, stale-if-error=600"]
            return (Data("tea".utf8), .made(url: "https://h/a", headers: fields))
        }
        let client = NetworkClient(transport: transport, configuration: .init(cache: ResponseCache(), time: calendar))
        _ = try await text(client, url("https://h/a"))
        isDown.withLock { $0 = true }
        calendar.advance(by: 100)
        expect(try await text(client, url("https://h/a")).cacheStatus, .staleOnError)
    }

    @Test(.spec(259), arguments: TransportUnderTest.all)
    func aStaleResponseStandsForAnErrorAndTheRetryRests(transport: TransportUnderTest) async throws {
        let isDown = Locked(false)
        let server = try LoopbackServer { [calendar] request in
            guard isDown.withLock({ $0 }) else {
                return calendar.response("tea", control: "max-age=60, stale-if-error=600")
            }
            return request.path == "/503" ? .respond(status: 503) : .close
        }
        let client = try transport.client(
            interceptors: [.retry()],
            configuration: .init(cache: ResponseCache(), time: calendar)
        )
        for path in ["/503", "/close"] { _ = try await text(client, server.url(path)) }
        isDown.withLock { $0 = true }
        calendar.advance(by: 100)
        let before = server.requestCount
        let response = try await text(client, server.url("/503"))
        #expect(response.item == "tea" && response.cacheStatus == .staleOnError && response.journey.attempts == 1)
        expect(server.requestCount, before + 1)
        let lost = try await text(client, server.url("/close"))
        #expect(lost.item == "tea" && lost.cacheStatus == .staleOnError && lost.journey.attempts == 1)
        await #expect(throws: NetworkClient.Error.self) {
            try await text(client, server.url("/503")) {
                $0.setValue("no-cache", forHTTPHeaderField: "Cache-Control")
            }
        }
        calendar.advance(by: 600)
        await #expect(throws: NetworkClient.Error.self) { try await text(client, server.url("/503")) }
    }

    /// What the server sends to the validation: an error that may be stored, and a newer response.
    ///
    /// The call reports its progress, so that its own responses are streamed.
    @Test(.spec(259), arguments: [503, 200])
    func aValidationInTheBackgroundNeverLosesTheResponse(status: Int) async throws {
        let transport = StubTransport()
        let control = "max-age=5, stale-while-revalidate=60, stale-if-error=600"
        transport.on(
            .any,
            .text("tea").setting(header: .cacheControl(value: control)),
            .text("newer", status: status).setting(header: .cacheControl(value: "max-age=60"))
        )
        let cache = ResponseCache()
        let client = NetworkClient(transport: transport, configuration: .init(cache: cache, time: calendar))
        let options = CallOptions { $0.progress = { _ in } }
        _ = try await text(client, url("https://h/a"))
        calendar.advance(by: 10)
        let stale = try await client.fetch(.get(url: url("https://h/a")), as: String.self, options: options)
        expect(stale.cacheStatus, .stale)
        try await withDeadline("the validation") { while cache.flightCount > 0 { await Task.yield() } }
        let next = try await text(client, url("https://h/a"))
        #expect(next.item == (status == 200 ? "newer" : "tea"))
        expect(next.cacheStatus, status == 200 ? .fresh : .staleOnError)
    }

    @Test(.spec(259)) func aRepeatedAttemptIsNotAnsweredWithAStoredError() async throws {
        let count = Locked(0)
        let transport = StubTransport()
        transport.on(.any) { _ in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            let response = StubTransport.Response.text("tea", status: isFirst ? 503 : 200)
            return response.setting(header: .cacheControl(value: "max-age=60"))
        }
        let client = NetworkClient(
            transport: transport,
            interceptors: [.retry()],
            configuration: .init(cache: ResponseCache(), time: TestClock(advancesItself: true))
        )
        let response = try await text(client, url("https://h/a"))
        #expect(response.statusCode == 200 && response.journey.attempts == 2)
    }

    // MARK: - Invalidation

    @Test(.spec(259), arguments: TransportUnderTest.all)
    func aResponseInFlightIsNotStoredIfItsURLWasChanged(transport: TransportUnderTest) async throws {
        let gate = Gate()
        let server = try LoopbackServer { [calendar] request in
            request.method == "GET" ? [.wait(gate), calendar.response("old")] : .respond(status: 204)
        }
        let client = try transport.client(configuration: .init(cache: ResponseCache(), time: calendar))
        let call = Task { try await text(client, server.url("/a")).item }
        try await server.waitForHeads(count: 1)
        _ = try await text(client, server.url("/a")) { $0.httpMethod = "PUT" }
        gate.open()
        expect(try await call.value, "old")
        #expect(try await text(client, server.url("/a")).cacheStatus == .network)
        #expect(try await text(client, server.url("/a")).cacheStatus == .fresh)
        client.configuration.cache?.remove(for: server.url("/a#fragment"))
        expect(client.configuration.cache?.statistics.bytes, 0)
    }

    /// The end is how the server, or the caller, ends the change after the server has performed it.
    @Test(.spec(295), arguments: TransportUnderTest.all, ["404", "close", "limit", "cancel", "override"])
    func aChangeThatMayBePerformedInvalidates(transport: TransportUnderTest, end: String) async throws {
        let server = try LoopbackServer { [calendar] request in
            guard request.method != "GET" || request.value(forHeader: "X-HTTP-Method-Override") != nil else {
                return calendar.response("tea")
            }
            return switch end {
            case "404": .respond(status: 404)
            case "close": .close
            case "override": .respond(status: 204)
            default: [.wait(Gate())]
            }
        }
        let client = try transport.client(configuration: .init(cache: ResponseCache(), time: calendar))
        _ = try await text(client, server.url("/a"))
        var change = URLRequest(url: server.url("/a"))
        change.httpMethod = end == "override" ? "GET" : "PUT"
        if end == "override" { change.setValue("DELETE", forHTTPHeaderField: "X-HTTP-Method-Override") }
        let options = CallOptions(attemptTimeout: end == "limit" ? 0.2 : nil)
        let call = Task { [change] in try await client.fetch(request: change, options: options) }
        try await server.waitForHeads(count: 2)
        if end == "cancel" { call.cancel() }
        _ = await call.result
        expect(try await text(client, server.url("/a")).cacheStatus, end == "404" ? .fresh : .network)
    }

    @Test(.spec(259)) func aSwitchOfProtocolsIsNotStored() async throws {
        let response = StubTransport.Response.status(101).setting(header: .cacheControl(value: "max-age=60"))
        let transport = StubTransport(otherwise: response)
        let cache = ResponseCache()
        let client = NetworkClient(
            transport: transport,
            configuration: .init(acceptedStatuses: .all, cache: cache, time: calendar)
        )
        for _ in 1...2 { try await client.fetch(request: URLRequest(url: url("https://h/a"))) }
        #expect(transport.requests.count == 2 && cache.statistics.stored == 0)
    }
}
