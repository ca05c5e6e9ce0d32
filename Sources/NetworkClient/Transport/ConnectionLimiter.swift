import Foundation

/// Lets a number of exchanges run at each place, and the others wait in the order in which they came.
///
/// URLSession and libcurl have queues of their own, in which a request's timeout runs before anything is sent.
final class ConnectionLimiter<Place: Hashable & Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Void, any Error>

    /// A class, so that a change is no change of the dictionary that it is in.
    private final class Lane {
        var active = 0
        /// In the order of arrival; those who have gone are no longer among the waiters.
        var queue: [UInt64] = []
        var head = 0
        var waiters: [UInt64: Waiter] = [:]

        func tryToEnter(_ limit: Int) -> Bool {
            guard active < limit else { return false }
            active += 1
            return true
        }

        /// Makes room for the next in line, who has it from now on; nil if nobody waits.
        func leave() -> Waiter? {
            if let waiter = next() { return waiter }
            active -= 1
            return nil
        }

        /// The waiter that has waited longest, if there is one; its place is its own from now on.
        func next() -> Waiter? {
            guard !queue.isEmpty else { return nil }
            while head < queue.count {
                let waiter = waiters.removeValue(forKey: queue[head])
                head += 1
                if head > 64, head * 2 > queue.count { compact() }
                if let waiter { return waiter }
            }
            compact()
            return nil
        }

        func add(_ waiter: Waiter, _ id: UInt64) {
            // Those who gave up leave their numbers behind.
            if queue.count - head > 64, queue.count - head > waiters.count * 2 {
                queue = queue[head...].filter { waiters[$0] != nil }
                head = 0
            }
            queue.append(id)
            waiters[id] = waiter
        }

        private func compact() {
            queue.removeFirst(head)
            head = 0
        }
    }

    private struct State {
        var lanes: [Place: Lane] = [:]
        var lastID: UInt64 = 0

        mutating func lane(_ place: Place) -> Lane {
            if let lane = lanes[place] { return lane }
            let lane = Lane()
            lanes[place] = lane
            return lane
        }
    }

    private let limit: Int
    private let state = Locked(State())

    /// Beyond these, a lane that nobody uses is removed.
    private static var mostLanesKept: Int { 64 }

    init(limit: Int) {
        self.limit = limit
    }

    /// How many exchanges run or wait, over all places.
    var count: Int {
        state.withLock { $0.lanes.values.reduce(0) { $0 + $1.active + $1.waiters.count } }
    }

    /// Returns when there is room; throws `CancellationError` when the task is cancelled before that, and
    /// ``NoRoomInTime`` when so many seconds have passed.
    nonisolated(nonsending) func enter(_ place: Place, within seconds: TimeInterval? = nil) async throws {
        if state.withLock({ tryToEnter(place, &$0) }) { return }
        guard let seconds else { return try await wait(place) { _ in } }
        let timer = ExchangeTimer(idle: seconds, total: nil)
        defer { timer.stop() }
        try await wait(place) { id in timer.start { [weak self] in self?.giveUp(place, id, NoRoomInTime()) } }
    }

    private nonisolated(nonsending) func wait(_ place: Place, _ hasBegun: (UInt64) -> Void) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await CallScope.withCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: Waiter) in
                let hasEntered = state.withLock { state in
                    if tryToEnter(place, &state) { return true }
                    state.lane(place).add(waiter, id)
                    return false
                }
                if hasEntered { return waiter.resume() }
                hasBegun(id)
                // The cancellation may have come before there was anyone to be found.
                if CallScope.isCancelled { giveUp(place, id, CancellationError()) }
            }
        } onCancel: {
            self.giveUp(place, id, CancellationError())
        }
    }

    /// Makes room for the next in line.
    func leave(_ place: Place) {
        let next: Waiter? = state.withLock { state in
            guard let lane = state.lanes[place] else { return nil }
            let waiter = lane.leave()
            if state.lanes.count > Self.mostLanesKept, lane.active == 0 { state.lanes[place] = nil }
            return waiter
        }
        next?.resume()
    }

    private func tryToEnter(_ place: Place, _ state: inout State) -> Bool {
        state.lane(place).tryToEnter(limit)
    }

    private func giveUp(_ place: Place, _ id: UInt64, _ error: any Error) {
        let waiter = state.withLock { $0.lanes[place]?.waiters.removeValue(forKey: id) }
        waiter?.resume(throwing: error)
    }
}
