import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct RetryInterceptorTests {
    private struct Foreign: Error {}

    @Test(.spec(103, 104, 105, 306), arguments: RetryRow.all)
    func theTableOfRetriesHoldsForTheLibrarysRetry(row: RetryRow) async {
        expect(await row.result(of: .retry(RetryRow.policy)), row.expected)
    }

    /// Records the number of each attempt that passes it; a closure may fail it.
    private struct AttemptRecorder: InterceptorProtocol {
        let attempts: Recorder<Int>
        var check: @Sendable (Int) throws -> Void = { _ in }

        func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
            let number = RequestContext.current.attempt
            attempts.record(number)
            try check(number)
            return try await next(request.setting(header: .custom(name: "X-Attempt", value: "\(number)")))
        }
    }

    @Test(.spec(102), arguments: [true, false]) func aRefusalAfterARetryIsRefreshedOnce(isInside: Bool) async throws {
        let refreshes = Recorder<Int>()
        let session = TokenSession(store: InMemoryCredentialStore(AccessToken("old"))) { _ in
            refreshes.record(1)
            return AccessToken("new")
        }
        let interceptors: [any InterceptorProtocol] = [.authentication(.bearer(session), origins: [TokenServer.origin])]
        let scene = RetryScene(
            [.response(503), .response(401), .response(503), .response(200)],
            outside: isInside ? [] : interceptors,
            inside: isInside ? interceptors : []
        )
        expect(try await scene.fetch(), 200)
        expect(refreshes.count, 1)
        let sent = scene.sent.values.map { $0.value(forHTTPHeaderField: "Authorization") }
        expect(sent, ["Bearer old", "Bearer old", "Bearer new", "Bearer new"])
    }

    @Test(
        .spec(104, 106, 109),
        arguments: [
            ([.response(503), .failure(.connectionLost), .response(500)], 500, [1, 2], "no retry is left"),
            ([.response(503), .response(404), .response(200)], 404, [1], nil),
            (
                [.response(503, ["Retry-After": "31"])], 503, [],
                "the server asks for a wait of 31 s, and the policy allows 30 s"
            ),
        ] as [([RetryScene.Outcome], Int, [Double], String?)]
    )
    func theErrorOfACallIsThatOfItsLastAttemptWithoutAWaitAfterIt(
        outcomes: [RetryScene.Outcome],
        status: Int,
        sleeps: [Double],
        reason: String?
    ) async {
        let scene = RetryScene(outcomes, .counting(2))
        await #expect { try await scene.fetch() } throws: { ($0 as? NetworkClient.Error)?.statusCode == status }
        expect(scene.clock.sleeps, sleeps)
        expect(scene.sent.count, sleeps.count + 1)
        let decision = reason.map { "decision: RetryInterceptor: gives up, \($0)" }
        expect(scene.lines.last, decision ?? "response \(status)")
    }

    @Test(.spec(105)) func aPostIsSentAgainIfItsFieldsOrTheOptionsOfItsCallSaySo() async throws {
        let outcomes: [RetryScene.Outcome] = [.failure(.connectionLost), .response(200)]
        let plain = RetryScene(outcomes)
        await #expect(throws: NetworkClient.Error.self) { try await plain.fetch("POST") }
        expect(plain.sent.count, 1)
        let reason = "the request (POST) is not idempotent"
        expect(plain.lines.last, "decision: RetryInterceptor: gives up, \(reason)")
        expect(try await RetryScene(outcomes).fetch("POST", headers: ["idempotency-key": "\"1\""]), 200)
        expect(try await RetryScene(outcomes).fetch("POST", options: CallOptions { $0.isIdempotent = true }), 200)
        expect(try await RetryScene([.failure(.connectionRefused), .response(200)]).fetch("POST"), 200)
    }

    @Test(.spec(106)) func theDateOfARetryIsComparedWithTheClockOfTheClient() async throws {
        let clock = TestClock(date: Date(timeIntervalSince1970: 784_111_777), advancesItself: true)
        let retry = RetryInterceptor(RetryPolicy(backoff: Backoff(jitter: .none)))
        let count = Recorder<Int>()
        let transport = ClosureTransport { _ in
            count.record(1)
            let headers = ["Retry-After": "Sun Nov  6 08:49:42 1994"]
            return (Data(), count.count == 1 ? .made(503, headers: headers) : .made(200))
        }
        let client = NetworkClient(transport: transport, interceptors: [retry], configuration: .init(time: clock))
        try await client.fetch(request: URLRequest(url: url("http://h")))
        expect(clock.sleeps, [5])
    }

    @Test(
        .spec(103, 107),
        arguments: [
            (Backoff(jitter: Jitter { 0.25 }), [0.25, 0.5, 0.05]),
            (Backoff(base: 0, throttledBase: 0, jitter: .none), []),
        ] as [(Backoff, [Double])]
    )
    func aRetryWaitsAsTheBackoffOfItsPolicySays(backoff: Backoff, sleeps: [Double]) async throws {
        let outcomes: [RetryScene.Outcome] = [.response(503), .response(429), .response(500), .response(200)]
        let scene = RetryScene(outcomes, RetryPolicy(retries: 3, backoff: backoff))
        expect(try await scene.fetch(), 200)
        expect(scene.clock.sleeps, sleeps)
        expect(scene.sent.count, 4)
    }

    @Test(.spec(109), arguments: [("http://h", 1), ("ftp://h/a", 0)])
    func aCallThatCannotBeSentOrDecodedIsNotRepeated(text: String, requests: Int) async {
        let scene = RetryScene([.response(200, body: "{")], RetryPolicy { _ in true })
        await #expect(throws: NetworkClient.Error.self) {
            let _: NetworkClient.Response<[Int]> = try await scene.client.fetch(request: URLRequest(url: url(text)))
        }
        expectAll((scene.sent.count, scene.clock.sleeps), (requests, []))
    }

    @Test(.spec(109, 110)) func eachAttemptRunsTheInnerInterceptorsWhoseErrorIsRetriedOnlyIfThePolicySaysSo()
        async throws
    {
        let (inner, outer) = (Recorder<Int>(), Recorder<Int>())
        let failing = AttemptRecorder(attempts: inner) { if $0 == 1 { throw Foreign() } }
        let outcomes: [RetryScene.Outcome] = [.response(503), .failure(.timedOut), .response(200)]
        var policy = RetryPolicy.counting(3)
        policy.retriesOtherErrors = { $0 is Foreign }
        let scene = RetryScene(outcomes, policy, outside: [AttemptRecorder(attempts: outer)], inside: [failing])
        expect(try await scene.fetch(), 200)
        expectAll((inner.values, outer.values), ([1, 2, 3, 4], [1]))
        expect(scene.sent.values.map { $0.value(forHTTPHeaderField: "X-Attempt") }, ["2", "3", "4"])
        expect(scene.lines.first { $0.hasPrefix("waits") }?.hasSuffix("RetryInterceptor, after Foreign"), true)
        let plain = RetryScene(outcomes, inside: [failing])
        await #expect(throws: Foreign.self) { try await plain.fetch() }
        expect(inner.count, 5)
    }

    @Test func theOptionsOfACallDecideWhatIsRetried() async throws {
        let scene = RetryScene([.response(503)], .counting(3))
        for (policy, requests) in [(.never, 1), (.counting(4), 5), (nil, 4)] as [(RetryPolicy?, Int)] {
            let before = scene.sent.count
            await #expect(throws: NetworkClient.Error.self) {
                try await scene.fetch(options: CallOptions { $0.retry = policy })
            }
            expect(scene.sent.count - before, requests)
        }
        expect(try await scene.fetch(options: CallOptions(acceptedStatuses: [503])), 503)
        expectAll((scene.sent.count, scene.lines.last), (11, "response 503"))
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
            3.000 s  waits 7.000 s: RetryInterceptor, after response 429, for at least as long as the server asks
            10.000 s  attempt 4
            10.000 s  response 200
            """
        expect("\(response.journey)", timeline)
    }

    @Test(.spec(102, 109)) func aPostWhoseRefreshLosesItsConnectionIsSentAgain() async throws {
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
        request.httpMethod = "POST"
        expect(try await client.fetch(request: request).httpResponse.statusCode, 200)
        expect(server.tokens(), ["old", "old", "new"])
        #expect(clock.sleeps.contains(1))
    }
}
