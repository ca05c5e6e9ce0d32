/// A time limit of a call, or of each of its attempts.
///
/// A limit from an interceptor measures waiting: it pauses while the bytes of a body are transferred. A limit from the
/// options of the call includes the transfer.
struct CallLimit: Sendable {
    /// The limit as an error, the log and the journey name it.
    let passed: PassedLimit
    /// The time at which the limit passes if it is not paused.
    let end: Double

    /// Creates a limit that passes its seconds after `begin`; nil if they are infinite or NaN, which sets no limit.
    init?(_ passed: PassedLimit, from begin: Double) {
        guard passed.seconds < .infinity else { return nil }
        (self.passed, end) = (passed, begin + passed.seconds)
    }

    /// Returns the limit that passes first.
    static func first(_ one: CallLimit?, _ other: CallLimit?) -> CallLimit? {
        guard let one, let other else { return one ?? other }
        return one.end <= other.end ? one : other
    }
}
