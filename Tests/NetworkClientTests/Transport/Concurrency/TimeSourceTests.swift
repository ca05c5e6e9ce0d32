import Testing

@testable import NetworkClient

struct TimeSourceTests {
    @Test(
        arguments: [
            (1, 1, 1), (0.5, 0.5, 0.5), (0, 0, 0), (-1, 0, 0), (-.infinity, 0, 0),
            (.nan, 0, 86_400_000), (.infinity, 86_400_000, 86_400_000), (1e300, 86_400_000, 86_400_000),
        ] as [(Double, Double, Double)]
    )
    func anyNumberIsATimeToWaitAndALimit(seconds: Double, wait: Double, limit: Double) {
        expect(Seconds.wait(seconds), wait)
        expect(Seconds.limit(seconds), limit)
        expect(MonotonicClock.nanoseconds(seconds), UInt64(limit * 1e9))
    }

    @Test func theSystemsTimeAdvancesByAtLeastTheTimeThatIsSlept() async throws {
        let time = SystemTimeSource()
        let start = time.now
        try await time.sleep(seconds: 0.02)
        #expect(start > 0)
        #expect(time.now - start > 0.019)
    }

    @Test(arguments: [0, -1, Double.infinity])
    func cancellingATaskEndsItsSleep(seconds: Double) async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await SystemTimeSource().sleep(seconds: seconds)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
