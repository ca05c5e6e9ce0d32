/// A limit of the time of a call, or of each of its attempts.
///
/// A limit of an interceptor is for waiting: it stands still while the bytes of a body move. A limit that the caller
/// wrote into the options of the call holds for all of it.
struct CallLimit: Sendable {
    enum Name: Sendable {
        /// Of the call, with its attempts and the waits between them.
        case deadline
        /// Of an attempt, as ``InterceptorProtocol/attemptTimeout(_:)`` sets it.
        case attempt
        /// Of an attempt, as ``CallOptions/totalTimeout`` and the client's configuration set it.
        case total
    }

    let name: Name
    let isOfTheCall: Bool
    private let seconds: Double
    private let begin: Double

    /// Creates a limit of some seconds after a moment; nil for infinity and NaN, which are no limit.
    init?(_ name: Name, of seconds: Double, from begin: Double, isOfTheCall: Bool) {
        guard seconds < .infinity else { return nil }
        self.name = name
        self.seconds = seconds
        self.begin = begin
        self.isOfTheCall = isOfTheCall
    }

    /// The moment at which it passes, if it does not stand still.
    var end: Double { begin + seconds }

    /// What has happened if it has passed, as a clause.
    var sentence: String {
        switch name {
        case .deadline: "it took longer than its deadline of \(seconds.inWords)"
        case .attempt: "it took longer than the timeout of \(seconds.inWords) for an attempt"
        case .total: "it took longer than its total timeout of \(seconds.inWords)"
        }
    }

    /// Returns the limit that passes first.
    static func first(_ one: CallLimit?, _ other: CallLimit?) -> CallLimit? {
        guard let one, let other else { return one ?? other }
        return one.end <= other.end ? one : other
    }
}
