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
        try await withDeadline { try await clock.waitForSleepers() }
        clock.advance(by: 1.5)
        #expect(clock.now == 101.5)
        #expect(!woken.isOpen)
        clock.advance(by: 0.5)
        try await withDeadline { try await sleeping.value }
    }

    @Test func advancingATestClockWakesOnlyDueSleepers() async throws {
        let clock = TestClock()
        let short = Task { try await clock.sleep(seconds: 1) }
        let long = Task { try await clock.sleep(seconds: 3) }
        try await withDeadline { try await clock.waitForSleepers(2) }
        clock.advance(by: 2)
        try await withDeadline { try await short.value }
        try await withDeadline { try await clock.waitForSleepers(1) }
        clock.advance(by: 1)
        try await withDeadline { try await long.value }
        #expect(clock.requestedSleeps.sorted() == [1, 3])
    }

    @Test(arguments: [0, -1]) func aTestClockDoesNotSleepForZeroOrNegativeTime(_ seconds: Double) async throws {
        let clock = TestClock()
        try await clock.sleep(seconds: seconds)
        #expect(clock.requestedSleeps == [seconds])
    }

    @Test func cancellingATaskEndsItsSleepOnATestClock() async throws {
        let clock = TestClock()
        let sleeping = Task { try await clock.sleep(seconds: 1) }
        try await withDeadline { try await clock.waitForSleepers() }
        sleeping.cancel()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await sleeping.value } }
        clock.advance(by: 10)
    }

    @Test func everySleeperIsWokenWhenAdvancesAndCancellationsRace() async throws {
        let clock = TestClock()
        let sleeping = (0..<300).map { number in Task { try await clock.sleep(seconds: Double(number % 7 + 1)) } }
        for (number, task) in sleeping.enumerated() where number % 2 == 0 {
            task.cancel()
            if number % 10 == 0 { clock.advance(by: 0.1) }
        }
        for (number, task) in sleeping.enumerated() where number % 2 == 0 {
            _ = try await withDeadline { await task.result }
            #expect(task.isCancelled, "\(number)")
        }
        // Those who are not yet asleep are when the clock is at its end.
        for task in sleeping {
            let over = Gate()
            let waiting = Task {
                _ = await task.result
                over.open()
            }
            while !over.isOpen {
                clock.advance(by: 7)
                await Task.yield()
            }
            await waiting.value
        }
    }
}
