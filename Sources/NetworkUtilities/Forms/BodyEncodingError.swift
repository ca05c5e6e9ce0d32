/// The error for a value that can't be encoded as a body.
///
/// Its text names the place in the value and the reason, never the value itself.
@nonexhaustive
public enum BodyEncodingError: Error, Sendable, Equatable {
    /// The value can't be written as JSON, such as an infinite number.
    ///
    /// - Parameters:
    ///   - path: The place in the value, as in `orders[2].price`; empty for the value itself.
    ///   - reason: The end of a sentence that begins with the place.
    case json(path: String, reason: String)

    /// The value can't be written as `application/x-www-form-urlencoded`, such as `Data`.
    ///
    /// - Parameters:
    ///   - path: The place in the parameters, as in `filter[tags][0]`; empty for the value itself.
    ///   - reason: The end of a sentence that begins with the place.
    case form(path: String, reason: String)

    /// The value can't be written as text; the reason is the end of a sentence.
    case text(reason: String)
}

extension BodyEncodingError: DescribedError {
    /// One sentence that names the place and the reason.
    public var description: String {
        let format =
            switch self {
            case .json: "JSON"
            case .form: "form"
            case .text: "text"
            }
        return "The \(format) body cannot be encoded: \(failure)."
    }

    /// The place and the reason, without the format.
    var failure: ValueFailure {
        switch self {
        case .json(let path, let reason), .form(let path, let reason): ValueFailure(path: path, reason: reason)
        case .text(let reason): ValueFailure(path: "", reason: reason)
        }
    }
}

/// Why a value has no text, whatever it is encoded for: a form, a query, a header field or a URI template.
///
/// Each of these encoders turns it into a public error of its own.
struct ValueFailure: Error, Equatable, CustomStringConvertible {
    /// The place in the value, as in `filter[tags][0]`; empty for the value itself.
    let path: String

    /// The end of a sentence that begins with the place.
    let reason: String

    /// The place and the reason, without a full stop.
    var description: String { "\(path.isEmpty ? "the value" : "'\(path)'") \(reason)" }
}
