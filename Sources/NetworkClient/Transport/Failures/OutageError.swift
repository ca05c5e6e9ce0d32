/// An error that may tell that a server, or the network, is not available.
protocol OutageError: Error {
    /// Whether a stored response may stand for the error (RFC 5861 §4).
    var isOutage: Bool { get }

    /// Whether it follows from failures that were told before, so that a log need not warn of it.
    var isConsequence: Bool { get }

    /// The failure in words, for people.
    var cause: String { get }
}

extension OutageError {
    var isConsequence: Bool { false }

    var cause: String { "\(type(of: self))" }
}

extension TransportError: OutageError {
    /// True if the server did not respond, whatever limit of the exchange passed, or that of the tokens did not; false
    /// for any other wait on this side.
    var isOutage: Bool { Reason.temporary.contains(reason) && (localWait == nil || localWait == .credential) }

    var cause: String { reason.description }
}
