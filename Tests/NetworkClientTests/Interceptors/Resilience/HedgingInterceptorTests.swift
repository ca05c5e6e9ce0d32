import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct HedgingInterceptorTests {
    private struct Failure: Error, Equatable {
        let attempt: Int
    }

    /// Records whether a call may be sent twice at once.
    private struct Witness: InterceptorProtocol {
        let verdicts: Recorder<Bool>

        func process(
            _ request: URLRequest,
            next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
        ) async throws -> NetworkClient.ChainResult {
            verdicts.record(RequestContext.current.maySendTwiceAtOnce)
            return try await next(request)
        }
    }

    private let hedging = HedgingInterceptor(after: .seconds(0.2), extraLoad: 1)

    /// Starts a request, and advances the clock by the delay as soon as it is in flight.
    private func hedge(_ scene: ResilienceScene) async throws -> Task<Int, any Error> {
        let task = Task { try await scene.fetch() }
        try await withDeadline { try await scene.clock.waitForSleepers() }
        try await eventually("the first attempt") { scene.sent.count == 1 }
        scene.clock.advance(by: 0.2)
        return task
    }

    @Test func aLateResponseIsAskedForAgainAndTheSlowerAttemptIsCancelled() async throws {
        let (never, isCancelled) = (Gate(), Gate())
        let scene = ResilienceScene([hedging]) { _, number in
            guard number == 0 else { return (Data(), .made(201)) }
            do {
                try await never.wait()
            } catch {
                isCancelled.open()
                throw error
            }
            return (Data(), .made())
        }
        #expect(try await withDeadline { try await hedge(scene).value } == 201)
        #expect(isCancelled.isOpen)
        #expect(scene.sent.count == 2)
        #expect(scene.clock.sleeperCount == 0)
    }

    @Test func aResponseInTimeIsNotAskedForAgain() async throws {
        let scene = ResilienceScene([hedging], statuses: [200])
        #expect(try await withDeadline { try await scene.fetch() } == 200)
        #expect(scene.sent.count == 1)
        #expect(scene.clock.sleeperCount == 0)
    }

    @Test func anErrorBeforeTheDelayIsThrownAtOnce() async throws {
        let scene = ResilienceScene([hedging]) { _, number in throw Failure(attempt: number) }
        await #expect(throws: Failure(attempt: 0)) { try await withDeadline { try await scene.fetch() } }
        #expect(scene.sent.count == 1)
    }

    @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
    func anErrorEndsTheCallOnlyIfNoOtherAttemptIsInFlight(firstFails: Bool, secondEndsFirst: Bool) async throws {
        let gates = [Gate(open: !secondEndsFirst), Gate(open: secondEndsFirst)]
        let bothSent = Gate()
        let scene = ResilienceScene([hedging]) { _, number in
            if number == 1 { bothSent.open() }
            try await bothSent.wait()
            try await gates[number].wait()
            gates[1 - number].open()
            if number == 1 || firstFails { throw Failure(attempt: number) }
            return (Data(), .made(202))
        }
        let task = try await hedge(scene)
        if firstFails {
            await #expect(throws: Failure(attempt: 0)) { try await withDeadline { try await task.value } }
        } else {
            #expect(try await withDeadline { try await task.value } == 202)
        }
        #expect(scene.sent.count == 2)
    }

    @Test(.spec(126), arguments: [true, false])
    func aCancellationEndsBothAttempts(byCancelAll: Bool) async throws {
        let never = Gate()
        let ended = Locked(0)
        let scene = ResilienceScene([hedging]) { _, _ in
            defer { ended.withLock { $0 += 1 } }
            try await never.wait()
            return (Data(), .made())
        }
        let task = try await hedge(scene)
        try await eventually("the second attempt") { scene.sent.count == 2 }
        if byCancelAll { scene.client.cancelAll() } else { task.cancel() }
        await #expect(throws: CancellationError.self) { try await withDeadline { try await task.value } }
        try await eventually("the end of both") { ended.withLock { $0 } == 2 }
    }

    /// Whether the second attempt of a request is prepared.
    private func isHedged(_ request: URLRequest, isExpected: Bool, _ options: CallOptions) async throws -> Bool {
        let clock = TestClock()
        let scene = ResilienceScene([hedging], clock: clock) { _, _ in
            if isExpected { try await clock.waitForSleepers() }
            return (Data(), .made())
        }
        _ = try await withDeadline { try await scene.client.fetch(request: request, options: options) }
        return !clock.sleeps.isEmpty
    }

    @Test(
        arguments: [
            (.get, nil, nil, true), (.head, nil, nil, true), (.put, nil, nil, true), (.post, nil, nil, false),
            (.patch, nil, nil, false), (.post, "key", nil, true), (.post, "", nil, false), (.post, nil, true, true),
            (.get, nil, false, false), (.post, "key", false, false),
        ] as [(HTTPMethod, String?, Bool?, Bool)]
    )
    func onlyIdempotentRequestsAreSentTwice(
        method: HTTPMethod,
        key: String?,
        specified: Bool?,
        isIdempotent: Bool
    ) async throws {
        var request = URLRequest(url: url("https://api.example.com/"))
        request.method = method
        request.setValue(key, forHTTPHeaderField: "Idempotency-Key")
        var options = CallOptions()
        options.isIdempotent = specified
        #expect(try await isHedged(request, isExpected: isIdempotent, options) == isIdempotent)
    }

    @Test func aRequestWhoseBodyIsAStreamIsNotSentTwice() async throws {
        var request = URLRequest(url: url("https://api.example.com/"))
        request.method = .put
        request.httpBodyStream = InputStream(data: Data([1]))
        #expect(try await !isHedged(request, isExpected: false, CallOptions()))
    }

    @Test func neitherStreamsNorTransfersNorSharedExchangesAreSentTwice() async throws {
        let verdicts = Recorder<Bool>()
        let client = NetworkClient(
            transport: ClosureTransport(json: "{}"),
            interceptors: [Witness(verdicts: verdicts)],
            logging: .off
        )
        let request = URLRequest(url: url("https://api.example.com/"))
        let folder = try TemporaryDirectory()
        try await client.fetch(request: request)
        _ = try await client.stream(request: request)
        _ = try await client.download(request: request, to: folder.url.appendingPathComponent("file")).value
        _ = try await client.upload(request: request).value
        try await client.fetch(request: request.withInstanceCaching())
        #expect(verdicts.values == [true, false, false, false, false])
    }

    @Test func aRequestThatMayNotBeSentTwiceDoesNotWait() async throws {
        let scene = ResilienceScene([hedging], statuses: [200])
        var request = URLRequest(url: url("https://api.example.com/"))
        request.method = .post
        try await scene.client.fetch(request: request)
        #expect(scene.clock.sleeps.isEmpty)
    }

    @Test func theSecondAttemptsAreATenthOfTheRequestsAndOneMore() {
        var state = HedgingState(percentile: nil, extraLoad: 0.1)
        var count = 0
        for _ in 0..<1_000 {
            #expect(state.begin() == nil)
            if state.takeExtraAttempt() { count += 1 }
        }
        #expect(count == 101)
        for _ in 0..<1_000 { _ = state.begin() }
        #expect((0..<50).filter { _ in state.takeExtraAttempt() }.count == 10)
        var none = HedgingState(percentile: nil, extraLoad: 0)
        let isTaken = none.takeExtraAttempt()
        #expect(!isTaken)
    }

    @Test(arguments: [(95.0, 95.0), (50, 50), (99.5, 100), (0, 1), (100, 100)])
    func theDelayIsThePercentileOfTheLatencies(percentile: Double, delay: Double) {
        var state = HedgingState(percentile: percentile, extraLoad: 0.1)
        for _ in 0..<19 { state.add(latency: 7) }
        #expect(state.begin() == nil)
        state.add(latency: 7)
        #expect(state.begin() == 7)
        for latency in (1...100).reversed() { state.add(latency: Double(latency)) }
        #expect(state.begin() == delay)
    }

    @Test func theDelayFollowsEveryTenthLatencyWhileTheTableFills() {
        var state = HedgingState(percentile: 100, extraLoad: 0.1)
        var delays: [Double?] = []
        for latency in 1...40 {
            state.add(latency: Double(latency))
            delays.append(state.begin())
        }
        let expected =
            [Double?](repeating: nil, count: 19) + [20.0, 30].flatMap { [Double?](repeating: $0, count: 10) }
        #expect(delays == expected + [40])
    }

    /// The attempts end in either order, and the slower one returns a response although it was cancelled.
    @Test func theResponseOfTheWinnerIsReturnedUnharmedAlthoughTheLoserRespondsLater() async throws {
        let never = Gate()
        let number = Locked(0)
        let clock = TestClock(advancesItself: true)
        let transport = ClosureTransport { request, _ in
            let index = number.withLock { number in
                number += 1
                return number
            }
            if index == 1 { try? await never.wait() }
            let response = HTTPURLResponse.made(headers: ["X-Attempt": "\(index)"])
            let metrics = TransportMetrics(total: Double(index))
            return TransportResponse(response: response, data: Data("\(index)".utf8), metrics: metrics)
        }
        let client = NetworkClient(
            transport: transport,
            interceptors: [hedging],
            logging: .off,
            configuration: .init(time: clock)
        )
        for _ in 0..<100 {
            number.withLock { $0 = 0 }
            let request = URLRequest(url: url("https://api.example.com/"))
            let response: NetworkClient.Response<Int> = try await withDeadline {
                try await client.fetch(request: request)
            }
            #expect(response.item == 2)
            #expect(response["X-Attempt"] == "2")
            #expect(response.metrics?.total == 2)
            #expect(response.journey.attempts == 2)
        }
    }

    @Test(arguments: TransportUnderTest.all)
    func theSecondResponseOfARealServerWinsAndTheFirstConnectionIsClosed(transport: TransportUnderTest) async throws {
        let isClosed = Gate()
        let count = Locked(0)
        let server = try LoopbackServer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number > 1 else { return .awaitPeerClose(then: isClosed) }
            return .respond(headers: ["Content-Type": "application/json", "X-Attempt": "\(number)"], body: "[2]")
        }
        let clock = TestClock()
        let client = try transport.client(interceptors: [hedging], configuration: .init(time: clock))
        let task = Task { () -> NetworkClient.Response<[Int]> in
            try await client.fetch(request: URLRequest(url: server.url("/items")))
        }
        try await withDeadline {
            try await server.waitForHeads(count: 1)
            try await clock.waitForSleepers()
        }
        clock.advance(by: 0.2)
        let response = try await withDeadline { try await task.value }
        #expect(response.item == [2])
        #expect(response["x-attempt"] == "2")
        try await withDeadline { try await isClosed.wait() }
        #expect(client.calls.count == 0)
    }

    @Test(arguments: TransportUnderTest.all)
    func manyRequestsAreHedgedAtTheSameTime(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { request in
            .respond(headers: ["Content-Type": "application/json"], body: String(request.path.dropFirst()))
        }
        // Each delay is over at once, so that both attempts race.
        let clock = TestClock(advancesItself: true)
        let client = try transport.client(interceptors: [hedging], configuration: .init(time: clock))
        try await withDeadline {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let request = URLRequest(url: server.url("/\(number)"))
                        let response: NetworkClient.Response<Int> = try await client.fetch(request: request)
                        #expect(response.item == number)
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
