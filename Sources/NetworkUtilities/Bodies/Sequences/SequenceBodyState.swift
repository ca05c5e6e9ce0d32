import Foundation

/// What is there of a sequence's bytes: takes an event, returns what is to be done, and does nothing itself.
struct SequenceBodyState: Sendable {
    /// What an event leaves to be done, after the lock is released.
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

    /// With so many bytes waiting, the sequence is not asked for more.
    static let capacity = 256 << 10

    /// Below this it is asked again.
    private static let lowMark = capacity / 2

    private let length: Int?
    /// How many of a stated number of bytes are still to come.
    private var remaining: Int?
    private var iteration: SequenceBody.Iteration?
    private var task: Task<Void, Never>?
    /// What is being read, from an offset on, and what comes after it.
    private var front = Data()
    private var offset = 0
    private var back = Data()
    private var outcome: Result<Void, any Error>?
    private var producer: CheckedContinuation<Void, Never>?
    private var whenReady: (@Sendable () -> Void)?

    /// Whether nothing more is taken from the sequence.
    var isOver: Bool { outcome != nil }

    /// How many bytes have been read; they are not counted further than an `Int` can.
    private(set) var readCount = 0

    private var waitingCount: Int { front.count - offset + back.count }

    /// The last of a stated number of bytes is kept until it is certain that none follow: a server would take them for
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
        // A sequence of few elements may have ended before this.
        guard isOver else {
            self.task = task
            return Actions()
        }
        return Actions(taskToCancel: task)
    }

    /// A chunk has come; false if there is no room for another, or no use.
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
        // Not kept until the next chunk comes, which may be long.
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
