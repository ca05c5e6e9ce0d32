import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// A door that opens once, for the tasks that wait at it.
private struct Door: Sendable {
    private struct State {
        var isOpen = false
        var waiters = Waiters<Void>()
    }

    private let state = Locked(State())

    var waiterCount: Int { state.withLock { $0.waiters.count } }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            return state.waiters.removeAll()
        }
        for waiter in waiters { waiter.resume() }
    }

    nonisolated(nonsending) func pass(until limit: TimeLimit? = nil, begun: () -> Void = {}) async throws {
        try await state.wait(until: limit) { state, waiter in
            guard !state.isOpen else { return () }
            state.waiters.add(waiter)
            return nil
        } leaving: { [state] id in
            state.withLock { $0.waiters.remove(id) }
        } begun: {
            begun()
        }
    }
}

struct TimeLimitTests {
    @Test func aWaitEndsWhenItsWaiterIsResumedAndAnEventFromBeforeEndsItAtOnce() async throws {
        let door = Door()
        let waits = Gate()
        let waiting = Task { try await door.pass { waits.open() } }
        try await waits.wait()
        door.open()
        try await withDeadline { try await waiting.value }
        try await door.pass()
        expect(door.waiterCount, 0)
    }

    @Test func aWaitEndsAtItsLimitOnTheClockOfTheLimit() async throws {
        let (clock, door) = (TestClock(now: 10), Door())
        let waiting = Task { try await door.pass(until: TimeLimit(seconds: 5, on: clock)) }
        try await clock.waitForSleepers()
        clock.advance(by: 4.9)
        expect(door.waiterCount, 1)
        clock.advance(by: 0.1)
        await #expect(throws: TimeLimit.Passed.self) { try await withDeadline { try await waiting.value } }
        expect(door.waiterCount, 0)
    }

    @Test func aWaitEndsAtItsLimitOnTheSystemsClock() async {
        let limit = TimeLimit(seconds: 0.01, on: SystemTimeSource())
        await #expect(throws: TimeLimit.Passed.self) { try await withDeadline { try await Door().pass(until: limit) } }
    }

    @Test func theAlarmOfAWaitThatHasEndedIsStopped() async throws {
        let (clock, door) = (TestClock(), Door())
        let waiting = Task { try await door.pass(until: TimeLimit(seconds: 5, on: clock)) }
        try await clock.waitForSleepers()
        door.open()
        try await withDeadline { try await waiting.value }
        try await withDeadline { while clock.sleeperCount > 0 { await Task.yield() } }
    }

    @Test func cancellingATaskOrItsCallEndsItsWait() async throws {
        let (door, waits) = (Door(), Gate())
        let task = Task { try await door.pass { waits.open() } }
        try await waits.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await task.value } }
        let scope = CallScope()
        let call = Task { try await scope.run { try await door.pass { scope.cancel() } } }
        await #expect(throws: CancellationError.self) { try await withDeadline { try await call.value } }
        expect(door.waiterCount, 0)
    }

    @Test func aTaskThatWasCancelledBeforeDoesNotWait() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await Door().pass()
        }
        await #expect(throws: CancellationError.self) { try await withDeadline { try await task.value } }
    }

    @Test(arguments: [nil, Double.infinity, .nan]) func noNumberAndNoEndAreNoLimit(seconds: Double?) {
        #expect(TimeLimit(seconds: seconds, on: SystemTimeSource()) == nil)
    }

    @Test(.spec(203)) func noLimitPassesWorkOnAClockThatAdvancesItself() async throws {
        let clock = TestClock(advancesItself: true)
        let limit = try #require(TimeLimit(seconds: 5, on: clock))
        let value = try await limit.run {
            for _ in 1...100 { await Task.yield() }
            return 7
        }
        expect(value, 7)
        expect(clock.sleeps, [])
    }

    @Test func workThatPassesItsLimitIsCancelledAndNotWaitedFor() async throws {
        let clock = TestClock()
        let limit = try #require(TimeLimit(seconds: 5, on: clock))
        let (cancelled, hasBegun, end) = (Gate(), Gate(), Door())
        let waiting = Task {
            try await limit.run {
                hasBegun.open()
                await withTaskCancellationHandler {
                    // Ignores its cancellation.
                    await Task.detached { try? await end.pass() }.value
                } onCancel: {
                    cancelled.open()
                }
            }
        }
        try await hasBegun.wait()
        try await clock.waitForSleepers()
        clock.advance(by: 5)
        await #expect(throws: TimeLimit.Passed.self) { try await withDeadline { try await waiting.value } }
        try await cancelled.wait()
        end.open()
    }

    @Test func theErrorOfLimitedWorkIsThatOfTheLimitedCall() async throws {
        let limit = try #require(TimeLimit(seconds: 60, on: SystemTimeSource()))
        await #expect(throws: QueueFullError(place: nil, limit: 1)) {
            try await limit.run { throw QueueFullError(place: nil, limit: 1) }
        }
    }
}
