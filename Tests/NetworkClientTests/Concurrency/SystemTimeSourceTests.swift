import Testing

@testable import NetworkClient

struct SystemTimeSourceTests {
    @Test(
        arguments: [
            (1, 1_000_000_000), (0.5, 500_000_000), (0, 0), (-1, 0), (-.infinity, 0), (.nan, 0),
            (.infinity, 86_400_000_000_000_000), (1e300, 86_400_000_000_000_000),
        ] as [(Double, UInt64)]
    )
    func waitsForAnyNumberOfSecondsWithoutATrap(seconds: Double, nanoseconds: UInt64) {
        #expect(SystemTimeSource.nanoseconds(seconds) == nanoseconds)
    }

    @Test func neverGoesBack() {
        let time = SystemTimeSource()
        let first = time.now
        #expect(first > 0)
        #expect(time.now >= first)
    }

    @Test(arguments: [0, -1, Double.infinity])
    func endsAWaitThatIsCancelled(seconds: Double) async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await SystemTimeSource().sleep(seconds: seconds)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
