/// A value with exactly one text in a URL: it can be part of a path or a query item without an error.
///
/// Strings, Booleans, integers, `UUID` and `URL` conform; an enum whose raw values conform only has to declare it.
/// Types whose values may have no text, or more than one, don't conform: numbers with a fraction (infinity has no
/// text), dates (there are several formats), optionals.
///
/// ```swift
/// enum Section: String, URLTextConvertible { case posts, photos }
///
/// struct UserID: URLTextConvertible {
///     let number: Int
///     var urlText: String { "u\(number)" }
/// }
/// ```
public protocol URLTextConvertible: PathValue {
    /// The value's text, not escaped: the builder escapes it.
    var urlText: String { get }
}

/// A value that can be a part of a path: a ``URLTextConvertible``, which is one segment, or an array of them, which is
/// several.
///
/// To use a type of yours in a path, declare that it is a ``URLTextConvertible``.
public protocol PathValue {
    /// The texts of the segments, not escaped.
    var pathSegments: [String] { get }
}

extension URLTextConvertible {
    /// The text of the value as one segment.
    public var pathSegments: [String] { [urlText] }
}

extension Array: PathValue where Element: URLTextConvertible {
    /// The text of each element.
    public var pathSegments: [String] { map(\.urlText) }
}

extension URLTextConvertible where Self: RawRepresentable, RawValue: URLTextConvertible {
    /// The text of the raw value.
    public var urlText: String { rawValue.urlText }
}

extension URLTextConvertible where Self: StringProtocol {
    /// The string itself.
    public var urlText: String { String(self) }
}

extension String: URLTextConvertible {}
extension Substring: URLTextConvertible {}

extension Character: URLTextConvertible {
    /// The character alone.
    public var urlText: String { String(self) }
}

extension URLTextConvertible where Self: FixedWidthInteger {
    /// The number in decimal digits, with a `-` in front if it is negative.
    public var urlText: String { String(self) }
}

extension Int: URLTextConvertible {}
extension Int8: URLTextConvertible {}
extension Int16: URLTextConvertible {}
extension Int32: URLTextConvertible {}
extension Int64: URLTextConvertible {}
extension UInt: URLTextConvertible {}
extension UInt8: URLTextConvertible {}
extension UInt16: URLTextConvertible {}
extension UInt32: URLTextConvertible {}
extension UInt64: URLTextConvertible {}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: URLTextConvertible {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: URLTextConvertible {}

extension Bool: URLTextConvertible {
    /// `true` or `false`.
    public var urlText: String { self ? "true" : "false" }
}

extension UUID: URLTextConvertible {
    /// The 36 characters of the identifier, with uppercase letters.
    public var urlText: String { uuidString }
}

extension URL: URLTextConvertible {
    /// The whole URL; a relative URL is resolved against its base.
    public var urlText: String { absoluteString }
}
