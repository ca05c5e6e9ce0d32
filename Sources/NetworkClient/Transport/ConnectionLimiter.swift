/// Limits how many exchanges run at the same time at each place; other exchanges wait, in their order.
///
/// A place is an origin; nil is the one place of a limit that counts all exchanges together. An exchange takes a slot
/// of its place, and releases it at its end.
///
/// URLSession and libcurl have such queues too, but there the timeout of a request runs while it still waits.
final class ConnectionLimiter: Sendable {
    /// The error if the maximum number of exchanges wait at the place already.
    struct QueueIsFull: Error {}

    /// The slots and the queue of one place; a class, so that a change does not copy or search the dictionary of lanes.
    private final class Lane {
        var active = 0
        /// The numbers of the waiters in their order, including those of cancelled waiters, which `waiters` no longer
        /// has.
        var queue: [UInt64] = []
        var head = 0
        var waiters = Waiters<Void>()

        func tryToEnter(_ limit: Int) -> Bool {
            guard active < limit else { return false }
            active += 1
            return true
        }

        /// Releases a slot if no exchange waits; otherwise does nothing and returns false.
        func leaveIfQueueIsEmpty() -> Bool {
            guard waiters.isEmpty else { return false }
            active -= 1
            if head < queue.count { (queue, head) = ([], 0) }
            return true
        }

        /// Releases a slot.
        ///
        /// Returns the waiter that gets the slot and has to be resumed; nil if none waits.
        func leave() -> Waiter<Void>? {
            if leaveIfQueueIsEmpty() { return nil }
            if let waiter = next() { return waiter }
            active -= 1
            return nil
        }

        /// Removes and returns the longest-waiting waiter.
        private func next() -> Waiter<Void>? {
            while head < queue.count {
                head += 1
                if let waiter = waiters.remove(queue[head - 1]) { return waiter }
            }
            return nil
        }

        func add(_ waiter: Waiter<Void>) {
            // Drops the numbers of former waiters once they outnumber the present ones.
            if queue.count > 64, queue.count > waiters.count * 2 {
                queue = queue[head...].filter(waiters.contains)
                head = 0
            }
            queue.append(waiter.id)
            waiters.add(waiter)
        }
    }

    private struct State {
        private(set) var lanes: [Origin?: Lane] = [:]
        /// The most recently used lane, which is usually the next one too: comparing places is faster than hashing.
        private var last: (place: Origin?, lane: Lane)?

        mutating func lane(_ place: Origin?) -> Lane {
            if let last, last.place == place { return last.lane }
            let lane = lanes[place] ?? add(Lane(), place)
            last = (place, lane)
            return lane
        }

        private mutating func add(_ lane: Lane, _ place: Origin?) -> Lane {
            lanes[place] = lane
            return lane
        }

        /// Removes a lane without active exchanges if many lanes are kept.
        mutating func removeUnused(_ lane: Lane, _ place: Origin?) {
            guard lanes.count > ConnectionLimiter.maxIdleLanes, lane.active == 0 else { return }
            lanes[place] = nil
            last = nil
        }
    }

    private let limit: Int
    private let state = Locked(State())

    /// The number of lanes above which an unused lane is removed.
    private static let maxIdleLanes = 64

    init(limit: Int) {
        self.limit = limit
    }

    /// The number of waiters, over all places.
    var waiterCount: Int {
        state.withLock { $0.lanes.values.reduce(0) { $0 + $1.waiters.count } }
    }

    /// Takes a slot, after waiting until one is free.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before; ``TransportError/Reason/timedOut`` if the limit,
    ///   which is that of the exchange, passes before.
    nonisolated(nonsending) func enter(
        _ place: Origin?,
        for request: URLRequest,
        _ options: TransportOptions,
        until limit: TimeLimit?
    ) async throws {
        if tryToEnter(place) { return }
        do {
            try await wait(place, until: limit)
        } catch is TimeLimit.Passed {
            throw options.timeout(of: request, waitingIn: .turn)
        }
    }

    /// Takes a slot if one is free and no other exchange waits for it; otherwise returns false.
    func tryToEnter(_ place: Origin?) -> Bool {
        state.withLock { tryToEnter(place, &$0) }
    }

    /// Takes a slot, after waiting until one is free.
    ///
    /// - Parameters:
    ///   - place: The place of the exchange.
    ///   - limit: The limit of the wait; nil for none.
    ///   - queueLimit: The maximum number of waiters at the place.
    /// - Throws: ``QueueIsFull``; ``TimeLimit/Passed``; `CancellationError`.
    nonisolated(nonsending) func wait(
        _ place: Origin?,
        until limit: TimeLimit? = nil,
        queueLimit: Int = .max
    ) async throws {
        try await state.wait(until: limit) { state, waiter in
            if self.tryToEnter(place, &state) { return () }
            let lane = state.lane(place)
            guard lane.waiters.count < queueLimit else { throw QueueIsFull() }
            lane.add(waiter)
            return nil
        } leaving: { [state] id in
            state.withLock { $0.lanes[place]?.waiters.remove(id) }
        }
    }

    /// Releases a slot; if an exchange waits, passes the slot to it.
    func leave(_ place: Origin?) {
        let hasLeft = state.withLock { state in
            let lane = state.lane(place)
            defer { state.removeUnused(lane, place) }
            return lane.leaveIfQueueIsEmpty()
        }
        if !hasLeft { passOn(place) }
    }

    /// Not inlined: the runtime takes 100 ns to look up the size of a waiter, which the compiler does not know.
    @inline(never)
    private func passOn(_ place: Origin?) {
        let next: Waiter<Void>? = state.withLock { state in
            let lane = state.lane(place)
            defer { state.removeUnused(lane, place) }
            return lane.leave()
        }
        next?.resume()
    }

    private func tryToEnter(_ place: Origin?, _ state: inout State) -> Bool {
        state.lane(place).tryToEnter(limit)
    }
}
