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
        clock.advance(by: 1.5)
        #expect(clock.now == 101.5)
        #expect(!woken.isOpen)
        while !woken.isOpen {
            clock.advance(by: 0.5)
            await Task.yield()
        }
        try await sleeping.value
    }

    @Test(arguments: [0, -1]) func aTestClockDoesNotSleepForZeroOrNegativeTime(_ seconds: Double) async throws {
        try await TestClock().sleep(seconds: seconds)
    }

    @Test func cancellingATaskEndsItsSleepOnATestClock() async throws {
        let sleeping = Task { try await TestClock().sleep(seconds: 1) }
        sleeping.cancel()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await sleeping.value } }
    }
}
