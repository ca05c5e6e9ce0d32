import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct RequestContextTests {
    private enum Colour: CallOptionKey {
        static let defaultValue = "none"
    }

    /// Records the context of each request that passes it.
    private struct Looks: InterceptorProtocol {
        var runsInCallersTask: Bool { true }

        let seen = Recorder<RequestContext>()

        func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
            seen.record(RequestContext.current)
            return try await next(request)
        }
    }

    /// Sends a request up to three times, within a deadline.
    private struct Repeats: InterceptorProtocol {
        var runsInCallersTask: Bool { true }

        var timeout: TimeInterval = 60
        var wait: TimeInterval = 0

        func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
            try await RequestContext.current.limited(to: timeout) {
                let context = RequestContext.current
                var last: Result<NetworkClient.ChainResult, any Error>?
                for retry in 0..<3 {
                    if retry > 0 { try await context.wait(seconds: wait, before: request, "Repeats") }
                    do {
                        return try await context.sendingAgain(retry: retry) { try await next(request) }
                    } catch {
                        last = .failure(error)
                    }
                }
                return try #require(last).get()
            }
        }
    }

    private let request = URLRequest(url: url("https://api.example.com/items?token=1"))

    @Test(.spec(110)) func innerInterceptorsRunAgainForEachAttemptAndCanReadItsNumber() async throws {
        let looks = Looks()
        let client = NetworkClient(
            transport: ClosureTransport(status: 503, json: "{}"),
            interceptors: [Repeats(), looks]
        )
        await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
        expect(looks.seen.values.map(\.attempt), [1, 2, 3])
    }

    @Test func anInterceptorReadsTheValuesOfTheOptionsOfItsCall() async throws {
        let looks = Looks()
        let client = NetworkClient(transport: ClosureTransport(json: "{}"), interceptors: [looks])
        var options = CallOptions()
        expect(options[Colour.self], "none")
        options[Colour.self] = "green"
        try await client.fetch(request: request, options: options)
        try await client.fetch(request: request)
        expect(looks.seen.values.map { $0[Colour.self] }, ["green", "none"])
    }

    @Test(.spec(281)) func theJourneyNamesTheOptionsThatNoInterceptorHasRead() async throws {
        let reads = ClosureInterceptor { request, next in
            _ = RequestContext.current[Colour.self]
            return try await next(request)
        }
        var all = CallOptions(retry: .default, isIdempotent: true, authentication: .optional, compression: .gzip)
        all[Colour.self] = "green"
        let none = CallOptions(retry: .never, authentication: .none, compression: .identity)
        let rows: [([any InterceptorProtocol], CallOptions, [String])] = [
            ([], all, ["retry", "compression", "colour"]), ([reads], all, ["retry", "compression"]),
            ([.retry(), .compression(), reads], all, []), ([], none, []), ([.retry()], CallOptions(), []),
        ]
        for (interceptors, options, unread) in rows {
            let client = NetworkClient(transport: ClosureTransport(json: "{}"), interceptors: interceptors)
            let response = try await client.fetch(request: request, options: options)
            expect(
                response.journey.steps.filter { $0.kind == .decision }.map(\.detail),
                unread.map { "no interceptor has read the option '\($0)'" }
            )
        }
        let failing = NetworkClient(transport: ClosureTransport(status: 503, json: "{}"))
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await failing.fetch(request: request, options: CallOptions(retry: .default))
        }
        expect(
            error?.journey?.steps.map(\.kind),
            [.attempt, .decision, .response],
            "\(error?.journey, default: "none")"
        )
    }

    @Test func aKeyOfAnOptionalKeepsItsDefaultBesideOtherValues() {
        enum Priority: CallOptionKey {
            static let defaultValue: Int? = 5
        }
        var options = CallOptions()
        options[Colour.self] = "green"
        expect(options[Priority.self], 5)
        options[Priority.self] = nil
        expect(options[Priority.self], nil)
    }

    @Test func aCallInsideACallHasItsOwnContext() async throws {
        let inner = Looks()
        let innerClient = NetworkClient(transport: ClosureTransport(json: "{}"), interceptors: [inner])
        let place = request
        let outer = NetworkClient(
            transport: ClosureTransport { request in
                try await innerClient.fetch(request: place)
                return (Data(), .made())
            },
            interceptors: [Repeats(timeout: 5)]
        )
        try await outer.fetch(request: request)
        let context = try #require(inner.seen.values.first)
        expect(context.attempt, 1)
        expect(context.remainingTime, nil)
    }

    @Test func outsideACallTheContextHasNoDeadline() async throws {
        expect(RequestContext.current.attempt, 1)
        expect(RequestContext.current.remainingTime, nil)
        expect(RequestContext.current[Colour.self], "none")
        try await RequestContext.current.wait(seconds: 0, before: request, "nothing")
    }

    @Test(.spec(112)) func aDeadlineLimitsEachAttemptAndNoneIsSentAfterIt() async throws {
        let clock = TestClock(advancesItself: true)
        let limits = Recorder<TimeInterval?>()
        let client = NetworkClient(
            transport: ClosureTransport { (_: URLRequest, options: TransportOptions) in
                limits.record(options.exchangeTimeout)
                return TransportResponse(response: .made(503))
            },
            interceptors: [Repeats(timeout: 10, wait: 6)],
            configuration: .init(attemptTimeout: 7, time: clock)
        )
        await #expect { try await client.fetch(request: request) } throws: { error in
            guard case NetworkClient.Error.requestError(let error) = error else { return false }
            return error.reason == .timedOut && "\(error)".contains("it took longer than its deadline of 10 s")
        }
        expect(limits.values, [7, 4])
    }

    @Test(.spec(108, 126), arguments: [true, false])
    func aWaitOfAnInterceptorEndsWithItsCall(cancelsAll: Bool) async throws {
        let clock = TestClock()
        let client = NetworkClient(
            transport: ClosureTransport(status: 503, json: "{}"),
            interceptors: [Repeats(wait: 5)],
            configuration: .init(time: clock)
        )
        let call = Task { try await client.fetch(request: request) }
        try await withDeadline { try await clock.waitForSleepers() }
        if cancelsAll { client.cancelAll() } else { call.cancel() }
        await #expect(throws: CancellationError.self) { try await withDeadline { try await call.value } }
        expect(clock.sleeperCount, 0)
    }

    @Test func theJourneyOfAResponseHasEachStepWithItsTime() async throws {
        let clock = TestClock(advancesItself: true)
        let statuses = Recorder<Int>()
        let client = NetworkClient(
            transport: ClosureTransport { _ in
                statuses.record(0)
                return (Data(), .made(statuses.count < 2 ? 503 : 200))
            },
            interceptors: [Repeats(wait: 1.5)],
            configuration: .init(time: clock)
        )
        let response = try await client.fetch(request: request)
        expect(response.journey.attempts, 2)
        #expect(
            response.journey.description == """
                0.000 s  attempt 1
                0.000 s  response 503
                0.000 s  waits 1.500 s: Repeats
                1.500 s  attempt 2
                1.500 s  response 200
                """
        )
    }

    @Test func aResponseWithoutInterceptorsHasAJourneyOfOneAttempt() async throws {
        let client = NetworkClient(transport: ClosureTransport(status: 201, json: "{}"))
        let journey = try await client.fetch(request: request).journey
        expect(journey.steps.map(\.kind), [.attempt, .response])
        expect(journey.steps.last?.number, 201)
        expect(journey.attempts, 1)
    }

    @Test(arguments: TransportUnderTest.all, [true, false])
    func theJourneyNamesRedirectsWithoutTheirQueries(transport: TransportUnderTest, hasInterceptor: Bool) async throws {
        let server = try LoopbackServer(routes: ["/a": .redirect(to: "/b?secret=1"), "/b": .json("7")])
        let client = try transport.client(interceptors: hasInterceptor ? [Looks()] : [])
        let request = URLRequest(url: server.url("/a"))
        let response: NetworkClient.Response<Int> = try await client.fetch(request: request)
        expect(response.item, 7)
        expect(response.journey.steps.map(\.kind), [.attempt, .redirect, .response])
        expect(response.journey.steps[1].number, 302)
        #expect(response.journey.description.contains("redirect 302 to \(server.url("/b").absoluteString)"))
        expect(response.journey.description, lacks: "secret")
    }

    @Test(.spec(164), arguments: [true, false])
    func theJourneyOfALoopNamesTheRedirectsThatWereFollowed(hasInterceptor: Bool) async throws {
        let reports = Recorder<CallReport>()
        let redirect = StubTransport.Response.status(302).setting(header: .custom(name: "Location", value: "/"))
        let transport = StubTransport(otherwise: redirect)
        let client = NetworkClient(
            transport: transport,
            interceptors: hasInterceptor ? [Looks()] : [],
            configuration: .init(observer: { reports.record($0) })
        )
        await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
        let followed = reports.values.first?.journey.steps.filter { $0.kind == .redirect }.count
        expectAll((followed, transport.requests.count), (20, 21))
    }

    @Test func theJourneyNamesAnErrorOfTheRequest() async throws {
        let reports = Recorder<CallReport>()
        let client = NetworkClient(
            transport: StubTransport(),
            interceptors: [Looks()],
            configuration: .init(observer: { reports.record($0) })
        )
        let request = URLRequest(url: url("ftp://u:s3cret@h/a?token=s3cret"))
        await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
        let text = try #require(reports.values.first).journey.description
        #expect(text.contains("failure: ") && text.contains("ftp") && !text.contains("s3cret"))
    }

    @Test(.spec(115), arguments: TransportUnderTest.all, [true, false])
    func callsThatShareAnExchangeHaveTheirOwnJourneys(transport: TransportUnderTest, hasInterceptor: Bool) async throws
    {
        let (arrived, gate) = (Gate(), Gate())
        let server = try LoopbackServer { _ in [.open(arrived), .wait(gate), .respond(body: "7")] }
        let client = try transport.client(interceptors: hasInterceptor ? [Looks()] : [])
        let request = URLRequest(url: server.url).withInstanceCaching()
        let first = Task { try await client.fetch(request: request) }
        try await arrived.wait()
        let second = Task { try await client.fetch(request: request) }
        try await withDeadline { while client.sharing.waiterCount < 2 { await Task.yield() } }
        gate.open()
        expect(try await first.value.journey.steps.map(\.kind), [.attempt, .response])
        expect(try await second.value.journey.steps.map(\.kind), [.attempt, .sharing, .response])
        expect(server.requests.count, 1)
    }

    @Test func aCallWithoutInterceptorsDoesNotObeyTheDeadlineOfTheCallAroundIt() async throws {
        let clock = TestClock(advancesItself: true)
        let reports = Recorder<CallReport>()
        let inner = NetworkClient(
            transport: ClosureTransport(json: "{}"),
            configuration: .init(time: clock, observer: { reports.record($0) })
        )
        let place = request
        let outer = NetworkClient(
            transport: ClosureTransport { _ in
                try await clock.sleep(seconds: 20)
                try await inner.fetch(request: place)
                return (Data(), .made())
            },
            interceptors: [Repeats(timeout: 5)],
            configuration: .init(time: clock)
        )
        _ = try? await outer.fetch(request: request)
        expect(reports.values.first.map { $0.error == nil }, true)
    }
}
