/// Why this library, not Foundation, refused a value: the rest of a sentence that begins with the place.
///
/// It travels as the underlying error of `DecodingError.dataCorrupted`. Texts of other origin may quote the payload, so
/// an error's description trusts these alone.
struct DecodingReason: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// The error to throw for a value at that place; an empty path is the body itself.
    func error(at path: [any CodingKey] = []) -> DecodingError {
        let text = "\(DecodingErrorText.subject(at: path)) \(description)."
        return .dataCorrupted(.init(codingPath: path, debugDescription: text, underlyingError: self))
    }
}

extension DecodingReason {
    static let invalidText = Self("is not valid text in its charset")

    static let notABoolean = Self("is neither true nor false")

    static let notADate = Self(
        """
        is not a date in ISO 8601 (2024-01-02 or 2024-01-02T03:04:05.678, seconds and fraction optional, \
        followed by Z, +02:00, +0200, +02 or nothing for UTC) or in seconds since 1970
        """
    )

    /// Also where the converters of the system are not installed.
    static let unknownCharset = Self("is text in a charset that is not supported")
}
