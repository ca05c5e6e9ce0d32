import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Sends each request three times, as attempts of one call.
private let threeAttempts = ClosureInterceptor(runsInCallersTask: true) { request, next in
    for attempt in 1...2 {
        _ = try? await RequestContext.current.with(attempt: attempt).run { try await next(request) }
    }
    return try await RequestContext.current.with(attempt: 3).run { try await next(request) }
}

/// Returns a source of the numbers 1, 2, 3 and so on.
private func counting() -> @Sendable () -> UInt64 {
    let last = Locked<UInt64>(0)
    return {
        last.withLock { last in
            last += 1
            return last
        }
    }
}

struct TracingInterceptorTests {
    private let transport = StubTransport(otherwise: .status(200))
    private let request = URLRequest(url: url("https://api.example.com/a"))
    private static let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"

    private func send(_ request: URLRequest? = nil, _ interceptors: any InterceptorProtocol...) async throws {
        let client = NetworkClient(transport: transport, interceptors: interceptors)
        try await client.fetch(request: request ?? self.request)
    }

    private func sent(_ field: String) -> [String?] { transport.requests.map { $0[header: field] } }

    @Test(.spec(110)) func withoutAContextTheAttemptsOfACallAreSpansOfANewTrace() async throws {
        let tracing = TracingInterceptor(random: counting())
        for _ in 1...2 { try await send(nil, threeAttempts, tracing) }
        let first = "00-00000000000000010000000000000002-"
        // 1 to 3 are the root.
        let spans = (4...6).map { "\(first)000000000000000\($0)-01" }
        expect(sent("traceparent").prefix(3).compactMap { $0 }, spans)
        let others = sent("traceparent").suffix(3)
        #expect(others.allSatisfy { $0?.hasPrefix("00-00000000000000070000000000000008-") == true })
        #expect(sent("tracestate").allSatisfy { $0 == nil })
    }

    @Test func aRequestIsAChildOfTheCurrentContextAndItsJourneyNamesTheTrace() async throws {
        let context = try #require(TraceContext(traceparent: Self.text, tracestate: ["a=1, b=2", "c=3"]))
        let client = NetworkClient(transport: transport, interceptors: [TracingInterceptor(random: counting())])
        let journey = try await TraceContext.$current.withValue(context) {
            try await client.fetch(request: request).journey
        }
        expect(sent("traceparent"), ["00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000001-00"])
        expect(sent("tracestate"), ["a=1,b=2,c=3"])
        let details = journey.steps.filter { $0.kind == .decision }.map(\.detail)
        expect(details, ["TracingInterceptor: trace 4bf92f3577b34da6a3ce929d0e0e4736, span 0000000000000001"])
    }

    @Test func theIdentifiersOfNewTracesAreRandomAndNeverZero() async throws {
        for _ in 1...20 { try await send(nil, .tracing()) }
        expect(transport.requests.first?.headers.keys.map { $0.lowercased() }, ["traceparent"])
        try await send(nil, TracingInterceptor(random: { 0 }))
        try await send(nil, .tracing(isSampled: false))
        let contexts = sent("traceparent").compactMap { $0.flatMap { TraceContext(traceparent: $0) } }
        expect(Set(contexts.map(\.traceID)).count, 22)
        expect(Set(contexts.map(\.parentID)).count, 22)
        expect(contexts.map(\.isSampled), Array(repeating: true, count: 21) + [false])
    }

    @Test func theCallersOwnContextIsKeptButNoStateWithoutItsParent() async throws {
        var own = request.setting(header: .custom(name: "Traceparent", value: "mine"))
        try await send(own, .tracing())
        own.set(header: .custom(name: "tracestate", value: "a=1"))
        try await TraceContext.$current.withValue(.root()) { try await send(own, .tracing()) }
        own.setValue(nil, forHTTPHeaderField: "traceparent")
        try await send(own, .tracing())
        expect(sent("traceparent").prefix(2), ["mine", "mine"])
        expect(sent("tracestate"), [nil, "a=1", nil])
    }

    @Test func onlyChosenRequestsAreTraced() async throws {
        let interceptor: TracingInterceptor = .tracing(requestIDField: "X-Request-ID") { $0.url?.host == "traced" }
        for host in ["traced", "other"] { try await send(URLRequest(url: url("https://\(host)/")), interceptor) }
        for field in ["traceparent", "X-Request-ID"] { expect(sent(field).map { $0 != nil }, [true, false]) }
    }

    @Test func theRequestIdentifierIsThatOfTheCall() async throws {
        let tracing = TracingInterceptor(requestIDField: "X-Call", random: counting())
        for _ in 1...2 { try await send(nil, threeAttempts, tracing) }
        let first = Set(sent("X-Call").prefix(3))
        expect(first, ["00000000-0000-4005-8000-000000000006"])
        expect(Set(sent("X-Call").suffix(3)).count, 1)
        #expect(first != Set(sent("X-Call").suffix(3)))
        try await send(request.setting(header: .custom(name: "x-call", value: "own")), tracing)
        expect(sent("X-Call").last, "own")
    }

    @Test(.spec(118)) func tracedCallsShareAnExchangeAndCallsWithKeysOfTheirOwnDoNot() async throws {
        expect(try await exchanges(request, .tracing(requestIDField: "X-Request-ID")), 1)
        expect(try await exchanges(request, .tracing(requestIDField: "X-Call")), 2)
        let post = URLRequest.post(url: url("https://h/a")).bodyText("a").build()
        expect(try await exchanges(post, .idempotencyKey()), 2)
        let repeated = post.setting(header: .idempotencyKey("one"))
        expect(try await exchanges(repeated, .idempotencyKey()), 1)
    }

    /// Returns how many exchanges two identical calls make that are in flight at the same time.
    private func exchanges(_ request: URLRequest, _ interceptor: any InterceptorProtocol) async throws -> Int {
        let clock = TestClock()
        let transport = StubTransport(time: clock, otherwise: .status(200).delayed(by: 1))
        let client = NetworkClient(transport: transport, interceptors: [interceptor])
        let calls = (1...2).map { _ in Task { try await client.fetch(request: request.withInstanceCaching()) } }
        try await withDeadline { while client.sharing.waiterCount < 2 { await Task.yield() } }
        try await withDeadline { [count = client.sharing.exchangeCount] in
            try await clock.waitForSleepers(count)
        }
        clock.advance(by: 1)
        for call in calls { _ = try await call.value }
        return transport.requests.count
    }
}

struct IdempotencyKeyInterceptorTests {
    private let transport = StubTransport(otherwise: .status(200))

    private func keys(
        _ method: HTTPMethod,
        own: String? = nil,
        host: String = "h",
        _ interceptors: any InterceptorProtocol...
    ) async throws -> [String?] {
        var request = URLRequest(url: url("https://\(host)/a"))
        request.method = method
        if let own { request.set(header: .idempotencyKey(own)) }
        let client = NetworkClient(transport: transport, interceptors: interceptors)
        let count = transport.requests.count
        try await client.fetch(request: request)
        return transport.requests.dropFirst(count).map { $0[header: "idempotency-key"] }
    }

    @Test(.spec(105), arguments: [HTTPMethod.post, .patch])
    func theAttemptsOfACallHaveOneKeyInQuotes(method: HTTPMethod) async throws {
        let interceptor = IdempotencyKeyInterceptor(random: counting())
        let first = "\"00000000-0000-4001-8000-000000000002\""
        expect(try await keys(method, threeAttempts, interceptor), [first, first, first])
        #expect(try await keys(method, interceptor, threeAttempts).allSatisfy { $0?.contains("4003-8000") == true })
    }

    @Test func anotherOperationOfTheSameCallHasAKeyOfItsOwn() async throws {
        /// Signs in before the first attempt, through the same inner interceptors.
        let signIn = ClosureInterceptor { request, next in
            var login = request
            login.url = request.url?.appendingPathComponent("login")
            _ = try await next(login)
            _ = try await next(request)
            return try await next(request)
        }
        let keys = try await keys(.post, signIn, .idempotencyKey())
        expectAll((keys.count, keys.contains(nil)), (3, false))
        #expect(keys[0] != keys[1] && keys[1] == keys[2])
    }

    @Test func keysAreRandomUUIDsOfChosenRequestsThatHaveNone() async throws {
        var found: Set<String> = []
        for _ in 1...20 { found.formUnion(try await keys(.post, .idempotencyKey()).compactMap { $0 }) }
        expect(found.count, 20)
        #expect(found.allSatisfy { UUID(uuidString: $0.filter { $0 != "\"" }) != nil })
        #expect(found.allSatisfy { $0.count == 38 && $0 == $0.lowercased() })
        for method in [HTTPMethod.get, .head, .put, .delete, .options, .query] {
            expect(try await keys(method, .idempotencyKey()), [nil])
        }
        expect(try await keys(.post, own: "mine", .idempotencyKey()), ["mine"])
        let interceptor: IdempotencyKeyInterceptor = .idempotencyKey { $0.url?.host == "h" }
        expect(try await keys(.post, host: "other", interceptor), [nil])
        #expect(try await keys(.post, interceptor) != [nil])
    }
}
