public import Foundation

/// What differs from the client's configuration for one call; nil leaves the client's own.
///
/// ```swift
/// let cached: NetworkClient.Response<Data> = try await client.fetch(
///     request: request,
///     options: CallOptions(acceptedStatuses: .successful.and(304), timeout: 5)
/// )
/// ```
public struct CallOptions: Sendable {
    /// The statuses that are answers rather than errors.
    public var acceptedStatuses: AcceptedStatuses?

    /// What decodes the answer, and the payload of an error.
    public var decoder: (any DecoderProtocol)?

    /// How many seconds may pass without a byte in either direction; goes before the request's `timeoutInterval`.
    public var timeout: TimeInterval?

    /// How many seconds sending may take in all, redirects included.
    public var totalTimeout: TimeInterval?

    /// Which redirects are followed.
    public var redirects: RedirectPolicy?

    /// The most bytes that the body of an accepted response may have, after content decoding; the body of an error is
    /// cut there, and the page of a redirect does not count.
    public var bodyLimit: Int?

    /// Takes what differs.
    ///
    /// - Parameters:
    ///   - acceptedStatuses: The statuses that are answers rather than errors.
    ///   - decoder: What decodes the answer.
    ///   - timeout: Seconds without a byte, more than 0.
    ///   - totalTimeout: Seconds in all, more than 0.
    ///   - redirects: Which redirects are followed.
    ///   - bodyLimit: Bytes.
    public init(
        acceptedStatuses: AcceptedStatuses? = nil,
        decoder: (any DecoderProtocol)? = nil,
        timeout: TimeInterval? = nil,
        totalTimeout: TimeInterval? = nil,
        redirects: RedirectPolicy? = nil,
        bodyLimit: Int? = nil
    ) {
        self.acceptedStatuses = acceptedStatuses
        self.decoder = decoder
        self.timeout = timeout
        self.totalTimeout = totalTimeout
        self.redirects = redirects
        self.bodyLimit = bodyLimit
    }
}
