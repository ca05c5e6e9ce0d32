import Foundation

/// The exchanges of all transports, with one system timer for all of them, set for the earliest deadline.
///
/// It depends on no engine and no queue of a transport's, so that an exchange times out even where its transport is
/// busy with another one.
final class TimerRoster: Sendable {
    private struct State {
        var members: [ObjectIdentifier: any Expiring] = [:]
        var source: (any DispatchSourceTimer)?
        /// When the system's timer fires.
        var alarm = UInt64.max

        mutating func setAlarm(_ time: UInt64) {
            alarm = time
            source?.schedule(deadline: time == .max ? .distantFuture : DispatchTime(uptimeNanoseconds: time))
        }
    }

    static let shared = TimerRoster()

    /// The machine's time in nanoseconds.
    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    private let state = Locked(State())

    init() {
        let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "NetworkClient.TimerRoster"))
        source.setEventHandler { [weak self] in self?.fire() }
        source.schedule(deadline: .distantFuture)
        source.resume()
        state.withLock { $0.source = source }
    }

    deinit {
        state.withLock { $0.source?.cancel() }
    }

    /// How many exchanges are on it.
    var count: Int { state.withLock { $0.members.count } }

    /// Adds an exchange, or takes notice of an earlier deadline of one that is there.
    func add(_ member: any Expiring) {
        let deadline = member.deadline
        state.withLock { state in
            state.members[ObjectIdentifier(member)] = member
            if deadline < state.alarm { state.setAlarm(deadline) }
        }
    }

    /// Removes an exchange.
    ///
    /// The system timer is not rescheduled: an occasional spurious wake-up is cheaper.
    func remove(_ member: any Expiring) {
        state.withLock { _ = $0.members.removeValue(forKey: ObjectIdentifier(member)) }
    }

    private func fire() {
        let now = Self.now
        let due = state.withLock { state in
            var due: [any Expiring] = []
            var next = UInt64.max
            for member in state.members.values {
                let deadline = member.deadline
                if deadline <= now { due.append(member) } else { next = min(next, deadline) }
            }
            for member in due { state.members[ObjectIdentifier(member)] = nil }
            state.setAlarm(next)
            return due
        }
        for member in due { member.expire() }
    }
}

/// Something that ends at a time unless something moves before.
protocol Expiring: AnyObject, Sendable {
    /// When it ends if nothing moves from now on, in nanoseconds of ``TimerRoster/now``. May be later than at the last
    /// call; where it becomes earlier, it has to be added to the roster again.
    var deadline: UInt64 { get }

    /// Ends it. Called on the roster's own queue, once for each time that it was added, without a lock.
    func expire()
}
