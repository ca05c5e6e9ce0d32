import Testing

@testable import NetworkClient

struct TimeSourceTests {
    @Test(
        arguments: [
            (1, 1_000_000_000), (0.5, 500_000_000), (0, 0), (-1, 0), (-.infinity, 0), (.nan, 0),
            (.infinity, 86_400_000_000_000_000), (1e300, 86_400_000_000_000_000),
        ] as [(Double, UInt64)]
    )
    func anyNumberOfSecondsBecomesNanosecondsWithoutATrap(seconds: Double, nanoseconds: UInt64) {
        #expect(SystemTimeSource.nanoseconds(seconds) == nanoseconds)
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
