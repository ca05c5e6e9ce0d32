extension NetworkClient {
    /// The settings for every call of a client; ``CallOptions`` overrides them for one call.
    public struct Configuration: Sendable {
        /// The URL to which relative URLs are appended; nil if every request has an absolute URL.
        ///
        /// With `https://api.example.com/v1` a request for `users/42` or `/users/42` goes to
        /// `https://api.example.com/v1/users/42`; the query of the base URL comes first, then the request's own. A
        /// request for another origin is sent without the credentials that interceptors added to it.
        public var baseURL: URL?

        /// The encoders for the bodies of requests that begin with ``NetworkClient/NetworkClient/request``.
        ///
        /// These are the requests of all endpoints, and those that begin with a bare verb, as in
        /// `client.stream(.get(path: "events"))`. An endpoint replaces them with `builder.encoding(with:)`.
        public var encoders: URLRequestBuilderOptions

        /// The number of seconds, more than 0, that may pass without a byte in either direction, for requests that have
        /// Foundation's default of 60 seconds; nil keeps that default.
        ///
        /// A timeout of the builder's `idleTimeout(_:)` or of ``CallOptions`` takes precedence, even one of 60 seconds;
        /// a 60 that was assigned to `URLRequest.timeoutInterval` cannot be distinguished from the default.
        public var idleTimeout: TimeInterval?

        /// The maximum number of seconds, more than 0, that each attempt may take, redirects included; nil for no
        /// limit.
        public var attemptTimeout: TimeInterval?

        /// The statuses that are not errors.
        public var acceptedStatuses: AcceptedStatuses

        /// The redirects that are followed.
        public var redirects: RedirectPolicy

        /// Header fields that hold credentials, in addition to the usual ones: they do not follow a redirect to another
        /// origin, and the client's log masks them.
        public var sensitiveHeaders: [String]

        /// The maximum number of bytes in the body of an accepted response, after content decoding.
        ///
        /// The body of an error is cut at this limit. It does not apply to the body of a redirect, nor to streams and
        /// downloads, which ``CallOptions/bodyLimit`` limits.
        public var bodyLimit: Int

        /// The maximum number of bytes in a body that is decoded.
        ///
        /// Bodies of `Data` and `String` are limited by ``bodyLimit`` alone; ``CallOptions/bodyLimit`` overrides both
        /// limits.
        /// Decoding on Linux takes 2 to 6 times the memory of usual bodies, 13 times for an array of digits, and at
        /// most 50 times (`[{},{},…]`).
        public var decodingLimit: Int

        /// The store for cookies; nil for a client that neither keeps nor sends cookies.
        ///
        /// Do not combine it with a custom session that stores cookies itself.
        public var cookies: CookieStore?

        /// The cache for responses; nil for a client that sends every request.
        ///
        /// A client with a caller-provided session that stores cookies, credentials or responses has no cache: only the
        /// session knows whose a response is. Set `httpCookieStorage`, `urlCredentialStorage` and `urlCache` of its
        /// configuration to nil, and don't let its delegate respond to challenges with a person's credential.
        public var cache: ResponseCache?

        /// The clock on which interceptors wait and measure time.
        public var time: any TimeSource

        /// The closure that is called once at the end of each call, in the task of the call or of the reader of its
        /// stream, so it must not block; nil for no observer.
        public var observer: (@Sendable (CallReport) -> Void)?

        /// Creates a configuration.
        public init(
            baseURL: URL? = nil,
            encoders: URLRequestBuilderOptions = URLRequestBuilderOptions(),
            idleTimeout: TimeInterval? = nil,
            attemptTimeout: TimeInterval? = nil,
            acceptedStatuses: AcceptedStatuses = .successful,
            redirects: RedirectPolicy = .follow,
            sensitiveHeaders: [String] = [],
            bodyLimit: Int = 256 << 20,
            decodingLimit: Int = 32 << 20,
            cookies: CookieStore? = nil,
            cache: ResponseCache? = nil,
            time: any TimeSource = SystemTimeSource(),
            observer: (@Sendable (CallReport) -> Void)? = nil
        ) {
            self.baseURL = baseURL
            self.encoders = encoders
            self.idleTimeout = idleTimeout
            self.attemptTimeout = attemptTimeout
            self.acceptedStatuses = acceptedStatuses
            self.redirects = redirects
            self.sensitiveHeaders = sensitiveHeaders
            self.bodyLimit = bodyLimit
            self.decodingLimit = decodingLimit
            self.cookies = cookies
            self.cache = cache
            self.time = time
            self.observer = observer
        }

        /// Creates a configuration with a closure that sets it: `.init { $0.bodyLimit = 1 << 20 }`.
        public init(_ change: (inout Configuration) -> Void) {
            self.init()
            change(&self)
        }
    }
}

extension NetworkClient.Configuration: CustomReflectable {
    /// A mirror that shows the base URL without user, password and secret query values, and no cookies.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "baseURL": baseURL.map { LogRedaction.sensitive.text(of: $0) } as Any,
            "idleTimeout": idleTimeout as Any,
            "attemptTimeout": attemptTimeout as Any,
            "acceptedStatuses": acceptedStatuses,
            "redirects": redirects,
            "sensitiveHeaders": sensitiveHeaders,
            "bodyLimit": bodyLimit,
            "decodingLimit": decodingLimit,
            "cookies": cookies as Any,
            "cache": cache as Any,
            "time": time,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}
