import Dispatch

/// Runs what computes for seconds, one after the other, on a thread beside those of Swift's pool.
///
/// The pool has one thread for each processor. Two computations there hold up every other test, whose guards against
/// hangs and whose timeouts then tell of the machine.
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

    /// Where the system has no executors of a task's own, on the pool.
    package static func run(_ work: @Sendable () async throws -> Void) async throws {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            try await withTaskExecutorPreference(executor, operation: work)
        } else {
            try await work()
        }
    }
}
