import NetworkTestSupport
import Testing

struct DeadlineTests {
    private struct Failure: Error {}

    @Test func aDeadlineReturnsTheResultOrErrorOfItsOperation() async throws {
        #expect(try await withDeadline { 5 } == 5)
        await #expect(throws: Failure.self) { try await withDeadline { throw Failure() } }
    }

    @Test func aDeadlineNamesALateOperationAndCancelsIt() async throws {
        let gate = Gate()
        let ended = Gate()
        let late = await #expect(throws: DeadlineExceeded.self) {
            try await withDeadline(seconds: 0.01, "the gate") {
                defer { ended.open() }
                try await gate.wait()
            }
        }
        #expect(late?.description.hasPrefix("Gave up on the gate after 0.01 s (NetworkTestSupportTests/") == true)
        try await withDeadline { try await ended.wait() }
    }

    @Test func aDeadlineDoesNotAwaitAnOperationThatIgnoresCancellation() async throws {
        let gate = Gate()
        await #expect(throws: DeadlineExceeded.self) {
            try await withDeadline(seconds: 0.01) {
                // A task of its own, so that the wait does not see the cancel.
                try await Task { try await gate.wait() }.value
            }
        }
        gate.open()
    }

    @Test func cancellingADeadlineCancelsItsOperation() async throws {
        let started = Gate()
        let outer = Task {
            try await withDeadline {
                started.open()
                try? await Gate().wait()
                return Task.isCancelled
            }
        }
        try await withDeadline { try await started.wait() }
        outer.cancel()
        #expect(try await outer.value)
    }
}
