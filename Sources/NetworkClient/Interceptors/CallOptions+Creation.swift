extension CallOptions {
    /// Creates options; nil keeps the client's setting.
    ///
    /// The parameters from `retry` on are options of interceptors, without which they have no effect.
    public init(
        acceptedStatuses: AcceptedStatuses? = nil,
        decoder: (any DecoderProtocol)? = nil,
        errorMapper: ResponseErrorMapper? = nil,
        idleTimeout: TimeInterval? = nil,
        totalTimeout: TimeInterval? = nil,
        redirects: RedirectPolicy? = nil,
        bodyLimit: Int? = nil,
        decodesBody: Bool = true,
        logging: (any NetworkLogger)? = nil,
        label: String? = nil,
        retry: RetryPolicy? = nil,
        isIdempotent: Bool? = nil,
        deadline: TimeInterval? = nil,
        attemptTimeout: TimeInterval? = nil,
        authentication: AuthenticationInterceptor.Requirement = .byDefault
    ) {
        self.init()
        self.acceptedStatuses = acceptedStatuses
        self.decoder = decoder
        self.errorMapper = errorMapper
        self.idleTimeout = idleTimeout
        self.totalTimeout = totalTimeout
        self.redirects = redirects
        self.bodyLimit = bodyLimit
        self.decodesBody = decodesBody
        self.logging = logging
        self.label = label
        // A value of an interceptor costs an allocation.
        if let retry { self.retry = retry }
        if let isIdempotent { self.isIdempotent = isIdempotent }
        if let deadline { self.deadline = deadline }
        if let attemptTimeout { self.attemptTimeout = attemptTimeout }
        if authentication != .byDefault { self.authentication = authentication }
    }
}

// The limit that other libraries call the timeout: there, it is often one for the whole call.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CallOptions {
    @_documentation(visibility: internal)
    @available(*, deprecated, renamed: "idleTimeout")
    public var timeout: TimeInterval? {
        get { idleTimeout }
        set { idleTimeout = newValue }
    }

    @_documentation(visibility: internal)
    @available(*, deprecated, renamed: "init(idleTimeout:)")
    public init(timeout: TimeInterval?) { self.init(idleTimeout: timeout) }

    @available(
        *,
        unavailable,
        message: "write idleTimeout: for the seconds without a byte, or totalTimeout: for those of an attempt"
    )
    public init(
        acceptedStatuses: AcceptedStatuses? = nil,
        decoder: (any DecoderProtocol)? = nil,
        errorMapper: ResponseErrorMapper? = nil,
        timeout: TimeInterval?,
        totalTimeout: TimeInterval? = nil,
        redirects: RedirectPolicy? = nil,
        bodyLimit: Int? = nil,
        logging: (any NetworkLogger)? = nil,
        label: String? = nil,
        retry: RetryPolicy? = nil,
        isIdempotent: Bool? = nil,
        deadline: TimeInterval? = nil,
        attemptTimeout: TimeInterval? = nil,
        authentication: AuthenticationInterceptor.Requirement = .byDefault
    ) { fatalError() }
}
