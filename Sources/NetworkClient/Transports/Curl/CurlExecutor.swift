#if os(Linux)
import CCurl
import Synchronization

extension CurlTransport {
    /// An executor for tasks that send requests: the thread that receives their responses runs the tasks as well.
    ///
    /// A response then reaches its task without waking another thread, which saves a server with many requests at a
    /// time a part of their processor time. One request at a time takes longer. Each access returns the executor of the
    /// next of the transport's threads.
    ///
    /// ```swift
    /// let transport = try CurlTransport()
    /// let client = NetworkClient(transport: transport)
    /// let data = try await withTaskExecutorPreference(transport.executor) {
    ///     try await client.fetch(.get(http: "http://h/items"), as: Data.self).item
    /// }
    /// ```
    /// Code of such a task that waits without suspending, as for a file, a lock or a semaphore, or that computes for
    /// long, holds up all exchanges of its thread. After ``shutDown()``, tasks run on the global executor.
    public var executor: any TaskExecutor { engines.executor }
}

/// Runs tasks on the thread of an engine, so that a response reaches its task without waking another thread.
///
/// Once the thread has ended, tasks run on the global executor.
final class CurlExecutor: TaskExecutor {
    fileprivate struct State {
        var jobs: [UnownedJob] = []
        var isOver = false
    }

    private let poller: SocketPoller
    private let state = Locked(State())
    /// The thread of the engine; 0 before it runs.
    private let thread = Atomic<UInt>(0)

    init(poller: SocketPoller) {
        self.poller = poller
    }

    /// Whether the caller runs on the thread of the engine, which handles commands after its jobs, without being woken.
    var isCurrent: Bool { thread.load(ordering: .relaxed) == ccurl_thread_number() }

    var isEmpty: Bool { state.withLock { $0.jobs.isEmpty } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (isOver, isFirst) = state.withLock { state in
            guard !state.isOver else { return (true, false) }
            state.jobs.append(job)
            return (false, state.jobs.count == 1)
        }
        if isOver { return globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
        if isFirst, !isCurrent { poller.wake() }
    }

    /// Begins to run jobs on the current thread.
    func begin() { thread.store(ccurl_thread_number(), ordering: .relaxed) }

    /// Runs the jobs that wait, without those that they enqueue; returns false if no job waits.
    func run() -> Bool {
        let jobs = state.withLock { state in
            defer { state.jobs.removeAll() }
            return state.jobs
        }
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        return !jobs.isEmpty
    }

    /// Runs the remaining jobs, before the thread ends.
    func end() {
        while run() || !state.withLock({ $0.end() }) {}
        thread.store(0, ordering: .relaxed)
    }
}

extension CurlExecutor.State {
    /// Ends, if no job is left; returns whether it has ended.
    fileprivate mutating func end() -> Bool {
        isOver = jobs.isEmpty
        return isOver
    }
}
#endif
