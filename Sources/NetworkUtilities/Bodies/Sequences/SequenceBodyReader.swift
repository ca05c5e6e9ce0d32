import Foundation

/// The one pass over a sequence of the user's own: asks it for more while there is room, and never makes a thread wait.
package final class SequenceBodyReader: Sendable {
    /// The number of bytes that it gives; nil if it is not known.
    package let length: Int?

    private let onRead: (@Sendable (Int) -> Void)?
    private let state: Locked<SequenceBodyState>

    /// Whether no byte has been read, so that the first is still there.
    package var isUntouched: Bool { state.withLock { $0.readCount == 0 } }

    init(
        _ iteration: @escaping SequenceBody.Iteration,
        length: Int?,
        onRead: (@Sendable (Int) -> Void)? = nil
    ) {
        self.length = length
        self.onRead = onRead
        state = Locked(SequenceBodyState(iteration, length: length))
    }

    deinit {
        close()
    }

    /// Begins to ask the sequence; a second call changes nothing.
    ///
    /// The sequence belongs to whoever calls: it sees the task-local values and has the priority of this task.
    package func begin() {
        guard let iteration = state.withLock({ $0.takeIteration() }) else { return }
        // Cancelled by `close()`. Not a child of the caller's task, which must not wait for a sequence that takes its
        // time to notice that it was cancelled.
        let task = Task { [state] in
            do {
                try await iteration { try await Self.take($0, state) }
                state.withLock { $0.ended() }.perform()
            } catch {
                state.withLock { $0.failed(SequenceBodyFailure(underlying: error)) }.perform()
            }
        }
        state.withLock { $0.began(task) }.perform()
    }

    /// Fills the front of the buffer with the next bytes.
    ///
    /// - Parameters:
    ///   - buffer: Where they go; it has room for at least one byte.
    ///   - isReported: Whether they count as sent; not if they are put aside first.
    /// - Returns: How many there were, 0 at the end; nil if there are none yet.
    /// - Throws: ``SequenceBodyFailure``, or a ``BodySourceError`` if there are not as many bytes as were stated.
    package func read(into buffer: UnsafeMutableRawBufferPointer, isReported: Bool = true) throws -> Int? {
        let (count, total, actions) = try state.withLock { state in
            let (count, actions) = try state.read(into: buffer)
            return (count, state.readCount, actions)
        }
        actions.perform()
        if isReported, let onRead, let count, count > 0 { onRead(total) }
        return count
    }

    /// Performs an action once, as soon as `read` has something to say, which may be at once.
    ///
    /// The action replaces one that was not performed yet.
    package func whenReady(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.wait(action) }.perform()
    }

    /// Fails the pass, without a word to the sequence: it may be called where the lock of a task is held.
    package func fail(_ error: any Error) {
        state.withLock { $0.failed(error) }.perform()
    }

    /// Ends the pass and cancels the iteration; a second call changes nothing.
    package func close() {
        state.withLock { $0.closed() }.perform()
    }

    /// Takes a chunk, and returns when there is room for the next.
    private static func take(_ chunk: Data, _ state: Locked<SequenceBodyState>) async throws {
        let (hasRoom, actions) = state.withLock { $0.received(chunk) }
        actions.perform()
        if !hasRoom {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waitForRoom(continuation) }.perform()
            }
        }
        guard state.withLock({ !$0.isOver }) else { throw CancellationError() }
    }
}
