/// Something that has not happened yet: opens once, and lets everyone through from then on.
///
/// The way in which a test and a server, or two tasks, take turns without sleeping.
package final class Gate: Sendable {
    private let opened: AwaitableValue<Bool>

    package init(open: Bool = false) {
        opened = AwaitableValue(open)
    }

    package var isOpen: Bool {
        opened.current
    }

    /// Lets everyone through who waits or will wait; a second call changes nothing.
    package func open() {
        opened.update { $0 = true }
    }

    /// Suspends until the gate is open.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled, unless the gate was open already.
    package func wait() async throws {
        try await opened.wait { $0 ? () : nil }
    }

    /// Blocks the thread until the gate is open; never in a task, whose thread others need.
    package func waitBlocking() {
        opened.waitBlocking { $0 }
    }

    /// Performs `action` when the gate opens, or at once if it is open; ``forget(_:)`` takes the number it returns.
    package func whenOpen(_ action: @escaping @Sendable () -> Void) -> Int {
        opened.whenever({ $0 }, perform: action)
    }

    package func forget(_ id: Int) {
        opened.forget(id)
    }
}
