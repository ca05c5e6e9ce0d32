/// The circuit breaker of one origin: events in, decisions out, without a clock.
///
///     closed ── too many failures ──▶ open ── its time has passed ──▶ half-open ── the probe succeeds ──▶ closed
///                                      ▲                                   │
///                                      └────────── the probe fails ────────┘
///
/// If a probe has not ended after another open time, the next probe is admitted. Then the newest probe decides, because
/// its evidence is the newest. But the success of any probe closes the circuit; otherwise a server whose responses take
/// longer than the open time would never be used again.
struct Circuit: Sendable {
    /// What the end of a request says about the health of the server.
    enum Outcome: Sendable, Equatable {
        case success
        case failure
        /// No evidence about the server: a cancellation, or an error of the client.
        case neutral
    }

    /// The admission of one request, to be returned with its outcome.
    struct Ticket: Sendable, Equatable {
        let isProbe: Bool
        /// The number of the phase in which the request was admitted; its outcome does not count in a later phase.
        ///
        /// Each probe begins a phase.
        fileprivate let phase: UInt64
    }

    /// The decision about a request.
    enum Admission: Sendable, Equatable {
        case proceeds(Ticket)
        /// The request is refused, and the next one will be admitted after this many seconds; 0, meaning
        /// unknown, if a probe is in flight.
        case refused(TimeInterval)
    }

    /// A change of the phase by an outcome.
    enum Change: Sendable, Equatable {
        case opened(failures: Int, of: Int)
        case reopened
        case closed
    }

    private enum Phase {
        case closed
        case open(end: Double)
        /// The phase number of the first probe since the circuit opened, and the time from which the next probe is
        /// admitted even if the last one has not ended.
        case halfOpen(firstProbe: UInt64, nextProbe: Double)
    }

    private let thresholds: CircuitBreakerInterceptor.Thresholds
    private var window: OutcomeWindow
    private var phase = Phase.closed
    private var phaseNumber: UInt64 = 0
    /// Whether a log has a warning of the last opening.
    private var hasWarning = false

    init(_ thresholds: CircuitBreakerInterceptor.Thresholds) {
        self.thresholds = thresholds
        window = OutcomeWindow(seconds: thresholds.window)
    }

    /// Admits a request to a closed circuit, without reading the clock; nil in the other phases.
    func admitIfClosed() -> Ticket? {
        guard case .closed = phase else { return nil }
        return Ticket(isProbe: false, phase: phaseNumber)
    }

    /// Decides about a request at a time.
    ///
    /// A request of a credential's refresh, for which the current probe may wait, is admitted as another probe.
    mutating func admit(at now: Double, isOfRefresh: Bool = false) -> Admission {
        switch phase {
        case .closed: return .proceeds(Ticket(isProbe: false, phase: phaseNumber))
        case .open(let end):
            guard now >= end else { return .refused(end - now) }
            return .proceeds(probe(firstProbe: phaseNumber + 1, at: now))
        case .halfOpen(let firstProbe, let nextProbe):
            guard now >= nextProbe || isOfRefresh else { return .refused(0) }
            return .proceeds(probe(firstProbe: firstProbe, at: now))
        }
    }

    /// Records the head of an accepted response, which makes a probe successful, whatever becomes of its body.
    ///
    /// The end of that probe then changes nothing. For a request that isn't a probe, only its end counts.
    mutating func receiveHead(_ ticket: Ticket, _ outcome: Outcome, at now: Double) -> Change? {
        ticket.isProbe && outcome == .success ? end(ticket, outcome, at: now) : nil
    }

    /// Records how an admitted request has ended.
    ///
    /// - Returns: The change of the circuit; nil if it doesn't change.
    mutating func end(_ ticket: Ticket, _ outcome: Outcome, at now: Double) -> Change? {
        guard ticket.isProbe else {
            guard ticket.phase == phaseNumber, outcome != .neutral else { return nil }
            window.add(isFailure: outcome == .failure, at: now)
            return outcome == .failure ? openIfNeeded(at: now) : nil
        }
        guard case .halfOpen(let firstProbe, _) = phase, ticket.phase >= firstProbe else { return nil }
        if outcome == .success {
            window = OutcomeWindow(seconds: thresholds.window)
            enter(.closed)
            return .closed
        }
        guard ticket.phase == phaseNumber else { return nil }
        if outcome == .failure {
            enter(.open(end: now + thresholds.openTime))
            return .reopened
        }
        phase = .halfOpen(firstProbe: firstProbe, nextProbe: -.infinity)
        return nil
    }

    /// Records the outcome of a request that another origin has redirected here, unless the circuit is open.
    ///
    /// - Returns: The change of the circuit; nil if it doesn't change.
    mutating func add(_ outcome: Outcome, at now: Double) -> Change? {
        guard let ticket = admitIfClosed() else { return nil }
        return end(ticket, outcome, at: now)
    }

    private mutating func probe(firstProbe: UInt64, at now: Double) -> Ticket {
        enter(.halfOpen(firstProbe: firstProbe, nextProbe: now + thresholds.openTime))
        return Ticket(isProbe: true, phase: phaseNumber)
    }

    private mutating func openIfNeeded(at now: Double) -> Change? {
        let (failures, total) = window.totals
        guard total >= thresholds.minimumRequests, Double(failures) >= Double(total) * thresholds.failureRatio else {
            return nil
        }
        enter(.open(end: now + thresholds.openTime))
        hasWarning = false
        return .opened(failures: failures, of: total)
    }

    /// Returns whether the caller has to warn of the last opening, which is done once.
    mutating func claimsWarning() -> Bool {
        defer { hasWarning = true }
        return !hasWarning
    }

    private mutating func enter(_ phase: Phase) {
        self.phase = phase
        phaseNumber += 1
    }
}

/// The outcomes of the last seconds, counted in ten slots; the oldest slot is dropped as a whole.
struct OutcomeWindow: Sendable {
    private struct Slot {
        var failures = 0
        var total = 0
    }

    private static let slotCount = 10

    private let slotLength: Double
    private var slots = [Slot](repeating: Slot(), count: slotCount)
    /// The number of the newest slot, counted from the time 0.
    private var newest = 0

    init(seconds: TimeInterval) {
        slotLength = seconds / Double(Self.slotCount)
    }

    mutating func add(isFailure: Bool, at now: Double) {
        advance(to: now)
        let index = newest % Self.slotCount
        slots[index].total += 1
        if isFailure { slots[index].failures += 1 }
    }

    /// The numbers of failures and of all outcomes, at the time of the last outcome.
    var totals: (failures: Int, total: Int) {
        slots.reduce((0, 0)) { ($0.0 + $1.failures, $0.1 + $1.total) }
    }

    private mutating func advance(to now: Double) {
        let position = now / slotLength
        // A clock may show any number, and not every number is a valid slot.
        guard position >= 0, position < 1e15, Int(position) > newest else { return }
        let steps = Swift.min(Int(position) - newest, Self.slotCount)
        newest = Int(position)
        for step in 0..<steps { slots[(newest - step) % Self.slotCount] = Slot() }
    }
}

/// The error for a request that was not sent because many requests to the same server have failed shortly before.
public struct CircuitOpenError: OutageError, Sendable, Hashable {
    /// The scheme, the host, and the port if it is not the default, such as `https://api.example.com`.
    public let origin: String

    /// The number of seconds until a request is sent as a probe; 0 if a probe is in flight.
    public let secondsUntilProbe: TimeInterval

    /// Creates an error.
    public init(origin: String, secondsUntilProbe: TimeInterval) {
        self.origin = origin
        self.secondsUntilProbe = secondsUntilProbe
    }

    var reason: String {
        let next = secondsUntilProbe > 0 ? "will be sent in \(secondsUntilProbe.inWords)" : "is in flight"
        return "requests to '\(origin)' have failed, and the next probe \(next)"
    }
}

extension CircuitOpenError {
    /// True.
    var isOutage: Bool { true }

    /// True: the log has the warning that the circuit opens.
    var isConsequence: Bool { true }
}

extension CircuitOpenError: DescribedError {
    /// One sentence that names the origin and the time of the next probe.
    public var description: String { "The request was not sent: \(reason)." }
}
