public import Foundation

extension NetworkClient {
    /// What holds for every call of a client; ``CallOptions`` changes it for one call.
    public struct Configuration: Sendable {
        /// What relative URLs are appended to; nil if every request has an absolute URL.
        ///
        /// With `https://api.example.com/v1` a request for `users/42` or `/users/42` goes to
        /// `https://api.example.com/v1/users/42`; a query of the base URL stays, in front of the request's own. A
        /// request for another origin goes there without the credentials that interceptors give it.
        public var baseURL: URL?

        /// How many seconds may pass without a byte in either direction, for requests that have only Foundation's
        /// default of 60 seconds; nil leaves that.
        ///
        /// A timeout of the builder's `timeout(_:)` or of ``CallOptions`` takes precedence, one of 60 seconds included;
        /// a 60 that was assigned to `URLRequest.timeoutInterval` cannot be told from the default.
        public var timeout: TimeInterval?

        /// How many seconds sending may take in all, redirects included; nil for no such limit.
        public var totalTimeout: TimeInterval?

        /// The statuses that are answers rather than errors.
        public var acceptedStatuses: AcceptedStatuses

        /// Which redirects are followed.
        public var redirects: RedirectPolicy

        /// Header fields that hold credentials, besides the usual ones: they follow no redirect to another origin, and
        /// the client's log masks them.
        public var sensitiveHeaders: [String]

        /// The most bytes that the body of an accepted response may have, after content decoding; the body of an error
        /// is cut there, and the page of a redirect does not count.
        public var bodyLimit: Int

        /// Where cookies are kept and taken from; nil for a client that neither keeps nor sends any.
        ///
        /// A session of your own that keeps cookies is not to be given as well.
        public var cookies: CookieStore?

        /// Takes the settings.
        ///
        /// - Parameters:
        ///   - baseURL: What relative URLs are appended to.
        ///   - timeout: Seconds without a byte, more than 0.
        ///   - totalTimeout: Seconds in all, more than 0.
        ///   - acceptedStatuses: The statuses that are answers rather than errors.
        ///   - redirects: Which redirects are followed.
        ///   - sensitiveHeaders: Names of fields that hold credentials.
        ///   - bodyLimit: Bytes.
        ///   - cookies: Where cookies are kept.
        public init(
            baseURL: URL? = nil,
            timeout: TimeInterval? = nil,
            totalTimeout: TimeInterval? = nil,
            acceptedStatuses: AcceptedStatuses = .successful,
            redirects: RedirectPolicy = .follow,
            sensitiveHeaders: [String] = [],
            bodyLimit: Int = 256 << 20,
            cookies: CookieStore? = nil
        ) {
            self.baseURL = baseURL
            self.timeout = timeout
            self.totalTimeout = totalTimeout
            self.acceptedStatuses = acceptedStatuses
            self.redirects = redirects
            self.sensitiveHeaders = sensitiveHeaders
            self.bodyLimit = bodyLimit
            self.cookies = cookies
        }
    }
}

extension NetworkClient.Configuration: CustomReflectable {
    /// A mirror that shows the base URL without user, password and hidden query values, and no cookies.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "baseURL": baseURL.map { LogRedaction.sensitive.text(of: $0) } as Any,
            "timeout": timeout as Any,
            "totalTimeout": totalTimeout as Any,
            "acceptedStatuses": acceptedStatuses,
            "redirects": redirects,
            "sensitiveHeaders": sensitiveHeaders,
            "bodyLimit": bodyLimit,
            "cookies": cookies as Any,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}

extension NetworkClient: CustomReflectable {
    /// A mirror of the configuration alone, since interceptors and transports may hold credentials.
    public var customMirror: Mirror {
        Mirror(self, children: ["configuration": configuration], displayStyle: .class)
    }
}
