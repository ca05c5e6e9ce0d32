extension CallOptions {
    /// Creates options; nil keeps the client's setting.
    ///
    /// `retry`, `isIdempotent`, `authentication` and `compression` are options of interceptors. Without one, the
    /// authentication `.required` is an error before anything is sent, and the journey names what else has no effect.
    public init(
        acceptedStatuses: AcceptedStatuses? = nil,
        decoder: (any DecoderProtocol)? = nil,
        errorMapper: ResponseErrorMapper? = nil,
        idleTimeout: TimeInterval? = nil,
        attemptTimeout: TimeInterval? = nil,
        deadline: TimeInterval? = nil,
        redirects: RedirectPolicy? = nil,
        bodyLimit: Int? = nil,
        decodesBody: Bool = true,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        logging: (any NetworkLogger)? = nil,
        label: String? = nil,
        retry: RetryPolicy? = nil,
        isIdempotent: Bool? = nil,
        authentication: AuthenticationInterceptor.Requirement = .byDefault,
        compression: RequestCoding? = nil
    ) {
        self.init()
        self.acceptedStatuses = acceptedStatuses
        self.decoder = decoder
        self.errorMapper = errorMapper
        self.idleTimeout = idleTimeout
        self.attemptTimeout = attemptTimeout
        self.deadline = deadline
        self.redirects = redirects
        self.bodyLimit = bodyLimit
        self.decodesBody = decodesBody
        self.progress = progress
        self.logging = logging
        self.label = label
        // A value of an interceptor costs an allocation.
        if let retry { self.retry = retry }
        if let isIdempotent { self.isIdempotent = isIdempotent }
        if authentication != .byDefault { self.authentication = authentication }
        if let compression { self.compression = compression }
    }

    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    @available(*, unavailable, message: "a call's limits are idleTimeout:, attemptTimeout: and deadline:, in seconds")
    public init(timeout: TimeInterval) { fatalError() }
}
