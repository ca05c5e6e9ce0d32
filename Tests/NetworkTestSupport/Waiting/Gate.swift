import Dispatch

/// An event that tasks and threads can wait for: a gate opens once and stays open.
///
/// With gates, a test and a server, or two tasks, take turns without sleeping.
package final class Gate: Sendable {
    private let opened: AwaitableValue<Bool>

    package init(open: Bool = false) {
        opened = AwaitableValue(open)
    }

    package var isOpen: Bool {
        opened.current
    }

    /// Opens the gate for all current and later waiters; a second call changes nothing.
    package func open() {
        opened.update { $0 = true }
    }

    /// Suspends until the gate is open.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled, unless the gate was open already.
    package func wait() async throws {
        try await opened.wait { $0 ? () : nil }
    }

    /// Blocks the current thread until the gate, or another one, is open.
    func waitBlocking(or other: Gate) {
        let semaphore = DispatchSemaphore(value: 0)
        let ids = [whenOpen { semaphore.signal() }, other.whenOpen { semaphore.signal() }]
        semaphore.wait()
        forget(ids[0])
        other.forget(ids[1])
    }

    /// Performs `action` when the gate opens, or immediately if it is open; returns the identifier for ``forget(_:)``.
    func whenOpen(_ action: @escaping @Sendable () -> Void) -> Int {
        opened.whenever({ $0 }, perform: action)
    }

    func forget(_ id: Int) {
        opened.forget(id)
    }
}
