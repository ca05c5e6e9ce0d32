/// A time limit of a call, or of each of its attempts.
///
/// A limit from an interceptor measures waiting: it pauses while the bytes of a body are transferred. A limit from the
/// options of the call includes the transfer.
struct CallLimit: Sendable {
    enum Name: Sendable {
        /// The limit of a call, with its attempts and the waits between them.
        case deadline
        /// The limit of waiting in an attempt, set by ``InterceptorProtocol/attemptTimeout(_:)``.
        case waiting
        /// The limit of an attempt, set by ``CallOptions/attemptTimeout`` or the client's configuration.
        case attempt
    }

    let name: Name
    let isOfTheCall: Bool
    private let seconds: Double
    private let begin: Double

    /// Creates a limit that passes `seconds` after `begin`; nil if `seconds` is infinite or NaN, which sets no limit.
    init?(_ name: Name, of seconds: Double, from begin: Double, isOfTheCall: Bool) {
        guard seconds < .infinity else { return nil }
        self.name = name
        self.seconds = seconds
        self.begin = begin
        self.isOfTheCall = isOfTheCall
    }

    /// The time at which the limit passes if it is not paused.
    var end: Double { begin + seconds }

    /// The clause of an error that says that this limit has passed.
    var sentence: String {
        switch name {
        case .deadline: "it took longer than its deadline of \(seconds.inWords)"
        case .waiting: "it took longer than the timeout of \(seconds.inWords) for an attempt"
        case .attempt: "it took longer than its attempt timeout of \(seconds.inWords)"
        }
    }

    /// Returns the limit that passes first.
    static func first(_ one: CallLimit?, _ other: CallLimit?) -> CallLimit? {
        guard let one, let other else { return one ?? other }
        return one.end <= other.end ? one : other
    }
}
