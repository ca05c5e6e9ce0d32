/// A value that has exactly one text in a URL, so that it can be a part of a path or a query item without an error.
///
/// Texts, Booleans, integers, `UUID` and `URL` are; so is an enum whose raw values are, once it says so. Not so what
/// may have no text, or more than one: numbers with a fraction (infinity has none), dates (several formats), optionals.
/// The text is not escaped; that is done where it is written.
///
/// ```swift
/// enum Section: String, URLTextConvertible { case posts, photos }
///
/// struct UserID: URLTextConvertible {
///     let number: Int
///     var urlText: String { "u\(number)" }
/// }
/// ```
public protocol URLTextConvertible {
    /// The value's text, not escaped.
    var urlText: String { get }
}

extension URLTextConvertible where Self: RawRepresentable, RawValue: URLTextConvertible {
    /// The text of the raw value.
    public var urlText: String { rawValue.urlText }
}
