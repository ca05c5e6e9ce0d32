public import Foundation

extension URLTextConvertible where Self: StringProtocol {
    /// The text itself.
    public var urlText: String { String(self) }
}

extension URLTextConvertible where Self: FixedWidthInteger {
    /// The number in decimal digits, with a `-` in front if it is negative.
    public var urlText: String { String(self) }
}

extension String: URLTextConvertible {}
extension Substring: URLTextConvertible {}

extension Character: URLTextConvertible {
    /// The character alone.
    public var urlText: String { String(self) }
}

extension Bool: URLTextConvertible {
    /// `true` or `false`.
    public var urlText: String { self ? "true" : "false" }
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

extension UUID: URLTextConvertible {
    /// The 36 characters of the identifier, its letters in upper case.
    public var urlText: String { uuidString }
}

extension URL: URLTextConvertible {
    /// The whole URL, a relative one resolved against its base.
    public var urlText: String { absoluteString }
}
