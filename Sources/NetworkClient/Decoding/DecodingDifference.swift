/// A difference between `JSONDecoder` and the native implementation of ``DefaultDecoder``, in decoding one body.
public struct DecodingDifference: Sendable, CustomStringConvertible {
    /// The name of the type that was decoded.
    public let type: String

    /// The error of `JSONDecoder`; nil if it has returned a value.
    public let foundationError: (any Error)?

    /// The error of the native implementation; nil if it has returned a value.
    public let nativeError: (any Error)?

    /// The type, and the errors as sentences that contain no value from the body.
    public var description: String {
        func outcome(_ error: (any Error)?) -> String { error.map(DecodingErrorText.sentence) ?? "A value." }
        return "\(type): with JSONDecoder: \(outcome(foundationError)) Natively: \(outcome(nativeError))"
    }
}
