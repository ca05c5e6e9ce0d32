import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct RetryCancellationTests {
    /// An interceptor because of which each call runs in a task of its own.
    private static let foreign = ClosureInterceptor { request, next in
        try await next(request)
    }

    @Test(.spec(108, 126), arguments: [true, false], [true, false])
    func aCallThatIsCancelledWhileItWaitsForARetryEndsAtOnce(inOwnTask: Bool, byCancelAll: Bool) async throws {
        let scene = RetryScene(
            [.response(503), .response(200)],
            .counting(2),
            outside: inOwnTask ? [Self.foreign] : [],
            clock: TestClock()
        )
        let call = Task { try await scene.fetch() }
        try await withDeadline { try await scene.clock.waitForSleepers() }
        if byCancelAll { scene.client.cancelAll() } else { call.cancel() }
        await #expect(throws: CancellationError.self) { try await withDeadline { try await call.value } }
        expect(scene.sent.count, 1)
        expectAll((scene.clock.sleeperCount, scene.client.calls.count), (0, 0))
        expect(try await scene.fetch(), 200)
        expect(scene.sent.count, 2)
    }

    @Test(.spec(108, 109)) func aCallThatIsCancelledWhileItIsSentIsNotSentAgain() async throws {
        let (reached, never, sent) = (Gate(), Gate(), Recorder<Int>())
        let transport = ClosureTransport { _ in
            sent.record(1)
            reached.open()
            do { try await never.wait() } catch { throw TransportError(.connectionLost) }
            return (Data(), .made())
        }
        let clock = TestClock(advancesItself: true)
        let policy = RetryPolicy { _ in true }
        let client = NetworkClient(
            transport: transport,
            interceptors: [.retry(policy)],
            configuration: .init(time: clock)
        )
        let call = Task { try await client.fetch(request: URLRequest(url: url("http://h"))) }
        try await withDeadline { try await reached.wait() }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await call.value } }
        expectAll((sent.count, clock.sleeps), (1, []))
    }
}
