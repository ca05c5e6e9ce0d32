import NetworkClient
import NetworkClientTesting
import NetworkTestSupport
import Testing

struct TestClockTests {
    @Test func aTestClockStandsStillUntilItIsAdvanced() async throws {
        let clock = TestClock(now: 100)
        let woken = Gate()
        let sleeping = Task {
            try await clock.sleep(seconds: 2)
            woken.open()
        }
        try await clock.waitForSleepers()
        clock.advance(by: 1.5)
        expect(clock.now, 101.5)
        #expect(!woken.isOpen)
        clock.advance(by: 0.5)
        try await sleeping.value
        expect(clock.sleeps, [2])
        expect(clock.sleeperCount, 0)
    }

    @Test(arguments: [0, -1]) func aTestClockDoesNotSleepForZeroOrNegativeTime(_ seconds: Double) async throws {
        try await TestClock().sleep(seconds: seconds)
    }

    @Test func stepsThatAddUpToASleepEndIt() async throws {
        let clock = TestClock()
        let sleeping = Task { try await clock.sleep(seconds: 0.8) }
        try await clock.waitForSleepers()
        for _ in 1...8 { clock.advance(by: 0.1) }
        try await withDeadline { try await sleeping.value }
    }

    @Test func cancellingATaskEndsItsSleepOnATestClock() async throws {
        let clock = TestClock()
        let sleeping = Task { try await clock.sleep(seconds: 1) }
        try await clock.waitForSleepers()
        sleeping.cancel()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await sleeping.value } }
        expect(clock.sleeperCount, 0)
    }

    @Test func aTestClockThatAdvancesItselfNeverSleeps() async throws {
        let clock = TestClock(now: 5, advancesItself: true)
        for seconds in [1, 0, -3, 2.5] { try await clock.sleep(seconds: seconds) }
        expect(clock.now, 8.5)
        expect(clock.sleeps, [1, 0, -3, 2.5])
    }

    @Test(arguments: [-1, Double.nan, .infinity, 1e300]) func aTestClockNeverGoesBackAndStaysFinite(seconds: Double) {
        let clock = TestClock(now: 5)
        clock.advance(by: seconds)
        #expect(clock.now >= 5 && clock.now.isFinite)
    }

    @Test func aTestClockWakesOnlyTheSleepersWhoseTimeHasCome() async throws {
        let clock = TestClock()
        let (short, long) = (Gate(), Gate())
        let tasks = [(1.0, short), (3.0, long)].map { seconds, gate in
            Task {
                try await clock.sleep(seconds: seconds)
                gate.open()
            }
        }
        try await clock.waitForSleepers(2)
        clock.advance(by: 1)
        try await withDeadline { try await short.wait() }
        #expect(!long.isOpen)
        expect(clock.sleeperCount, 1)
        clock.advance(by: 2)
        for task in tasks { try await withDeadline { try await task.value } }
    }

    @Test func waitingForSleepersEndsWithTheCancellationOfTheTask() async throws {
        let waiting = Task { try await TestClock().waitForSleepers() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await waiting.value } }
    }

    @Test(.spec(297)) func oneStepAgesTheCacheTheTokensAndTheCookiesOfAClient() async throws {
        let (clock, store) = (TestClock(), CookieStore())
        let session = TokenSession { _ in AccessToken("b", refreshToken: "r", expiresIn: 100) }
        try await session.setToken(AccessToken("a", refreshToken: "r", expiresIn: 100))
        let transport = StubTransport()
        transport.on(
            .any,
            .status(200).setting(header: .cacheControl(value: "private, max-age=100"))
                .setting(header: .custom(name: "Set-Cookie", value: "sid=1; Max-Age=100"))
        )
        let client = NetworkClient(
            transport: transport,
            interceptors: [.authentication(.bearer(session), origins: [try #require(URL(string: "https://h"))])],
            configuration: .init(cookies: store, cache: ResponseCache(separatesCookies: false), time: clock)
        )
        for step in [0, 50, 51.0] {
            clock.advance(by: step)
            _ = try await client.fetch(.get(http: "https://h/a"), as: Data.self)
        }
        expect(transport.requests.map { $0[header: "Authorization"] }, ["Bearer a", "Bearer b"])
        expect(transport.requests.map { $0[header: "Cookie"] }, [nil, nil])
        _ = try await client.fetch(.get(http: "https://h/b"), as: Data.self)
        expect(transport.requests.last?[header: "Cookie"], "sid=1")
    }
}
