/// The exchanges and waits that have a limit, with one system timer that is set for the earliest of their deadlines.
///
/// It uses no engine and no queue of a transport, so that an exchange times out even while its transport is busy.
final class TimerRoster: Sendable {
    private struct State {
        var members: [ObjectIdentifier: any Expiring] = [:]
        var source: (any DispatchSourceTimer)?
        /// The time for which the system timer is set.
        var alarm = UInt64.max

        mutating func setAlarm(_ time: UInt64) {
            alarm = time
            source?.schedule(deadline: time == .max ? .distantFuture : DispatchTime(uptimeNanoseconds: time))
        }
    }

    static let shared = TimerRoster()

    #if os(Linux)
    /// The roster of the watches of engines: each of them, several in a second, would search all exchanges for the
    /// earliest deadline.
    static let watches = TimerRoster()
    #endif

    private let state = Locked(State())

    private init() {
        let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "NetworkClient.TimerRoster"))
        source.setEventHandler { [weak self] in self?.fire() }
        source.schedule(deadline: .distantFuture)
        source.resume()
        state.withLock { $0.source = source }
    }

    /// Adds a member, or sets an earlier deadline for a member that was added before.
    func add(_ member: any Expiring) {
        let deadline = member.deadline
        state.withLock { state in
            state.members[ObjectIdentifier(member)] = member
            if deadline < state.alarm { state.setAlarm(deadline) }
        }
    }

    /// Removes a member.
    ///
    /// The system timer is not rescheduled: an occasional spurious wake-up is cheaper.
    func remove(_ member: any Expiring) {
        state.withLock { _ = $0.members.removeValue(forKey: ObjectIdentifier(member)) }
    }

    private func fire() {
        let now = MonotonicClock.now
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

/// An object that expires at a time unless there is activity before.
protocol Expiring: AnyObject, Sendable {
    /// The time of expiry if there is no further activity, in nanoseconds of ``MonotonicClock``.
    ///
    /// It may move to a later time without notice. When it moves to an earlier time, the object has to be added to the
    /// roster again.
    var deadline: UInt64 { get }

    /// Expires the object: called on the queue of ``TimerRoster``, outside its lock, at most once for each time that
    /// the object was added.
    func expire()
}
