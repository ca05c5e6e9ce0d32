import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct ExchangeTimerTests {
    @Test(arguments: [(0.01, nil), (60, 0.01)] as [(TimeInterval, TimeInterval?)])
    func aTimerFiresOnceWhenNothingMoved(idle: TimeInterval, total: TimeInterval?) async throws {
        let (fired, later) = (Gate(), Gate())
        let fires = Recorder<Void>()
        let timer = ExchangeTimer(idle: idle, total: total)
        timer.start {
            fires.record(())
            fired.open()
        }
        try await withDeadline { try await fired.wait() }
        // Five times as long: a timer that is not removed when it fires would fire again in the meantime.
        let other = ExchangeTimer(idle: 0.05, total: nil)
        other.start { later.open() }
        try await withDeadline { try await later.wait() }
        #expect(fires.values.count == 1)
        timer.stop()
    }

    @Test func timersFireInTheOrderOfTheirDeadlines() async throws {
        let order = Recorder<String>()
        let gates = (Gate(), Gate())
        let late = ExchangeTimer(idle: 0.2, total: nil)
        let early = ExchangeTimer(idle: 60, total: 0.02)
        late.start {
            order.record("late")
            gates.0.open()
        }
        early.start {
            order.record("early")
            gates.1.open()
        }
        try await withDeadline { try await gates.0.wait() }
        try await withDeadline { try await gates.1.wait() }
        #expect(order.values == ["early", "late"])
    }

    @Test func aStoppedTimerNeverFires() async throws {
        let stopped = ExchangeTimer(idle: 0.01, total: nil)
        stopped.stop()
        stopped.start { Issue.record("fired") }
        let other = ExchangeTimer(idle: 0.01, total: nil)
        other.start { Issue.record("fired") }
        other.stop()
        // A later one shows that their time has passed.
        let fired = Gate()
        let last = ExchangeTimer(idle: 0.05, total: nil)
        last.start { fired.open() }
        try await withDeadline { try await fired.wait() }
    }

    @Test func activityDelaysATimer() async throws {
        let (first, second) = (Gate(), Gate())
        let touched = ExchangeTimer(idle: 0.1, total: nil)
        touched.start { second.open() }
        let before = MonotonicClock.now
        let other = ExchangeTimer(idle: 0.06, total: nil)
        other.start { first.open() }
        try await withDeadline { try await first.wait() }
        touched.touch()
        let atTouch = MonotonicClock.now
        #expect(touched.deadline >= before + 100_000_000 && touched.deadline <= atTouch + 100_000_000)
        try await withDeadline { try await second.wait() }
    }

    @Test(arguments: [TimeInterval.infinity, .nan, .greatestFiniteMagnitude, 1e9])
    func aTimerOfAnyLengthEndsWithinAYear(seconds: TimeInterval) {
        let timer = ExchangeTimer(idle: seconds, total: seconds)
        let start = MonotonicClock.now
        timer.start { Issue.record("fired") }
        timer.touch()
        let year: UInt64 = 365 * 86_400 * 1_000_000_000
        #expect(timer.deadline >= start + year && timer.deadline <= MonotonicClock.now + year)
        timer.stop()
    }

    @Test(arguments: [TimeInterval(-1), -TimeInterval.infinity, 0])
    func aTimerWithoutAnyTimeFiresAtOnce(seconds: TimeInterval) async throws {
        let fired = Gate()
        let timer = ExchangeTimer(idle: seconds, total: nil)
        timer.start { fired.open() }
        #expect(timer.deadline <= MonotonicClock.now)
        try await withDeadline { try await fired.wait() }
        timer.stop()
    }
}
