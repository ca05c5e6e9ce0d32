import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Limits how many exchanges run at each place; the others wait in the order in which they came.
///
/// URLSession and libcurl have such queues, too, but a request's timeout runs there before anything is sent.
final class ConnectionLimiter<Place: Hashable & Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Void, any Error>

    /// There are as many waiters as may wait at the place.
    struct QueueIsFull: Error {}

    private enum Arrival {
        case entered
        case waits
        case refused
    }

    /// A class, so that a change does not touch the dictionary that holds the lane.
    private final class Lane {
        var active = 0
        /// In the order of arrival; the numbers of cancelled waiters stay here, but not in `waiters`.
        var queue: [UInt64] = []
        var head = 0
        var waiters: [UInt64: Waiter] = [:]

        func tryToEnter(_ limit: Int) -> Bool {
            guard active < limit else { return false }
            active += 1
            return true
        }

        /// Releases a place.
        ///
        /// Returns the waiter that inherits it, which has to be resumed, or nil.
        func leave() -> Waiter? {
            guard !waiters.isEmpty else {
                active -= 1
                if head < queue.count { (queue, head) = ([], 0) }
                return nil
            }
            if let waiter = next() { return waiter }
            active -= 1
            return nil
        }

        /// Removes and returns the longest-waiting waiter.
        private func next() -> Waiter? {
            while head < queue.count {
                head += 1
                if let waiter = waiters.removeValue(forKey: queue[head - 1]) { return waiter }
            }
            return nil
        }

        func add(_ waiter: Waiter, _ id: UInt64) {
            // Drop the numbers of former waiters once they outnumber the others.
            if queue.count > 64, queue.count > waiters.count * 2 {
                queue = queue[head...].filter { waiters[$0] != nil }
                head = 0
            }
            queue.append(id)
            waiters[id] = waiter
        }
    }

    private struct State {
        private(set) var lanes: [Place: Lane] = [:]
        /// The lane that was used last, which is usually the next one as well: comparing places is faster than hashing.
        private var last: (place: Place, lane: Lane)?
        var lastID: UInt64 = 0

        mutating func lane(_ place: Place) -> Lane {
            if let last, last.place == place { return last.lane }
            let lane = lanes[place] ?? add(Lane(), place)
            last = (place, lane)
            return lane
        }

        private mutating func add(_ lane: Lane, _ place: Place) -> Lane {
            lanes[place] = lane
            return lane
        }

        /// Removes a lane without active exchanges if there are many lanes.
        mutating func removeUnused(_ lane: Lane, _ place: Place) {
            guard lanes.count > ConnectionLimiter.mostLanesKept, lane.active == 0 else { return }
            lanes[place] = nil
            last = nil
        }
    }

    private let limit: Int
    private let state = Locked(State())

    /// Above this number, an unused lane is removed.
    private static var mostLanesKept: Int { 64 }

    init(limit: Int) {
        self.limit = limit
    }

    /// The number of waiters, over all places.
    var waiterCount: Int {
        state.withLock { $0.lanes.values.reduce(0) { $0 + $1.waiters.count } }
    }

    /// Returns when there is room.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before that; ``TransportError/Reason/timedOut`` when
    ///   the deadline of the request has passed.
    nonisolated(nonsending) func enter(
        _ place: Place,
        for request: URLRequest,
        until deadline: Deadline
    ) async throws {
        let seconds = try deadline.remaining(request)
        if tryToEnter(place) { return }
        guard let seconds else { return try await wait(place) }
        let timer = ExchangeTimer(idle: seconds, total: nil)
        defer { timer.stop() }
        try await wait(place) { id in
            timer.start { [weak self] in
                self?.giveUp(place, id, TransportError(timeoutIn: .turn, request: request, detail: nil))
            }
        }
    }

    /// Enters if there is room; as long as an exchange waits for the place, there is none.
    func tryToEnter(_ place: Place) -> Bool {
        state.withLock { tryToEnter(place, &$0) }
    }

    /// Waits until there is room.
    ///
    /// - Parameters:
    ///   - place: The place to enter.
    ///   - queueLimit: The most waiters at the place.
    ///   - hasBegun: Gets the number of the waiter for ``giveUp(_:_:_:)``, unless there is room at once.
    /// - Throws: ``QueueIsFull``; the error with which the waiter has given up; `CancellationError`.
    nonisolated(nonsending) func wait(
        _ place: Place,
        queueLimit: Int = .max,
        _ hasBegun: (UInt64) -> Void = { _ in }
    ) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        defer { state.meet() }
        try await CallScope.withCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: Waiter) in
                let arrival = state.withLock { state -> Arrival in
                    if tryToEnter(place, &state) { return .entered }
                    let lane = state.lane(place)
                    guard lane.waiters.count < queueLimit else { return .refused }
                    lane.add(waiter, id)
                    return .waits
                }
                switch arrival {
                case .entered: waiter.resume()
                case .refused: waiter.resume(throwing: QueueIsFull())
                case .waits:
                    hasBegun(id)
                    // A cancellation that came before the waiter was stored did not find it.
                    if CallScope.isCancelled { giveUp(place, id, CancellationError()) }
                }
            }
        } onCancel: {
            self.giveUp(place, id, CancellationError())
        }
    }

    /// Releases a place, and resumes the waiter that inherits it.
    func leave(_ place: Place) {
        let next: Waiter? = state.withLock { state in
            let lane = state.lane(place)
            let waiter = lane.leave()
            state.removeUnused(lane, place)
            return waiter
        }
        next?.resume()
    }

    private func tryToEnter(_ place: Place, _ state: inout State) -> Bool {
        state.lane(place).tryToEnter(limit)
    }

    /// Ends the wait of a waiter with an error, if it still waits.
    func giveUp(_ place: Place, _ id: UInt64, _ error: any Error) {
        let waiter = state.withLock { $0.lanes[place]?.waiters.removeValue(forKey: id) }
        waiter?.resume(throwing: error)
    }
}

/// The one place of a limit for all exchanges together.
struct Everywhere: Hashable, Sendable {}
