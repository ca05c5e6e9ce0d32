import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct OtherThreadTests {
    private struct Failure: Error {}

    /// Each blocks its thread until the others run, which they could not on the threads of the tasks.
    @Test func workThatBlocksHoldsUpNoTask() async throws {
        let count = ProcessInfo.processInfo.activeProcessorCount + 1
        let arrived = AwaitableValue(0)
        let mayEnd = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try await OtherThread.run {
                        arrived.update { $0 += 1 }
                        return mayEnd.wait(timeout: .now() + 120) == .success
                    }
                }
            }
            try await arrived.wait { $0 == count ? () : nil }
            for _ in 0..<count { mayEnd.signal() }
            for try await isInTime in group { #expect(isInTime) }
        }
    }

    @Test func anErrorOfTheWorkIsThrown() async throws {
        await #expect(throws: Failure.self) { try await OtherThread.run { throw Failure() } }
    }
}
