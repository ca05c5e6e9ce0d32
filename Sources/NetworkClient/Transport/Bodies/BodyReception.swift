/// What became of bytes of a body that is received as a whole.
package enum BodyReception: Sendable {
    case taken
    /// The body is cut at its limit.
    case full
    /// A body of this length is an error.
    case tooLong
}

extension TransportOptions {
    /// Adds bytes to a body that is received as a whole, as many as its limit allows.
    ///
    /// The bodies of refused statuses and of redirects are cut; the page of a redirect that is followed has its own
    /// limit. A coded body may be longer than it is when it is decoded, since it may be short or incompressible.
    package func take(
        _ bytes: some DataProtocol,
        into body: inout Data,
        ofStatus status: @autoclosure () -> Int?,
        isRedirectBody: Bool = false,
        isCoded: Bool = false
    ) -> BodyReception {
        let limit = isRedirectBody ? RedirectBodyLimit.bytes : bodyLimit
        let room = (isCoded && !isRedirectBody ? Self.codedLimit(of: limit) : limit) - body.count
        guard bytes.count > room else {
            body.append(contentsOf: bytes)
            return .taken
        }
        guard isRedirectBody || status().map(cutsBody) == true else { return .tooLong }
        body.append(contentsOf: bytes.prefix(max(0, room)))
        return .full
    }

    private static func codedLimit(of limit: Int) -> Int {
        let (sum, overflow) = limit.addingReportingOverflow(limit / 64 + 1 << 16)
        return overflow ? .max : sum
    }
}

/// The limits for the body of a redirect that is followed.
///
/// The body is received only so that its connection can be reused; above these limits, a new connection is cheaper.
enum RedirectBodyLimit {
    /// The maximum number of bytes.
    static let bytes = 1 << 16

    /// The maximum number of seconds from the end of the head.
    static let seconds = 1.0
}
