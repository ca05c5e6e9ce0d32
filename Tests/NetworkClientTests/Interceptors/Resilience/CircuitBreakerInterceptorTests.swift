import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CircuitBreakerInterceptorTests {
    private struct Foreign: Error {}

    private let eager = CircuitBreakerInterceptor.Thresholds(failureRatio: 0.5, minimumRequests: 2)

    /// A responds to each request with a redirect to B, which fails.
    @Test(.spec(236), arguments: [nil, .connectionLost, .timedOut] as [TransportError.Reason?])
    func aRedirectCountsForTheHostThatItHasReached(reason: TransportError.Reason?) async throws {
        let scene = ResilienceScene([.circuitBreaker()]) { request, _ in
            let place = request.url?.absoluteString ?? ""
            switch (request.url?.host, request.url?.path) {
            case ("a", "/ok"): return (Data(), .made(url: place))
            case ("a", _): return (Data(), .made(302, url: place, headers: ["Location": "https://b/file"]))
            default:
                if let reason { throw TransportError(reason, request: request) }
                return (Data(), .made(500, url: place))
            }
        }
        for _ in 1...60 { #expect(await scene.failure("https://a/file") is NetworkClient.Error) }
        expect(try await scene.fetch("https://a/ok"), 200)
        let refused = await scene.failure("https://b/file") as? CircuitOpenError
        expect(refused?.origin, "https://b")
        expect(scene.sent.count, 121)
    }

    /// The first request of a circuit that was open.
    @Test(.spec(236)) func aProbeThatIsRedirectedToABrokenHostClosesTheCircuitOfItsOwn() async throws {
        let scene = ResilienceScene([.circuitBreaker()]) { request, number in
            let place = request.url?.absoluteString ?? ""
            guard number >= 20, request.url?.host == "a" else { return (Data(), .made(500, url: place)) }
            return (Data(), .made(302, url: place, headers: ["Location": "https://b/"]))
        }
        for _ in 1...20 { _ = await scene.failure("https://a/") }
        #expect(await scene.failure("https://a/") is CircuitOpenError)
        scene.clock.advance(by: 5)
        for _ in 1...2 { expect((await scene.failure("https://a/") as? NetworkClient.Error)?.statusCode, 500) }
    }

    /// The status of a redirect within the origin, or of a credential that is replaced, is no outcome.
    @Test(.spec(113), arguments: [301, 401]) func aProbeThatFailsAfterAnotherStatusOpensTheCircuitAgain(first: Int)
        async throws
    {
        let session = TokenSession(store: InMemoryCredentialStore(AccessToken("old"))) { _ in AccessToken("new") }
        let bearer = AuthenticationInterceptor(.bearer(session), origins: [url("https://a")])
        let scene = ResilienceScene([.circuitBreaker(eager), bearer]) { request, number in
            let place = request.url?.absoluteString ?? ""
            let headers = first == 301 ? ["Location": "https://a/there"] : [:]
            return (Data(), .made(number == 2 ? first : 503, url: place, headers: headers))
        }
        for _ in 1...2 { _ = await scene.failure("https://a/") }
        scene.clock.advance(by: 5)
        expect((await scene.failure("https://a/") as? NetworkClient.Error)?.statusCode, 503)
        #expect(await scene.failure("https://a/") is CircuitOpenError)
        expect(scene.sent.count, 4)
    }

    @Test(.spec(113)) func aCircuitOpensAfterTenFailuresOfTwentyRequestsAndRefusesAtOnce() async throws {
        let scene = ResilienceScene([.circuitBreaker()]) { _, number in (Data(), .made(number % 2 == 1 ? 503 : 200)) }
        for _ in 0..<20 { _ = await scene.failure() }
        scene.clock.advance(by: 2)
        let error = await scene.failure()
        expect(scene.sent.count, 20)
        expect(error as? CircuitOpenError, .init(origin: "https://api.example.com", secondsUntilProbe: 3))
        expect(
            error?.localizedDescription,
            "The request was not sent: requests to 'https://api.example.com' have failed, and the next probe "
                + "will be sent in 3 s."
        )
        let shared = URLRequest(url: url("https://api.example.com/items")).withInstanceCaching()
        await #expect(throws: CircuitOpenError.self) { try await scene.client.fetch(request: shared) }
        expect(scene.sent.count, 20)
    }

    /// Also if the call that opens it has no log.
    @Test(.spec(288), arguments: [true, false])
    func aCircuitWarnsOnceWhenItOpensAndOnceWhenItCloses(isLogged: Bool) async throws {
        let (clock, events) = (TestClock(), Recorder<NetworkLogEvent>())
        let transport = StubTransport(otherwise: .status(503))
        let client = NetworkClient(
            transport: transport,
            interceptors: [.circuitBreaker],
            logging: EventLogger(events),
            configuration: .init(time: clock)
        )
        let request = URLRequest(url: url("https://h/a"))
        for number in 0..<60 {
            let options = CallOptions(logging: isLogged || number >= 20 ? nil : .off)
            _ = try? await client.fetch(request: request, options: options)
        }
        clock.advance(by: 5)
        transport.on(.any, .status(200))
        try await client.fetch(request: request)
        let own = events.values.filter { if case .received = $0.stage { false } else { $0.part == .response } }
        expect(transport.requests.count, 21)
        expect(own.map(\.type), [.warning] + Array(repeating: .debug, count: 40) + [.warning])
        let texts = own.map { NetworkLogFormatter().text(of: $0, requestLevel: .off, responseLevel: .status) ?? "" }
        let opened = ": the circuit opens for 5 s, since 20 of 20 requests to 'https://h' failed"
        let reason = "requests to 'https://h' have failed, and the next probe will be sent in 5 s"
        let found = " (not sent): the circuit is open: \(reason)"
        expect(texts.first, "GET https://h/a" + (isLogged ? opened : found))
        expect(
            texts[1],
            "GET https://h/a failed after 0 ms (not sent): The request was not sent: \(reason)."
        )
        expect(texts.last, "GET https://h/a: the circuit closes, since the probe of 'https://h' succeeded")
    }

    @Test(.spec(113)) func eachOriginHasItsOwnCircuit() async throws {
        let scene = ResilienceScene([.circuitBreaker(eager)]) { request, _ in
            (Data(), .made(request.url?.port == 8080 ? 500 : 200))
        }
        for _ in 0..<3 { _ = await scene.failure("https://a.example:8080/") }
        expect(scene.sent.count, 2)
        expect(try await scene.fetch("https://a.example/"), 200)
    }

    @Test(.spec(113)) func aProbeThatSucceedsClosesTheCircuitAndOneThatFailsKeepsItOpen() async throws {
        let scene = ResilienceScene([.circuitBreaker(eager)], statuses: [500, 500, 500, 200])
        for _ in 0..<2 { _ = await scene.failure() }
        scene.clock.advance(by: 5)
        expect((await scene.failure() as? NetworkClient.Error)?.statusCode, 500)
        expect((await scene.failure() as? CircuitOpenError)?.secondsUntilProbe, 5)
        expect(scene.sent.count, 3)
        scene.clock.advance(by: 5)
        let request = URLRequest(url: url("https://api.example.com/items?token=secret"))
        let response: NetworkClient.Response<Void> = try await scene.client.fetch(request: request)
        let decisions = response.journey.steps.filter { $0.kind == .decision }.map(\.detail)
        expect(
            decisions,
            [
                "CircuitBreakerInterceptor: probes 'https://api.example.com'",
                "CircuitBreakerInterceptor: closes, since the probe of 'https://api.example.com' succeeded",
            ]
        )
        expect(try await scene.fetch(), 200)
    }

    @Test(.spec(113), arguments: [true, false])
    func aCancelledProbeLetsTheNextRequestProbe(byCancelAll: Bool) async throws {
        let (isProbing, never) = (Gate(), Gate())
        let scene = ResilienceScene([.circuitBreaker(eager)]) { _, number in
            if number == 2 {
                isProbing.open()
                try await never.wait()
            }
            return (Data(), .made(number < 2 ? 500 : 200))
        }
        for _ in 0..<2 { _ = await scene.failure() }
        scene.clock.advance(by: 5)
        let probe = Task { try await scene.fetch() }
        try await withDeadline { try await isProbing.wait() }
        expect((await scene.failure() as? CircuitOpenError)?.secondsUntilProbe, 0)
        if byCancelAll { scene.client.cancelAll() } else { probe.cancel() }
        await #expect(throws: CancellationError.self) { try await withDeadline { try await probe.value } }
        expect(try await scene.fetch(), 200)
        expect(scene.sent.count, 4)
    }

    /// The probe waits for the refresh, which is sent to the same server by the same client.
    @Test(.spec(100, 113)) func aRefreshPassesTheProbeThatWaitsForIt() async throws {
        let client = Locked<NetworkClient?>(nil)
        let session = TokenSession(store: InMemoryCredentialStore(AccessToken("old"))) { _ in
            let request = URLRequest(url: url("https://api.example.com/token"))
            _ = try await client.withLock { $0 }?.fetch(request: request)
            return AccessToken("new")
        }
        let authentication = AuthenticationInterceptor(.bearer(session), origins: [url("https://api.example.com")])
        let scene = ResilienceScene([.circuitBreaker(eager), authentication]) { request, number in
            let isExpired = request.value(forHTTPHeaderField: "Authorization") == "Bearer old"
            return (Data(), .made(number < 2 ? 503 : isExpired ? 401 : 200))
        }
        client.withLock { $0 = scene.client }
        for _ in 0..<2 { _ = await scene.failure() }
        scene.clock.advance(by: 5)
        expect(try await withDeadline { try await scene.fetch() }, 200)
        expect(scene.sent.values.map { $0.url?.path }, ["/items", "/items", "/items", "/token", "/items"])
        expect(try await scene.fetch(), 200)
    }

    /// Thirty callers wait for one exchange, which is one request to the server.
    @Test(.spec(113)) func anExchangeThatManyCallsShareIsOneFailure() async throws {
        let gate = Gate()
        let scene = ResilienceScene([.circuitBreaker()]) { _, number in
            try await gate.wait()
            return (Data(), .made(number == 0 ? 503 : 200))
        }
        let calls = (0..<30).map { _ in
            Task {
                let request = URLRequest(url: url("https://api.example.com/items")).withInstanceCaching()
                return try await scene.client.fetch(request: request).statusCode
            }
        }
        try await eventually("the callers") { scene.client.sharing.waiterCount == 30 }
        gate.open()
        for call in calls { await #expect(throws: NetworkClient.Error.self) { try await call.value } }
        expect(try await scene.fetch(), 200)
        expect(scene.sent.count, 2)
    }

    /// A stream's head is its end for the interceptor.
    @Test(.spec(113), arguments: TransportUnderTest.all)
    func theHeadOfAStreamClosesTheCircuitWhileItsBodyGoesOn(transport: TransportUnderTest) async throws {
        let (isBroken, goesOn) = (Locked(true), Gate())
        let server = try LoopbackServer { _ in
            guard !isBroken.withLock({ $0 }) else { return .respond(status: 503) }
            return [.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"), .wait(goesOn), .send("ok")]
        }
        let clock = TestClock()
        let client = try transport.client(interceptors: [.circuitBreaker(eager)], configuration: .init(time: clock))
        let request = URLRequest(url: server.url("/items"))
        for _ in 0..<2 {
            await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
        }
        isBroken.withLock { $0 = false }
        clock.advance(by: 5)
        try await withDeadline {
            let probe = try await client.stream(request)
            let other = try await client.stream(request)
            goesOn.open()
            for try await _ in probe.item {}
            for try await _ in other.item {}
        }
    }

    @Test(
        arguments: [(200, false), (304, false), (404, false), (408, false), (429, false), (501, false), (505, false)]
            + [500, 502, 503, 504, 511, 599].map { ($0, true) },
        [true, false]
    )
    func theStatusesOfAFailingServerAreFailures(status: (Int, Bool), isAccepted: Bool) async {
        let scene = ResilienceScene([.circuitBreaker(eager)], statuses: [status.0])
        let statuses: AcceptedStatuses = isAccepted ? .init(100...599) : .init(100...199)
        for _ in 0..<2 { _ = await scene.failure(options: CallOptions(acceptedStatuses: statuses)) }
        expect((await scene.failure() is CircuitOpenError), status.1)
    }

    private static let ofTheServer: [TransportError.Reason] = [
        .timedOut, .connectionLost, .connectionRefused, .nameNotResolved, .secureConnectionFailed, .proxyRefused,
        .malformedResponse, .other,
    ]

    private static let ofTheClient: [TransportError.Reason] = [
        .offline, .tooManyOpenFiles, .bodyTooLarge, .tooManyRedirects, .redirectRefused, .bodyNotReplayable,
        .bodyUnreadable, .invalidRequest, .transportClosed, .unsupported, .notInCache,
    ]

    private static let ofTheProxy: [(HTTPStatus, Bool)] = [
        (502, true), (503, true), (504, true), (403, false), (407, false),
    ]

    /// In steps with types: the compiler takes 12 s for one expression, and checks it twice.
    private static var failures: [(any Error, Bool)] {
        var failures: [(any Error, Bool)] = [(CancellationError(), false), (Foreign(), false)]
        failures += ofTheServer.map { reason -> (any Error, Bool) in (TransportError(reason), true) }
        failures += ofTheClient.map { reason -> (any Error, Bool) in (TransportError(reason), false) }
        return failures
            + ofTheProxy.map { status, counts -> (any Error, Bool) in
                (TransportError(.proxyRefused, proxyStatus: status), counts)
            }
    }

    @Test(.spec(178), arguments: failures)
    func onlyTheFailuresOfAServerAreFailuresOfItsCircuit(error: any Error, counts: Bool) async {
        let scene = ResilienceScene([.circuitBreaker(eager)]) { _, _ in throw error }
        for _ in 0..<2 { _ = await scene.failure() }
        expect(await scene.failure() is CircuitOpenError, counts)
    }

    @Test func aRetryDoesNotRepeatARefusedRequest() async {
        let clock = TestClock(advancesItself: true)
        let scene = ResilienceScene([.retry(.counting(9)), .circuitBreaker(eager)], clock: clock, statuses: [500])
        expect((await scene.failure() as? NetworkClient.Error)?.statusCode, 500)
        expect(scene.sent.count, 2)
        let sleeps = clock.sleeps
        #expect(await scene.failure() is CircuitOpenError)
        expect(scene.sent.count, 2)
        expect(clock.sleeps, sleeps)
    }
}
