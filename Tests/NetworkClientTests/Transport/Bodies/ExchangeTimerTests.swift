import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct ExchangeTimerTests {
    @Test(
        .spec(199),
        arguments: [(0.01, nil, .idle), (60, 0.01, .total)] as [(TimeInterval, TimeInterval?, ExchangeLimits.Passed)]
    )
    func aTimerFiresOnceWithTheLimitThatHasPassed(
        idle: TimeInterval,
        total: TimeInterval?,
        limit: ExchangeLimits.Passed
    ) async throws {
        let (fired, later) = (Gate(), Gate())
        let fires = Recorder<ExchangeLimits.Passed>()
        let timer = ExchangeTimer(idle: idle, total: total)
        timer.start {
            fires.record($0)
            fired.open()
        }
        try await withDeadline { try await fired.wait() }
        // Five times as long: a timer that is not removed when it fires would fire again in the meantime.
        let other = ExchangeTimer(idle: 0.05, total: nil)
        other.start { _ in later.open() }
        try await withDeadline { try await later.wait() }
        expect(fires.values, [limit])
        timer.stop()
    }

    @Test func timersFireInTheOrderOfTheirDeadlines() async throws {
        let order = Recorder<String>()
        let gates = (Gate(), Gate())
        let late = ExchangeTimer(idle: 0.2, total: nil)
        let early = ExchangeTimer(idle: 60, total: 0.02)
        late.start { _ in
            order.record("late")
            gates.0.open()
        }
        early.start { _ in
            order.record("early")
            gates.1.open()
        }
        try await withDeadline { try await gates.0.wait() }
        try await withDeadline { try await gates.1.wait() }
        expect(order.values, ["early", "late"])
    }

    @Test func aStoppedTimerNeverFires() async throws {
        let stopped = ExchangeTimer(idle: 0.01, total: nil)
        stopped.stop()
        stopped.start { _ in Issue.record("fired") }
        let other = ExchangeTimer(idle: 0.01, total: nil)
        other.start { _ in Issue.record("fired") }
        other.stop()
        // A later timer shows that the time of the others has passed.
        let fired = Gate()
        let last = ExchangeTimer(idle: 0.05, total: nil)
        last.start { _ in fired.open() }
        try await withDeadline { try await fired.wait() }
    }

    @Test func activityDelaysATimer() async throws {
        let (first, second) = (Gate(), Gate())
        let touched = ExchangeTimer(idle: 0.1, total: nil)
        touched.start { _ in second.open() }
        let before = MonotonicClock.now
        let other = ExchangeTimer(idle: 0.06, total: nil)
        other.start { _ in first.open() }
        try await withDeadline { try await first.wait() }
        touched.touch()
        let atTouch = MonotonicClock.now
        #expect(touched.deadline >= before + 100_000_000 && touched.deadline <= atTouch + 100_000_000)
        try await withDeadline { try await second.wait() }
    }

    @Test(arguments: [TimeInterval.infinity, .nan, .greatestFiniteMagnitude, 1e9])
    func aTimerOfAnyLengthEndsWithinAThousandDays(seconds: TimeInterval) {
        let timer = ExchangeTimer(idle: seconds, total: seconds)
        let start = MonotonicClock.now
        timer.start { _ in Issue.record("fired") }
        timer.touch()
        let longest: UInt64 = 1_000 * 86_400 * 1_000_000_000
        #expect(timer.deadline >= start + longest && timer.deadline <= MonotonicClock.now + longest)
        timer.stop()
    }

    @Test(arguments: [TimeInterval(-1), -TimeInterval.infinity, 0])
    func aTimerWithoutAnyTimeFiresAtOnce(seconds: TimeInterval) async throws {
        let fired = Gate()
        let timer = ExchangeTimer(idle: seconds, total: nil)
        timer.start { _ in fired.open() }
        #expect(timer.deadline <= MonotonicClock.now)
        try await withDeadline { try await fired.wait() }
        timer.stop()
    }

    @Test(.spec(205)) func theBodyOfARedirectReplacesTheIdleTimeoutByASecond() async throws {
        let fired = Gate()
        let fires = Recorder<ExchangeLimits.Passed>()
        let timer = ExchangeTimer(idle: 60, total: 60)
        timer.start {
            fires.record($0)
            fired.open()
        }
        timer.beginRedirectBody()
        let begin = MonotonicClock.now
        timer.touch()
        #expect(timer.deadline <= begin + MonotonicClock.nanoseconds(RedirectBodyLimit.seconds))
        try await withDeadline { try await fired.wait() }
        expect(fires.values, [.redirectBody])
        timer.stop()
    }
}
