/// A body from an asynchronous sequence, which can be iterated only once.
package final class SequenceBody: Sendable {
    /// Passes each chunk to a closure that returns when there is space for more.
    typealias Iteration = @Sendable (_ take: @Sendable (Data) async throws -> Void) async throws -> Void

    /// The stated number of bytes; nil if unknown.
    package let length: Int?

    /// Called with the total number of bytes read.
    package let onRead: (@Sendable (Int) -> Void)?

    /// The iteration; nil once ``claim(length:)`` has taken it, so that the sequence is released when the iteration
    /// ends.
    private let iteration: Locked<Iteration?>

    /// Creates a body without starting the iteration.
    package init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks, length: Int?)
    where Chunks.Element: DataProtocol {
        self.length = length
        onRead = nil
        iteration = Locked { take in
            for try await chunk in chunks { try await take(chunk as? Data ?? Data(chunk)) }
        }
    }

    private init(_ body: SequenceBody, onRead: @escaping @Sendable (Int) -> Void) {
        length = body.length
        iteration = body.iteration
        self.onRead = onRead
    }

    /// Returns the same body, which reports how many bytes have been read; both share the one pass.
    package func counted(_ onRead: @escaping @Sendable (Int) -> Void) -> SequenceBody {
        SequenceBody(self, onRead: onRead)
    }

    /// Returns the one pass over the sequence; nil if it was claimed before.
    ///
    /// If the body has no stated length, `length` takes its place: the number in the request's `Content-Length`.
    package func claim(length: Int? = nil) -> SequenceBodyReader? {
        let iteration: Iteration? = iteration.withLock { iteration in
            defer { iteration = nil }
            return iteration
        }
        return iteration.map { SequenceBodyReader($0, length: self.length ?? length, onRead: onRead) }
    }
}

/// An error of the sequence itself, distinct from errors that the library detects.
package struct SequenceBodyFailure: Error {
    /// The error that the sequence threw.
    package let underlying: any Error
}

/// The one pass over a sequence: requests chunks while there is space for more, and never blocks a thread.
package final class SequenceBodyReader: Sendable {
    /// The number of bytes; nil if unknown.
    package let length: Int?

    private let onRead: (@Sendable (Int) -> Void)?
    private let state: Locked<SequenceBodyState>

    /// Whether no byte has been read.
    package var isUntouched: Bool { state.withLock { $0.readCount == 0 } }

    init(_ iteration: @escaping SequenceBody.Iteration, length: Int?, onRead: (@Sendable (Int) -> Void)? = nil) {
        self.length = length
        self.onRead = onRead
        state = Locked(SequenceBodyState(iteration, length: length))
    }

    deinit {
        close()
    }

    /// Starts the iteration; a second call changes nothing.
    ///
    /// The iteration inherits the task-local values and the priority of the calling task.
    package func begin() {
        guard let iteration = state.withLock({ $0.takeIteration() }) else { return }
        // Cancelled by `close()`. Not a child task: the caller must not wait for a sequence that is slow to observe its
        // cancellation.
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

    /// Fills the front of a buffer, which has space for at least one byte, with the next bytes.
    ///
    /// Returns their number, 0 at the end, and nil if no bytes are available yet. `isReported` is false for bytes that
    /// are stored before they are sent.
    ///
    /// - Throws: ``SequenceBodyFailure``, or a ``BodySourceError`` if the number of bytes is not the stated one.
    package func read(into buffer: UnsafeMutableRawBufferPointer, isReported: Bool = true) throws -> Int? {
        let (count, total, actions) = try state.withLock { state in
            let (count, actions) = try state.read(into: buffer)
            return (count, state.readCount, actions)
        }
        actions.perform()
        if isReported, let onRead, let count, count > 0 { onRead(total) }
        return count
    }

    /// Performs an action once, as soon as `read` returns a number or throws, which may be immediately.
    ///
    /// The action replaces an earlier one that is still waiting.
    package func whenReady(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.wait(action) }.perform()
    }

    /// Fails the pass without cancelling the iteration: the caller may hold the lock of a task.
    package func fail(_ error: any Error) {
        state.withLock { $0.failed(error) }.perform()
    }

    /// Ends the pass and cancels the iteration; a second call changes nothing.
    package func close() {
        state.withLock { $0.closed() }.perform()
    }

    /// Stores a chunk, and returns when there is space for the next.
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

/// The state machine of a ``SequenceBodyReader``: each event returns the actions to perform after the lock is released.
struct SequenceBodyState: Sendable {
    struct Actions {
        var taskToCancel: Task<Void, Never>?
        var producer: CheckedContinuation<Void, Never>?
        var whenReady: (@Sendable () -> Void)?

        func perform() {
            taskToCancel?.cancel()
            producer?.resume()
            whenReady?()
        }
    }

    /// The iteration pauses while this many bytes are waiting to be read.
    static let capacity = 256 << 10

    /// The iteration continues below this number of bytes.
    private static let lowMark = capacity / 2

    private let length: Int?
    /// The number of bytes of a stated length that are still to come.
    private var remaining: Int?
    private var iteration: SequenceBody.Iteration?
    private var task: Task<Void, Never>?
    /// The bytes that are being read, from an offset on, and the bytes after them.
    private var front = Data()
    private var offset = 0
    private var back = Data()
    private var outcome: Result<Void, any Error>?
    private var producer: CheckedContinuation<Void, Never>?
    private var whenReady: (@Sendable () -> Void)?

    /// Whether no more chunks are accepted.
    var isOver: Bool { outcome != nil }

    /// The number of bytes read, saturating at `Int.max`.
    private(set) var readCount = 0

    private var waitingCount: Int { front.count - offset + back.count }

    /// The number of bytes that can be read.
    ///
    /// The last byte of a stated length is withheld until the sequence ends: a server would read additional bytes as
    /// another request.
    private var readableCount: Int {
        remaining == 0 && !isOver ? max(0, waitingCount - 1) : waitingCount
    }

    init(_ iteration: @escaping SequenceBody.Iteration, length: Int?) {
        self.iteration = iteration
        self.length = length
        remaining = length
        if let length, length < 0 { outcome = .failure(BodySourceError.invalidLength(length)) }
    }

    mutating func takeIteration() -> SequenceBody.Iteration? {
        defer { iteration = nil }
        return isOver ? nil : iteration
    }

    mutating func began(_ task: Task<Void, Never>) -> Actions {
        // A short sequence may already have ended.
        guard isOver else {
            self.task = task
            return Actions()
        }
        return Actions(taskToCancel: task)
    }

    /// Stores a chunk, and returns false if the iteration has to wait for space.
    mutating func received(_ chunk: Data) -> (hasRoom: Bool, actions: Actions) {
        guard !isOver else { return (true, Actions()) }
        if let remaining, let length {
            guard chunk.count <= remaining else {
                return (true, failed(BodySourceError.tooLong(expectedLength: length)))
            }
            self.remaining = remaining - chunk.count
        }
        if waitingCount == 0 {
            front = chunk
            offset = 0
        } else {
            back.append(chunk)
        }
        return (waitingCount < Self.capacity, Actions(whenReady: readableCount > 0 ? takeWaiter() : nil))
    }

    mutating func waitForRoom(_ continuation: CheckedContinuation<Void, Never>) -> Actions {
        guard !isOver, waitingCount > Self.lowMark else { return Actions(producer: continuation) }
        producer = continuation
        return Actions()
    }

    mutating func ended() -> Actions {
        guard let remaining, let length, remaining > 0 else { return end(.success(())) }
        let error = BodySourceError.endedEarly(expectedLength: length, actualLength: length - remaining)
        return end(.failure(error))
    }

    mutating func failed(_ error: any Error) -> Actions { end(.failure(error)) }

    mutating func closed() -> Actions {
        iteration = nil
        var actions = end(.failure(CancellationError()))
        actions.taskToCancel = task
        task = nil
        return actions
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> (count: Int?, actions: Actions) {
        if case .failure(let error) = outcome { throw error }
        let count = min(readableCount, buffer.count)
        guard count > 0 else { return (isOver ? 0 : nil, Actions()) }
        let (sum, overflow) = readCount.addingReportingOverflow(count)
        readCount = overflow ? .max : sum
        var filled = 0
        while filled < count {
            if offset == front.count { turnOver() }
            let part = min(count - filled, front.count - offset)
            let start = front.startIndex + offset
            front.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]), from: start..<start + part)
            offset += part
            filled += part
        }
        // Frees the chunk now: the next one may not come for a long time.
        if offset == front.count { turnOver() }
        guard waitingCount <= Self.lowMark else { return (count, Actions()) }
        defer { producer = nil }
        return (count, Actions(producer: producer))
    }

    mutating func wait(_ action: @escaping @Sendable () -> Void) -> Actions {
        guard !isOver, readableCount == 0 else { return Actions(whenReady: action) }
        whenReady = action
        return Actions()
    }

    private mutating func turnOver() {
        front = back
        back = Data()
        offset = 0
    }

    private mutating func takeWaiter() -> (@Sendable () -> Void)? {
        defer { whenReady = nil }
        return whenReady
    }

    private mutating func end(_ result: Result<Void, any Error>) -> Actions {
        guard !isOver else { return Actions() }
        outcome = result
        if case .failure = result {
            front = Data()
            back = Data()
            offset = 0
        }
        defer { producer = nil }
        return Actions(producer: producer, whenReady: takeWaiter())
    }
}
