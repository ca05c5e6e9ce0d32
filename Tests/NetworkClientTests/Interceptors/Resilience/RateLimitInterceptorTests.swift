import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct RateLimitInterceptorTests {
    /// The requests that wait for a token of the bucket may wait for the refresh.
    @Test(.spec(100)) func aRefreshPassesAFullQueue() async throws {
        let (limit, expired) = (RateLimitInterceptor(1, per: .client), Gate())
        let client = Locked<NetworkClient?>(nil)
        let session = TokenSession(store: InMemoryCredentialStore(AccessToken("old"))) { _ in
            let request = URLRequest(url: url("https://api.example.com/token"))
            _ = try await client.withLock { $0 }?.fetch(request: request)
            return AccessToken("new")
        }
        let authentication = AuthenticationInterceptor(.bearer(session), origins: [url("https://api.example.com")])
        let scene = ResilienceScene([limit, authentication]) { request, number in
            if number == 0 { try await expired.wait() }
            return (Data(), .made(number == 0 ? 401 : 200))
        }
        client.withLock { $0 = scene.client }
        let first = Task { try await scene.fetch() }
        try await eventually("the first request") { scene.sent.count == 1 }
        let waiters = (0..<3).map { _ in Task { try await scene.fetch() } }
        try await eventually("the waiters") { limit.waiterCount == 3 }
        expired.open()
        expect(try await withDeadline { try await first.value }, 200)
        expect(scene.sent.values.map { $0.url?.path }, ["/items", "/token", "/items"])
        expect(limit.waiterCount, 3)
        for waiter in waiters { waiter.cancel() }
        for waiter in waiters { await #expect(throws: CancellationError.self) { try await waiter.value } }
    }

    @Test(.spec(236)) func aTargetOfARedirectThatHasEnoughPausesItsOwnHost() async throws {
        let clock = TestClock(advancesItself: true)
        let scene = ResilienceScene([.rateLimit(.infinity)], clock: clock) { request, number in
            let place = request.url?.absoluteString ?? ""
            return switch number {
            case 0: (Data(), .made(302, url: place, headers: ["Location": "https://target.example.com/"]))
            case 1: (Data(), .made(429, url: place, headers: ["Retry-After": "50"]))
            default: (Data(), .made(url: place))
            }
        }
        expect((await scene.failure() as? NetworkClient.Error)?.statusCode, 429)
        try await scene.fetch()
        expect(clock.sleeps, [])
        try await scene.fetch("https://target.example.com/")
        expect(clock.sleeps, [50])
    }

    @Test func aServerCanStopRequestsForTheMaximumPauseOnly() async throws {
        let clock = TestClock(advancesItself: true)
        let scene = ResilienceScene([.rateLimit(.infinity, maximumPause: 3)], clock: clock) { _, number in
            (Data(), .made(number == 0 ? 429 : 200, headers: ["Retry-After": "50"]))
        }
        expect((await scene.failure() as? NetworkClient.Error)?.statusCode, 429)
        try await scene.fetch()
        expect(clock.sleeps, [3])
    }

    @Test(arguments: [(LimitScope.host, 0.5), (.client, 1)])
    func requestsAreSentAtTheRateOfTheirHostOrOfTheClient(scope: LimitScope, slept: Double) async throws {
        let clock = TestClock(advancesItself: true)
        let scene = ResilienceScene([.rateLimit(2, burst: 2, per: scope)], clock: clock, statuses: [200])
        for _ in 0..<3 { try await scene.fetch() }
        expect(clock.sleeps, [0.5])
        let request = URLRequest(url: url("https://other.example.com/"))
        let response: NetworkClient.Response<Void> = try await scene.client.fetch(request: request)
        expect(clock.now, slept)
        let waits = response.journey.steps.filter { $0.kind == .wait }.map(\.detail)
        expect(waits, (slept > 0.5 ? ["RateLimitInterceptor, until a request is allowed"] : []))
    }

    @Test(.spec(126), arguments: [true, false])
    func requestsWaitInTheirOrderAndMoveUpWhenAWaiterIsCancelled(isCancelled: Bool) async throws {
        let limit = RateLimitInterceptor(1, per: .client)
        let scene = ResilienceScene([limit], statuses: [200])
        let clock = scene.clock
        try await scene.fetch("https://api.example.com/0")
        var tasks: [Task<Int, any Error>] = []
        for number in 1...3 {
            tasks.append(Task { try await scene.fetch("https://api.example.com/\(number)") })
            try await eventually("waiter \(number)") { limit.waiterCount == number }
            // The first waiter sleeps; the others wait for it.
            try await withDeadline { try await clock.waitForSleepers() }
        }
        if isCancelled {
            let first = tasks[0]
            first.cancel()
            await #expect(throws: CancellationError.self) { try await first.value }
        }
        let expected = isCancelled ? ["/0", "/2", "/3"] : ["/0", "/1", "/2", "/3"]
        for count in 2...expected.count {
            try await withDeadline { try await clock.waitForSleepers() }
            clock.advance(by: 1)
            try await eventually("request \(count)") { scene.sent.count == count }
        }
        expect(scene.sent.values.map { $0.url?.path }, expected)
        for task in tasks.dropFirst(isCancelled ? 1 : 0) { expect(try await task.value, 200) }
        expect(limit.waiterCount, 0)
    }

    @Test(.spec(126)) func aFullQueueRefusesRequestsAndCancelAllEndsItsWaits() async throws {
        let limit = RateLimitInterceptor(1, per: .client, queueLimit: 3)
        let scene = ResilienceScene([limit], statuses: [200])
        try await scene.fetch()
        let tasks = (0..<3).map { _ in Task { try await scene.fetch() } }
        try await eventually("the waiters") { limit.waiterCount == 3 }
        expect(await scene.failure() as? QueueFullError, .init(place: "https://api.example.com/items", limit: 3))
        scene.client.cancelAll()
        for task in tasks {
            await #expect(throws: CancellationError.self) { try await withDeadline { try await task.value } }
        }
        expect(limit.waiterCount, 0)
        expect(scene.sent.count, 1)
    }

    /// A clock whose sleeps end when a gate opens, whatever its time is by then.
    private struct LateClock: TimeSource {
        let time = Locked(0.0)
        let sleeps = Recorder<Double>()
        let wake = Gate()
        /// Is called whenever the time is read.
        var look: @Sendable () -> Void = {}

        var now: Double {
            look()
            return time.withLock { $0 }
        }

        func sleep(seconds: Double) async throws {
            sleeps.record(seconds)
            try await wake.wait()
        }
    }

    @Test func aRequestThatArrivesBeforeALateWaiterHasWokenWaitsBehindIt() async throws {
        let limit = RateLimitInterceptor(.infinity, per: .client, queueLimit: 2)
        // The clock is not read under the lock of the limit.
        let (time, sent) = (LateClock { _ = limit.waiterCount }, Recorder<String>())
        let transport = ClosureTransport { request in
            sent.record(request.url?.path ?? "")
            return (Data(), .made(headers: sent.count == 1 ? ["RateLimit": #""default";r=0;t=5"#] : [:]))
        }
        let client = NetworkClient(
            transport: transport,
            interceptors: [.deadline(100), limit],
            logging: .off,
            configuration: .init(time: time)
        )
        @Sendable func fetch(_ path: String) async throws {
            try await client.fetch(request: URLRequest(url: url("https://api.example.com\(path)")))
        }
        try await withDeadline { try await fetch("/0") }
        let first = Task { try await fetch("/first") }
        try await eventually("the sleep") { time.sleeps.count == 1 }
        time.time.withLock { $0 = 6 }
        let second = Task { try await fetch("/second") }
        try await eventually("the second waiter") { limit.waiterCount == 2 }
        expect(sent.values, ["/0"])
        time.wake.open()
        for task in [first, second] { try await withDeadline { try await task.value } }
        // Two tasks that have their tokens may reach the transport in either order.
        expect(sent.values.dropFirst().sorted(), ["/first", "/second"])
        expect(limit.waiterCount, 0)
        try await fetch("/last")
    }

    @Test(
        arguments: [
            (["RateLimit": #""default";r=0;t=5"#], 200, [5]), (["RateLimit": #""default";r=1;t=5"#], 200, []),
            (["Retry-After": "3"], 429, [3]), (["Retry-After": "3"], 503, []),
            (["RateLimit": #""default";r=0;t=99999999999"#], 200, [60]),
            (["RateLimit": #""default";r=0;t=0"#], 200, []),
            // A moment, which is compared with the clock of the client.
            (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1800000009"], 404, [9]),
        ] as [([String: String], Int, [Double])]
    )
    func aServerThatAllowsNoMoreRequestsPausesThem(fields: [String: String], status: Int, sleeps: [Double]) async {
        let clock = TestClock(date: Date(timeIntervalSince1970: 1_800_000_000), advancesItself: true)
        let limit = RateLimitInterceptor(.infinity)
        let scene = ResilienceScene([limit], clock: clock, statuses: [status], headers: fields)
        for _ in 0..<2 { _ = await scene.failure() }
        expect(scene.sent.count, 2)
        expect(clock.sleeps, sleeps)
    }

    @Test(
        arguments: [
            (["Content-Type": "text/plain", "Limit": "1", "X-Request-Identifier": "limi"], 200, 0),
            (["ratelimit-policy": "x"], 200, 1), (["X-RATE-LIMIT-REMAINING": "9"], 200, 1), ([:], 429, 1),
            ([:], 503, 0),
        ] as [([String: String], Int, Int)]
    )
    func onlyResponsesWithFieldsOfALimitAreRead(fields: [String: String], status: Int, readings: Int) async {
        struct ReadClock: TimeSource {
            let dates = Recorder<Int>()
            var now: TimeInterval { 0 }
            var date: Date {
                dates.record(1)
                return Date(timeIntervalSince1970: 1_800_000_000)
            }

            func sleep(seconds: TimeInterval) async throws {}
        }
        let clock = ReadClock()
        let client = NetworkClient(
            transport: ClosureTransport(status: status, headers: fields),
            interceptors: [RateLimitInterceptor(.infinity)],
            configuration: .init(time: clock)
        )
        _ = try? await client.fetch(request: URLRequest(url: url("https://h/")))
        expect(clock.dates.count, readings)
    }

    @Test(arguments: TransportUnderTest.all)
    func theRateLimitOfARealServerIsObeyedAndIsADecisionInTheJourney(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond(headers: ["ratelimit": #""default";r=0;t=40"#]) }
        let clock = TestClock(advancesItself: true)
        let client = try transport.client(interceptors: [.rateLimit(1_000)], configuration: .init(time: clock))
        let request = URLRequest(url: server.url("/items"))
        let journey = try await client.fetch(request: request).journey
        let decisions = journey.steps.filter { $0.kind == .decision }.map(\.detail)
        expect(decisions, ["RateLimitInterceptor: pauses for 40 s, as the server asks"])
        try await client.fetch(request: request)
        expect(clock.sleeps, [40])
    }
}
