public import Foundation

/// What a transport would have its requests be, where neither the request nor the client says otherwise.
///
/// The client applies it before its interceptors, so that it obeys the same rules as everything else in a request: a
/// credential among the headers does not follow a redirect to another origin.
public struct TransportDefaults: Sendable {
    /// Header fields by name.
    public var headers: [String: String]

    /// How many seconds may pass without a byte in either direction; nil for Foundation's 60.
    public var timeout: TimeInterval?

    /// How many seconds a call may take from its first byte to its last, redirects included; nil for no limit.
    public var totalTimeout: TimeInterval?

    /// Takes the defaults.
    ///
    /// - Parameters:
    ///   - headers: Header fields by name.
    ///   - timeout: Seconds without a byte.
    ///   - totalTimeout: Seconds in all.
    public init(headers: [String: String] = [:], timeout: TimeInterval? = nil, totalTimeout: TimeInterval? = nil) {
        self.headers = headers
        self.timeout = timeout
        self.totalTimeout = totalTimeout
    }
}
