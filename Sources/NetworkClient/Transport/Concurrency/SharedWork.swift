/// Work that calls of any client may wait for, such as the refresh of a credential.
///
/// No caller ends it: its own calls are not among those that `cancelAll()` ends, and they do not wait in a queue behind
/// calls that may wait for the work.
final class SharedWork: Sendable {
    /// The work that the current task is part of, the innermost last.
    @TaskLocal private static var current: [SharedWork] = []

    private let owner: ObjectIdentifier
    private let time: any TimeSource
    private let hasEnded = Locked(false)

    private init(for owner: AnyObject, on time: any TimeSource) {
        self.owner = ObjectIdentifier(owner)
        self.time = time
    }

    /// Whether the work is in progress; a task that it has started may outlive it.
    private var isActive: Bool { hasEnded.withLock { !$0 } }

    /// Whether the current task is part of shared work in progress.
    static var isInProgress: Bool { current.contains(where: \.isActive) }

    /// Returns whether the current task is part of work in progress of an owner.
    static func isInProgress(for owner: AnyObject) -> Bool {
        current.contains { $0.owner == ObjectIdentifier(owner) && $0.isActive }
    }

    /// The date on the clock of the work that the current task is part of; the system's for any other task.
    static var date: Date { current.last?.time.date ?? Date() }

    /// Starts work, and then performs the closure that it returns, which is no longer part of the work.
    @discardableResult
    static func start(
        for owner: AnyObject,
        on time: any TimeSource,
        _ operation: @escaping @Sendable () async -> @Sendable () -> Void
    ) -> Task<Void, Never> {
        let work = SharedWork(for: owner, on: time)
        let all = current + [work]
        // Detached, since it works for all calls: it must not have the task-local values of the first one. Cancelled by
        // the owner.
        return Task.detached(priority: max(.medium, Task.currentPriority)) {
            let finish = await $current.withValue(all) { await operation() }
            work.hasEnded.withLock { $0 = true }
            finish()
        }
    }
}
