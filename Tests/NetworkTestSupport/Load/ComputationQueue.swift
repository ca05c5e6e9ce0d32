import Dispatch

/// The thread outside Swift's pool on which long computations run, one at a time.
///
/// The pool has one thread for each processor. Two long computations there hold up every other test, and the other
/// tests then miss the deadlines that guard them against hangs.
package enum ComputationQueue {
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private final class Executor: TaskExecutor {
        private let queue = DispatchQueue(label: "NetworkTestSupport.ComputationQueue")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private static let executor = Executor()

    /// Runs `work` on the thread, or in Swift's pool where the system has no task executors.
    package static func run(_ work: @Sendable () async throws -> Void) async throws {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            try await withTaskExecutorPreference(executor, operation: work)
        } else {
            try await work()
        }
    }
}
