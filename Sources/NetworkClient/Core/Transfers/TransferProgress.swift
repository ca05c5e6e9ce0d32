/// The progress of a transfer.
public struct TransferProgress: Hashable, Sendable {
    /// The number of bytes transferred so far, including the bytes of an earlier download that is resumed.
    ///
    /// It never decreases, unless the server begins again with a body that is shorter than the reported number.
    public let completed: Int

    /// The number of bytes to be transferred; nil if unknown, as for a chunked or compressed body.
    public let total: Int?

    /// Creates a progress from two numbers of bytes; nil for an unknown total.
    public init(completed: Int, total: Int?) {
        self.completed = completed
        self.total = total
    }

    /// The completed fraction from 0 to 1, and exactly 1 for a complete transfer; nil if the total is unknown.
    public var fraction: Double? {
        total.map { $0 <= completed ? 1 : Double(max(0, completed)) / Double($0) }
    }
}

extension TransferProgress {
    /// The progress of one transfer as a sequence: the initial progress, then the latest, and the final progress.
    ///
    /// A loop that is slower than the transfer misses intermediate progress, but never the final one. It ends when the
    /// transfer ends for any reason. Any number of loops may run, at any time. A loop that begins after the handle of
    /// the transfer was released keeps the transfer running until the loop is left.
    public struct Updates: AsyncSequence, Sendable {
        let board: ProgressBoard
        /// The object that keeps the transfer running; nil if the transfer does not depend on a handle.
        var life: ProgressLife?

        /// Creates an iterator for one loop.
        public func makeAsyncIterator() -> Iterator { Iterator(board: board, life: life) }

        /// One loop over the progress of a transfer.
        public struct Iterator: AsyncIteratorProtocol {
            let board: ProgressBoard
            private let life: ProgressLife?
            private var seen: TransferProgress?

            fileprivate init(board: ProgressBoard, life: ProgressLife?) {
                self.board = board
                self.life = life
            }

            /// Waits for new progress; returns nil when the transfer has ended, or the task was cancelled.
            public mutating func next() async -> TransferProgress? {
                if seen == nil { life?.loopHasBegun() }
                seen = await board.next(after: seen)
                return seen
            }
        }
    }
}

/// Publishes the progress of a transfer to a callback and to async observers.
final class ProgressBoard: Sendable {
    private struct State {
        var first: TransferProgress?
        var latest: TransferProgress?
        /// The number of bytes in the last report; not every chunk is reported.
        var reported = 0
        var isOver = false
        var waiters = Waiters<Void>()
    }

    private let state = Locked(State())
    private let onChange: (@Sendable (TransferProgress) -> Void)?

    /// Creates a board with a callback that is called in order, in the thread that transfers the bytes.
    init(_ onChange: (@Sendable (TransferProgress) -> Void)? = nil) {
        self.onChange = onChange
    }

    var updates: TransferProgress.Updates { TransferProgress.Updates(board: self) }

    /// Reports that a body begins; a second body does not reduce the progress that was reported.
    func begin(total: Int?, completed: Int = 0) {
        change { state in
            let before = state.latest?.completed ?? 0
            let kept = total.map { min(before, $0) } ?? before
            state.latest = TransferProgress(completed: max(completed, kept), total: total)
            state.first = state.first ?? state.latest
            return true
        }
    }

    /// Records the total number of transferred bytes, and reports it in steps of 1/1000 of the length, at least 16 KiB.
    func advance(to completed: Int) {
        change { state in
            guard let latest = state.latest, completed > latest.completed else { return false }
            state.latest = TransferProgress(completed: completed, total: latest.total)
            return completed - state.reported >= Self.step(latest.total ?? completed) || completed == latest.total
        }
    }

    /// Ends the progress; reports the last number unless it was reported before.
    func end() {
        change { state in
            guard !state.isOver else { return false }
            state.isOver = true
            return state.latest.map { $0.completed > state.reported } ?? false
        }
    }

    /// Waits for progress that differs from `seen`; returns nil when the progress has ended or the task is cancelled.
    func next(after seen: TransferProgress?) async -> TransferProgress? {
        while !Task.isCancelled {
            let (news, isOver) = state.withLock { state -> (TransferProgress?, Bool) in
                guard seen != nil else { return (state.first, state.isOver) }
                return (state.latest == seen ? nil : state.latest, state.isOver)
            }
            if let news { return news }
            guard !isOver else { return nil }
            await wait(after: seen)
        }
        return nil
    }

    private func change(_ body: (inout State) -> Bool) {
        let (report, waiters) = state.withLock { state -> (TransferProgress?, [Waiter<Void>]) in
            guard !state.isOver else { return (nil, []) }
            let isReported = body(&state)
            if isReported { state.reported = state.latest?.completed ?? 0 }
            return (isReported ? state.latest : nil, isReported || state.isOver ? state.waiters.removeAll() : [])
        }
        if let report { onChange?(report) }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when there is progress, at the end, and when the task is cancelled.
    private func wait(after seen: TransferProgress?) async {
        _ = try? await state.wait { state, waiter in
            guard !state.isOver, seen == nil ? state.first == nil : state.latest == seen else { return () }
            state.waiters.add(waiter)
            return nil
        } leaving: { [state] id in
            state.withLock { $0.waiters.remove(id) }
        }
    }

    private static func step(_ length: Int) -> Int { max(1 << 14, length / 1_000) }
}
