/// Where a transfer says how far it is, and others read it.
final class ProgressBoard: Sendable {
    private typealias Waiter = CheckedContinuation<Void, Never>

    private struct State {
        var first: TransferProgress?
        var latest: TransferProgress?
        /// What was told last of, which is not each chunk.
        var told = 0
        var isOver = false
        var lastID: UInt64 = 0
        var waiters: [UInt64: Waiter] = [:]

        mutating func takeWaiters() -> [Waiter] {
            defer { waiters = [:] }
            return Array(waiters.values)
        }
    }

    private let state = Locked(State())
    private let onChange: (@Sendable (TransferProgress) -> Void)?

    /// - Parameter onChange: Called in order, where the bytes move.
    init(_ onChange: (@Sendable (TransferProgress) -> Void)? = nil) {
        self.onChange = onChange
    }

    var updates: TransferProgress.Updates { TransferProgress.Updates(board: self) }

    /// The body begins; or begins again, which does not take back what was reported.
    func begin(total: Int?, completed: Int = 0) {
        change { state in
            let before = state.latest?.completed ?? 0
            let kept = total.map { min(before, $0) } ?? before
            state.latest = TransferProgress(completed: max(completed, kept), total: total)
            state.first = state.first ?? state.latest
            return true
        }
    }

    /// So many bytes have come in all; told of in steps, so that a body of ten megabytes means hundreds of calls.
    func advance(to completed: Int) {
        change { state in
            guard let latest = state.latest, completed > latest.completed else { return false }
            state.latest = TransferProgress(completed: completed, total: latest.total)
            return completed - state.told >= Self.step(latest.total ?? completed) || completed == latest.total
        }
    }

    /// Nothing more comes; the last is told of if it was not.
    func end() {
        change { state in
            guard !state.isOver else { return false }
            state.isOver = true
            return state.latest.map { $0.completed > state.told } ?? false
        }
    }

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
        let (told, waiters) = state.withLock { state -> (TransferProgress?, [Waiter]) in
            let wasOver = state.isOver
            guard !wasOver else { return (nil, []) }
            let isToBeTold = body(&state)
            if isToBeTold { state.told = state.latest?.completed ?? 0 }
            return (isToBeTold ? state.latest : nil, isToBeTold || state.isOver ? state.takeWaiters() : [])
        }
        if let told { onChange?(told) }
        for waiter in waiters { waiter.resume() }
    }

    private func wait(after seen: TransferProgress?) async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isToGoOn = state.withLock { state in
                    guard !state.isOver, !Task.isCancelled, seen == nil ? state.first == nil : state.latest == seen
                    else { return true }
                    state.waiters[id] = waiter
                    return false
                }
                if isToGoOn { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }

    private static func step(_ length: Int) -> Int { max(1 << 14, length / 1_000) }
}
