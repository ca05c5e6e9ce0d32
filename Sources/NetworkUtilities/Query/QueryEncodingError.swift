/// A query that could not be made from the value it was given.
///
/// The text says what has no place in a query and where it stands in the value; it never holds the value itself.
public struct QueryEncodingError: Error, Sendable, Equatable {
    /// Where in the query, as in `filter[tags][0]`; empty for the value as a whole.
    public let path: String

    /// What is wrong with it, as the rest of a sentence.
    public let reason: String

    /// Makes the error for a place.
    ///
    /// - Parameters:
    ///   - path: Where in the query, as in `filter[tags][0]`; empty for the value as a whole.
    ///   - reason: What is wrong with it, as the rest of a sentence.
    public init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// The same failing, in a query.
    init(_ error: BodyEncodingError) {
        switch error {
        case .json(let path, let reason), .form(let path, let reason): self.init(path: path, reason: reason)
        }
    }
}

extension QueryEncodingError: CustomStringConvertible {
    /// One sentence that names the place and the reason.
    public var description: String {
        "The query cannot be encoded: \(path.isEmpty ? "the value" : "'\(path)'") \(reason)."
    }
}
