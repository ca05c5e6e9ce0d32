/// Work that calls of any client may wait for, such as the refresh of a credential.
///
/// No caller ends it: its own calls are not among those that `cancelAll()` ends, and they do not wait in a queue behind
/// calls that may wait for the work.
final class SharedWork: Sendable {
    /// The work that the current task is part of, the innermost last.
    @TaskLocal private static var current: [SharedWork] = []

    private let owner: ObjectIdentifier
    /// The number of seconds by which the calendar of the work is ahead, because of a test clock.
    private let lead: Double
    private let hasEnded = Locked(false)

    private init(for owner: AnyObject, lead: Double) {
        self.owner = ObjectIdentifier(owner)
        self.lead = lead
    }

    /// Whether the work is in progress; a task that it has started may outlive it.
    private var isActive: Bool { hasEnded.withLock { !$0 } }

    /// Whether the current task is part of shared work in progress.
    static var isInProgress: Bool { current.contains(where: \.isActive) }

    /// Returns whether the current task is part of work in progress of an owner.
    static func isInProgress(for owner: AnyObject) -> Bool {
        current.contains { $0.owner == ObjectIdentifier(owner) && $0.isActive }
    }

    /// The number of seconds by which the calendar of the current task's work is ahead.
    static var lead: Double { current.last?.lead ?? 0 }

    /// Starts work, and then performs the closure that it returns, which is no longer part of the work.
    @discardableResult
    static func start(
        for owner: AnyObject,
        lead: Double = 0,
        _ operation: @escaping @Sendable () async -> @Sendable () -> Void
    ) -> Task<Void, Never> {
        let work = SharedWork(for: owner, lead: lead)
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
