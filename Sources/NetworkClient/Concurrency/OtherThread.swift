import Dispatch

/// The threads for work that blocks, such as a slow disk that takes seconds: tasks have one thread for each processor.
enum OtherThread {
    /// Runs blocking work on another thread, and waits for it without blocking one of the tasks' threads.
    static func run<Output: Sendable>(_ work: @escaping @Sendable () throws -> Output) async throws -> Output {
        let order = Locked(())
        defer { order.meet() }
        return try await withCheckedThrowingContinuation { waiter in
            DispatchQueue.global().async {
                let result = Result { try work() }
                order.meet()
                waiter.resume(with: result)
            }
        }
    }
}
