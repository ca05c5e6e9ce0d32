/// How much of a request or an answer a log shows.
///
/// The parts add up: `[.status, .headers]` shows the line and the header fields. The line is there with every level but
/// ``off``.
public struct NetworkLoggingLevel: OptionSet, Hashable, Sendable {
    /// The bits of the parts.
    public let rawValue: Int

    /// Makes a level from the bits of its parts.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Nothing at all: no text is made and the stream is not called.
    public static let off: NetworkLoggingLevel = []

    /// Method, URL, status and duration.
    public static let status = NetworkLoggingLevel(rawValue: 1 << 1)

    /// The header fields, masked.
    public static let headers = NetworkLoggingLevel(rawValue: 1 << 2)

    /// The body, masked and cut.
    public static let body = NetworkLoggingLevel(rawValue: 1 << 3)

    /// Everything.
    public static let full: NetworkLoggingLevel = [.status, .headers, .body]
}
