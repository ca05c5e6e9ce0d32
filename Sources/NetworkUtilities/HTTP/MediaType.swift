/// What kind of bytes a body holds (RFC 9110 §8.3), such as `application/json`.
///
/// The set is open: ``init(_:)`` takes any other type with its parameters as they are, ``init(parsing:)`` checks them.
/// Two are equal if their texts are; ``matches(_:)`` compares what they mean.
public struct MediaType: Hashable, Sendable {
    /// The type as it stands in a header field, parameters included.
    public let value: String

    /// Takes any media type.
    ///
    /// - Parameter value: `type/subtype`, and `; name=value` for each parameter. It is used verbatim, but line breaks
    ///   and NUL become spaces, so that it cannot add a header field of its own.
    public init(_ value: String) {
        self.value = HeaderField.sanitized(value)
    }

    /// JSON (RFC 8259): `application/json`.
    public static let json = MediaType("application/json")

    /// Bytes of no particular kind: `application/octet-stream`.
    public static let octetStream = MediaType("application/octet-stream")

    /// Text in UTF-8: `text/plain; charset=utf-8`.
    public static let plainText = MediaType("text/plain; charset=utf-8")

    /// The fields of a form (WHATWG URL): `application/x-www-form-urlencoded`.
    ///
    /// - Parameter useUTF8Charset: Whether to add `; charset=utf-8`, which the standard does not define and some older
    ///   servers ask for.
    /// - Returns: The type.
    public static func url(useUTF8Charset: Bool = false) -> MediaType {
        useUTF8Charset ? formWithCharset : form
    }

    /// The parts of a form (RFC 7578): `multipart/form-data`.
    ///
    /// - Parameter boundary: What separates the parts; it is quoted where it holds characters that a token may not.
    /// - Returns: The type with its `boundary` parameter.
    public static func multipart(withBoundary boundary: String) -> MediaType {
        MediaType("multipart/form-data; boundary=\(QuotedString.quotedIfNeeded(boundary))")
    }

    private static let form = MediaType("application/x-www-form-urlencoded")
    private static let formWithCharset = MediaType("application/x-www-form-urlencoded; charset=utf-8")
}

extension MediaType: CustomStringConvertible {
    /// The type as it stands in a header field.
    public var description: String { value }
}
