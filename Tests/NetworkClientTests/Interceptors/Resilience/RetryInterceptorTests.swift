import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct RetryInterceptorTests {
    private struct Foreign: Error {}

    /// Records the number of each attempt that passes it; a closure may fail it.
    private struct AttemptRecorder: InterceptorProtocol {
        let attempts: Recorder<Int>
        var check: @Sendable (Int) throws -> Void = { _ in }

        func process(
            _ request: URLRequest,
            next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
        ) async throws -> NetworkClient.ChainResult {
            let number = RequestContext.current.attempt
            attempts.record(number)
            try check(number)
            return try await next(request.setting(header: .custom(name: "X-Attempt", value: "\(number)")))
        }
    }

    /// Limits the time of a call.
    private struct Limited: InterceptorProtocol {
        let seconds: Double

        func process(
            _ request: URLRequest,
            next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
        ) async throws -> NetworkClient.ChainResult {
            try await RequestContext.current.limited(to: seconds).run { try await next(request) }
        }
    }

    /// Sends an old token, and a new one once if the server does not accept the old one.
    private struct Refreshing: InterceptorProtocol {
        let refreshes: Recorder<Int>

        func process(
            _ request: URLRequest,
            next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
        ) async throws -> NetworkClient.ChainResult {
            do {
                return try await next(request.setting(header: .authorisation(auth: "old")))
            } catch let error as NetworkClient.Error where error.statusCode == 401 {
                refreshes.record(1)
                return try await next(request.setting(header: .authorisation(auth: "new")))
            }
        }
    }

    @Test(.spec(102), arguments: [true, false]) func aRefreshHappensAfterARetry(isInside: Bool) async throws {
        let refreshes = Recorder<Int>()
        let interceptors = [Refreshing(refreshes: refreshes)]
        let scene = RetryScene(
            [.response(503), .response(401), .response(503), .response(200)],
            outside: isInside ? [] : interceptors,
            inside: isInside ? interceptors : []
        )
        #expect(try await scene.fetch() == 200)
        #expect(refreshes.count == 1)
        let sent = scene.sent.values.map { $0.value(forHTTPHeaderField: "Authorization") }
        #expect(sent == ["old", "old", "new", isInside ? "old" : "new"])
    }

    @Test(.spec(103)) func theWaitsOfThreeRetriesDouble() async throws {
        let scene = RetryScene(
            [.response(503), .response(503), .response(503), .response(200)],
            .counting(3)
        )
        #expect(try await scene.fetch() == 200)
        #expect(scene.clock.sleeps == [1, 2, 4])
        #expect(scene.sent.count == 4)
    }

    @Test(.spec(103), arguments: [0, -1, .min]) func withoutRetriesTheRequestIsSentOnce(retries: Int) async {
        let scene = RetryScene([.response(503)], .counting(retries))
        await #expect(throws: NetworkClient.Error.self) { try await scene.fetch() }
        #expect(scene.sent.count == 1 && scene.clock.sleeps.isEmpty)
        #expect(scene.lines == ["attempt 1", "response 503"])
    }

    @Test(.spec(104)) func theErrorIsThatOfTheLastAttemptWithoutAWaitAfterIt() async {
        let outcomes: [RetryScene.Outcome] = [
            .response(503, body: "1"), .failure(.connectionLost), .response(500, body: "3"), .response(200),
        ]
        let scene = RetryScene(outcomes, .counting(2))
        await #expect { try await scene.fetch() } throws: { error in
            guard case NetworkClient.Error.apiError(let response, let data) = error else { return false }
            return response.statusCode == 500 && data == Data("3".utf8)
        }
        #expect(scene.clock.sleeps == [1, 2])
        #expect(scene.sent.count == 3)
    }

    @Test(.spec(104, 109)) func anErrorThatIsNotTransientEndsTheRetries() async {
        let scene = RetryScene([.response(503), .response(404), .response(200)], .counting(3))
        await #expect { try await scene.fetch() } throws: { ($0 as? NetworkClient.Error)?.statusCode == 404 }
        #expect(scene.sent.count == 2)
    }

    @Test(.spec(105), arguments: ["POST", "PATCH"]) func aPostIsSentAgainIfItSaysSo(method: String) async throws {
        for outcome in [RetryScene.Outcome.response(503), .failure(.connectionLost)] {
            let plain = RetryScene([outcome, .response(200)])
            await #expect(throws: NetworkClient.Error.self) { try await plain.fetch(method) }
            #expect(plain.sent.count == 1)
            let reason = "decision: RetryInterceptor: gives up, the request (\(method)) is not idempotent"
            #expect(plain.lines.last == reason)
            let keyed = RetryScene([outcome, .response(200)])
            #expect(try await keyed.fetch(method, headers: ["idempotency-key": "\"1\""]) == 200)
            let told = RetryScene([outcome, .response(200)])
            var options = CallOptions()
            options.isIdempotent = true
            #expect(try await told.fetch(method, options: options) == 200)
        }
        let refused = RetryScene([.failure(.connectionRefused), .response(200)])
        #expect(try await refused.fetch(method) == 200)
    }

    @Test(.spec(106)) func aServerThatAsksForMoreThanTheLimitGetsNoOtherRequest() async {
        let scene = RetryScene([.response(503, ["Retry-After": "31"]), .response(200)])
        await #expect { try await scene.fetch() } throws: { ($0 as? NetworkClient.Error)?.statusCode == 503 }
        #expect(scene.sent.count == 1 && scene.clock.sleeps.isEmpty)
        let reason = "the server asks for a wait of 31.0 s, and the policy allows 30.0 s"
        #expect(scene.lines.last == "decision: RetryInterceptor: gives up, \(reason)")
    }

    @Test(.spec(106)) func theDateOfARetryIsComparedWithTheInjectedWallClock() async throws {
        let clock = TestClock(advancesItself: true)
        let retry = RetryInterceptor { Date(timeIntervalSince1970: 784_111_777) }
        let count = Recorder<Int>()
        let transport = ClosureTransport { _ in
            count.record(1)
            let headers = ["Retry-After": "Sun Nov  6 08:49:42 1994"]
            return (Data(), count.count == 1 ? .made(503, headers: headers) : .made(200))
        }
        let client = NetworkClient(transport: transport, interceptors: [retry], configuration: .init(time: clock))
        try await client.fetch(request: URLRequest(url: url("http://h")))
        #expect(clock.sleeps == [5])
    }

    @Test(.spec(106, 112)) func noWaitBeginsThatWouldPassTheDeadline() async {
        let scene = RetryScene([.response(503)], .counting(5), outside: [Limited(seconds: 3)])
        await #expect { try await scene.fetch() } throws: { ($0 as? NetworkClient.Error)?.statusCode == 503 }
        #expect(scene.clock.sleeps == [1])
        #expect(scene.lines.last == "decision: RetryInterceptor: gives up, a wait of 2.0 s would pass the deadline")
        let asking = RetryScene([.response(503, ["Retry-After": "4"])], outside: [Limited(seconds: 3)])
        await #expect(throws: NetworkClient.Error.self) { try await asking.fetch() }
        #expect(asking.sent.count == 1 && asking.clock.now == 0)
    }

    @Test(.spec(112)) func aDeadlineThatHasPassedIsNotATimeoutToRetry() async {
        let scene = RetryScene([.response(200)], outside: [Limited(seconds: 0)])
        await #expect { try await scene.fetch() } throws: { ($0 as? NetworkClient.Error)?.reason == .timedOut }
        #expect(scene.sent.count == 0 && scene.clock.sleeps.isEmpty)
    }

    @Test(
        .spec(107),
        arguments: [
            (0, []), (-1, []), (.nan, []), (0.5, [0.5, 1]), (1e300, [20, 20]),
        ] as [(Double, [Double])]
    )
    func unusualDelaysNeitherTrapNorSpin(base: Double, sleeps: [Double]) async {
        let backoff = Backoff(base: base, throttledBase: base, jitter: .none)
        let scene = RetryScene([.response(503)], RetryPolicy(backoff: backoff))
        await #expect(throws: NetworkClient.Error.self) { try await scene.fetch() }
        #expect(scene.sent.count == 3)
        #expect(scene.clock.sleeps == sleeps)
    }

    @Test(.spec(107)) func theJitterIsInjectable() async throws {
        let policy = RetryPolicy(retries: 3, backoff: Backoff(jitter: Jitter { 0.25 }))
        let scene = RetryScene([.response(503), .response(429), .response(500), .response(200)], policy)
        #expect(try await scene.fetch() == 200)
        #expect(scene.clock.sleeps == [0.25, 0.5, 0.05])
    }

    @Test(.spec(109)) func aBodyThatCannotBeDecodedIsNotRequestedAgain() async {
        let scene = RetryScene([.response(200, body: "{")], RetryPolicy { _ in true })
        await #expect(throws: NetworkClient.Error.self) {
            let request = URLRequest(url: url("http://h"))
            let _: NetworkClient.Response<[Int]> = try await scene.client.fetch(request: request)
        }
        #expect(scene.sent.count == 1)
    }

    @Test(.spec(109)) func anInvalidURLIsNotTriedAgain() async {
        let scene = RetryScene([.response(200)], RetryPolicy { _ in true })
        await #expect(throws: NetworkClient.Error.self) {
            try await scene.client.fetch(request: URLRequest(url: url("ftp://h/a")))
        }
        #expect(scene.sent.count == 0 && scene.clock.sleeps.isEmpty)
    }

    @Test(.spec(109), arguments: [true, false])
    func theErrorOfAnInterceptorIsRetriedOnlyIfThePredicateSaysSo(isRetried: Bool) async throws {
        let attempts = Recorder<Int>()
        let failing = AttemptRecorder(attempts: attempts) { if $0 == 1 { throw Foreign() } }
        let scene = RetryScene([.response(200)], RetryPolicy { isRetried && $0 is Foreign }, inside: [failing])
        if isRetried {
            #expect(try await scene.fetch() == 200)
            #expect(scene.lines.last { $0.hasPrefix("waits") }?.hasSuffix("RetryInterceptor, after Foreign") == true)
        } else {
            await #expect(throws: Foreign.self) { try await scene.fetch() }
        }
        #expect(attempts.values == (isRetried ? [1, 2] : [1]))
    }

    @Test(.spec(110)) func eachAttemptRunsTheInnerInterceptorsAgain() async throws {
        let (inner, outer) = (Recorder<Int>(), Recorder<Int>())
        let scene = RetryScene(
            [.response(503), .failure(.timedOut), .response(200)],
            outside: [AttemptRecorder(attempts: outer)],
            inside: [AttemptRecorder(attempts: inner)]
        )
        #expect(try await scene.fetch() == 200)
        #expect(inner.values == [1, 2, 3])
        #expect(outer.values == [1])
        #expect(scene.sent.values.map { $0.value(forHTTPHeaderField: "X-Attempt") } == ["1", "2", "3"])
    }

    @Test func aCallMayHaveItsOwnPolicy() async throws {
        var options = CallOptions { $0.retry = .never }
        let scene = RetryScene([.response(503)], .counting(3))
        await #expect(throws: NetworkClient.Error.self) { try await scene.fetch(options: options) }
        #expect(scene.sent.count == 1)
        options.retry = .counting(4)
        await #expect(throws: NetworkClient.Error.self) { try await scene.fetch(options: options) }
        #expect(scene.sent.count == 6)
        options.retry = nil
        await #expect(throws: NetworkClient.Error.self) { try await scene.fetch(options: options) }
        #expect(scene.sent.count == 10)
    }

    @Test func anAcceptedStatusIsNotAFailure() async throws {
        let scene = RetryScene([.response(503)])
        #expect(try await scene.fetch(options: CallOptions(acceptedStatuses: [503])) == 503)
        #expect(scene.sent.count == 1)
    }

    @Test func theTimelineOfACallNamesItsWaitsAndTheirReasons() async throws {
        let outcomes: [RetryScene.Outcome] = [
            .response(503), .failure(.connectionLost), .response(429, ["Retry-After": "7"]), .response(200),
        ]
        let scene = RetryScene(outcomes, .counting(3))
        let response = try await scene.client.fetch(request: URLRequest(url: url("http://h/a?secret=1")))
        let timeline = """
            0.000 s  attempt 1
            0.000 s  response 503
            0.000 s  waits 1.000 s: RetryInterceptor, after response 503
            1.000 s  attempt 2
            1.000 s  failure: connectionLost
            1.000 s  waits 2.000 s: RetryInterceptor, after connectionLost
            3.000 s  attempt 3
            3.000 s  response 429
            3.000 s  waits 7.000 s: RetryInterceptor, after response 429, for as long as the server asks
            10.000 s  attempt 4
            10.000 s  response 200
            """
        #expect("\(response.journey)" == timeline)
        let hopeless = RetryScene([.response(503)], .counting(1))
        await #expect(throws: NetworkClient.Error.self) { try await hopeless.fetch() }
        #expect(hopeless.lines.last == "decision: RetryInterceptor: gives up, no retry is left")
    }

    @Test(.spec(102, 109), arguments: ["GET", "POST"]) func aCallWhoseRefreshLosesItsConnectionIsSentAgain(
        method: String
    ) async throws {
        let server = TokenServer(accepting: "new")
        let refreshes = Recorder<String>()
        let session = TokenSession(store: InMemoryCredentialStore(AccessToken("old"))) { old in
            refreshes.record(old.value)
            guard refreshes.count > 1 else {
                throw NetworkClient.Error.requestError(type: TransportError(.connectionLost))
            }
            return AccessToken("new")
        }
        let clock = TestClock(advancesItself: true)
        let client = server.client(
            [.retry(.counting(1)), .authentication(.bearer(session), origins: [TokenServer.origin])],
            time: clock
        )
        var request = TokenServer.request()
        request.httpMethod = method
        #expect(try await client.fetch(request: request).httpResponse.statusCode == 200)
        #expect(server.tokens() == ["old", "old", "new"])
        #expect(clock.sleeps.contains(1))
    }
}
