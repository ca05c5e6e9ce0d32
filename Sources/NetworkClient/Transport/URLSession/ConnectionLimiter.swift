import Foundation

/// Lets a number of exchanges run for each origin, and the others wait in the order in which they came.
///
/// URLSession has a queue of its own, in which a request's timeout runs before anything is sent.
final class ConnectionLimiter: Sendable {
    private typealias Waiter = CheckedContinuation<Void, any Error>

    private struct Lane {
        var active = 0
        /// In the order of arrival; those who have gone are no longer among the waiters.
        var queue: [UInt64] = []
        var head = 0
        var waiters: [UInt64: Waiter] = [:]
    }

    private struct State {
        var lanes: [Origin: Lane] = [:]
        var lastID: UInt64 = 0
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// How many exchanges run or wait, over all origins.
    var count: Int {
        state.withLock { $0.lanes.values.reduce(0) { $0 + $1.active + $1.waiters.count } }
    }

    /// Returns when there is room; throws `CancellationError` when the task is cancelled before that.
    func enter(_ origin: Origin) async throws {
        if state.withLock({ tryToEnter(origin, &$0) }) { return }
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: Waiter) in
                let hasEntered = state.withLock { state in
                    if tryToEnter(origin, &state) { return true }
                    state.lanes[origin, default: Lane()].queue.append(id)
                    state.lanes[origin]?.waiters[id] = waiter
                    return false
                }
                if hasEntered { return waiter.resume() }
                // The cancellation may have come before there was anyone to be found.
                if Task.isCancelled { giveUp(origin, id) }
            }
        } onCancel: {
            giveUp(origin, id)
        }
    }

    /// Makes room for the next in line.
    func leave(_ origin: Origin) {
        let next: Waiter? = state.withLock { state in
            guard var lane = state.lanes[origin] else { return nil }
            while lane.head < lane.queue.count {
                let id = lane.queue[lane.head]
                lane.head += 1
                if let waiter = lane.waiters.removeValue(forKey: id) {
                    if lane.head > 64, lane.head * 2 > lane.queue.count {
                        lane.queue.removeFirst(lane.head)
                        lane.head = 0
                    }
                    state.lanes[origin] = lane
                    return waiter
                }
            }
            lane.active -= 1
            lane.queue = []
            lane.head = 0
            state.lanes[origin] = lane.active == 0 ? nil : lane
            return nil
        }
        next?.resume()
    }

    private func tryToEnter(_ origin: Origin, _ state: inout State) -> Bool {
        guard state.lanes[origin, default: Lane()].active < limit else { return false }
        state.lanes[origin, default: Lane()].active += 1
        return true
    }

    private func giveUp(_ origin: Origin, _ id: UInt64) {
        let waiter = state.withLock { $0.lanes[origin]?.waiters.removeValue(forKey: id) }
        waiter?.resume(throwing: CancellationError())
    }
}
