import Foundation

/// What lies between a transport that receives a body and a task that reads it: a buffer with a mark above which no
/// more is taken, or is put into a file.
final class BodyBuffer: BodyChannel {
    private let state: Locked<BodyBufferState>

    /// - Parameters:
    ///   - mode: What happens above the mark.
    ///   - makeSpool: Makes the file for bytes above the mark.
    init(
        _ mode: BodyBufferState.Mode,
        makeSpool: @escaping @Sendable () throws -> SpoolFile = { try SpoolFile() }
    ) {
        state = Locked(BodyBufferState(mode, makeSpool: makeSpool))
    }

    /// Has the transport told when there is room again, and when nobody wants the body any more.
    ///
    /// Both are called once at the most for each time that there was none, without a lock.
    func connect(onRoom: @escaping @Sendable () -> Void, onCancel: @escaping @Sendable () -> Void) {
        state.withLock { $0.connect(onRoom: onRoom, onCancel: onCancel) }.perform()
    }

    /// Whether the transport was told that there is no room, and not yet that there is some.
    var isFull: Bool { state.withLock { $0.isFull } }

    /// Adds bytes; not to be called under a lock that the connected functions take, nor under one that a reader's
    /// cancellation does.
    func append(_ bytes: UnsafeRawBufferPointer) -> BodyBufferState.Reception {
        let (reception, actions) = state.withLock { $0.append(bytes) }
        actions.perform()
        return reception
    }

    /// The body is at its end, or has failed; what has come before can still be read.
    func finish(_ failure: (any Error)? = nil) {
        state.withLock { $0.finish(failure) }.perform()
    }

    /// Why the body ended before it was complete; nil if it has not.
    var failure: (any Error)? { state.withLock { $0.failure } }

    func cancel() {
        state.withLock { $0.cancel() }.perform()
    }

    func next() async throws -> Data? {
        while true {
            try CallScope.checkCancellation()
            let (portion, actions) = state.withLock { $0.take() }
            actions.perform()
            switch portion {
            case .bytes(let data): return data
            case .end: return nil
            case .failure(let error): throw error
            case .nothing: try await wait()
            }
        }
    }

    /// Returns when there is something to be taken, or the task is cancelled.
    private func wait() async throws {
        try await CallScope.withCancellationHandler {
            await withCheckedContinuation { waiter in
                let isToGoOn = state.withLock { $0.wait(waiter) }
                if isToGoOn || CallScope.isCancelled { state.withLock { $0.endWait() }?.resume() }
            }
        } onCancel: {
            self.cancel()
        }
    }
}
