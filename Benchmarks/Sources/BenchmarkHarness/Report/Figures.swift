import Foundation

/// How figures are written.
public enum Figures {
    /// A number with so many digits after the point.
    ///
    /// - Parameters:
    ///   - value: The number; nil is written `n/a`.
    ///   - digits: Digits after the point.
    /// - Returns: The text.
    public static func number(_ value: Double?, digits: Int = 1) -> String {
        value.map { String(format: "%.\(digits)f", $0) } ?? "n/a"
    }

    /// Bytes as megabytes of 1,000,000 bytes.
    ///
    /// - Parameter bytes: The number; nil is written `n/a`.
    /// - Returns: The text.
    public static func megabytes(_ bytes: Int?) -> String {
        bytes.map { String(format: "%.1f MB", Double($0) / 1_000_000) } ?? "n/a"
    }

    /// A count.
    ///
    /// - Parameter count: The number; nil is written `n/a`.
    /// - Returns: The text.
    public static func count(_ count: Int?) -> String {
        count.map(String.init) ?? "n/a"
    }
}
