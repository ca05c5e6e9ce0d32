import Foundation
import NetworkTestSupport
import Testing

struct ComputationQueueTests {
    /// Each holds its thread until a task of the pool lets it go, which none would if they had all threads of the pool.
    @Test func aLongComputationDoesNotBlockThePool() async throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let count = ProcessInfo.processInfo.activeProcessorCount + 1
        let results = Recorder<DispatchTimeoutResult>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                let (hasBegun, mayEnd) = (Gate(), DispatchSemaphore(value: 0))
                group.addTask {
                    try await ComputationQueue.run {
                        hasBegun.open()
                        results.record(mayEnd.wait(for: 120))
                    }
                }
                group.addTask {
                    try await hasBegun.wait()
                    mayEnd.signal()
                }
            }
            try await group.waitForAll()
        }
        #expect(results.values == Array(repeating: .success, count: count))
    }
}

extension DispatchSemaphore {
    fileprivate func wait(for seconds: Double) -> DispatchTimeoutResult {
        wait(timeout: .now() + seconds)
    }
}
