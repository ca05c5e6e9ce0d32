extension NetworkClient {
    /// A server that a client talks to: its base URL, and the header fields and the credential for its requests.
    ///
    /// The same endpoints can be sent to several environments, each with its own client:
    ///
    /// ```swift
    /// extension NetworkClient.Environment {
    ///     static func production() throws -> Self {
    ///         try Self(baseURL: "https://api.example.com/v1")
    ///     }
    ///     static func staging(_ session: TokenSession) throws -> Self {
    ///         try Self(
    ///             host: "staging.example.com",
    ///             port: 8443,
    ///             path: "v1",
    ///             headers: [.custom(name: "X-Stage", value: "1")],
    ///             authentication: .bearer(session)
    ///         )
    ///     }
    /// }
    ///
    /// let client = NetworkClient(environment: try .production(), interceptors: [.retry()])
    /// ```
    public struct Environment: Sendable {
        /// The URL to which the paths of requests are appended.
        public var baseURL: URL

        /// Fields for every request, whatever its origin, unless the request has a field of that name.
        ///
        /// Credentials among them are sent only to the origin of the base URL.
        public var headers: [HeaderField]

        /// The credential for requests to the origin of the base URL; nil for none.
        public var authentication: AuthenticationScheme?

        /// Whether calls need the credential: all of them by default; with `.none`, only those that ask for it by
        /// ``CallOptions/authentication`` have it.
        public var requirement: AuthenticationInterceptor.Requirement

        /// Creates an environment.
        public init(
            baseURL: URL,
            headers: [HeaderField] = [],
            authentication: AuthenticationScheme? = nil,
            requirement: AuthenticationInterceptor.Requirement = .required
        ) {
            self.baseURL = baseURL
            self.headers = headers
            self.authentication = authentication
            self.requirement = requirement
        }

        /// Creates an environment from the text of its base URL; throws `HTTPURLError`.
        public init(
            baseURL text: String,
            headers: [HeaderField] = [],
            authentication: AuthenticationScheme? = nil,
            requirement: AuthenticationInterceptor.Requirement = .required
        ) throws(HTTPURLError) {
            let url = try URL(http: text)
            self.init(baseURL: url, headers: headers, authentication: authentication, requirement: requirement)
        }

        /// Creates an environment from the components of its base URL; throws `HTTPURLError`.
        ///
        /// The components are the arguments of `URL(scheme:host:port:path:)`.
        public init(
            scheme: String = "https",
            host: String,
            port: Int? = nil,
            path: String = "",
            headers: [HeaderField] = [],
            authentication: AuthenticationScheme? = nil,
            requirement: AuthenticationInterceptor.Requirement = .required
        ) throws(HTTPURLError) {
            let url = try URL(scheme: scheme, host: host, port: port, path: path)
            self.init(baseURL: url, headers: headers, authentication: authentication, requirement: requirement)
        }

        /// The interceptors that add the fields and the credential, in this order.
        var interceptors: [any InterceptorProtocol] {
            var interceptors: [any InterceptorProtocol] = []
            if !headers.isEmpty { interceptors.append(.headers(headers)) }
            if let authentication {
                interceptors.append(.authentication(authentication, origins: [baseURL], requirement: requirement))
            }
            return interceptors
        }
    }

    /// Creates a client for an environment.
    ///
    /// - Parameters:
    ///   - environment: The base URL, and what every request to it gets.
    ///   - transport: Sends the requests; nil for the default transport of the platform.
    ///   - interceptors: The interceptors to be called before the environment's own, so that each attempt of a retry is
    ///     authenticated.
    ///   - decoder: Decodes responses.
    ///   - logging: The logger that records each exchange; `.off` by default.
    ///   - apiErrorMapper: Replaces the errors of the server.
    ///   - configuration: The other settings; its base URL is replaced by the environment's.
    public convenience init(
        environment: Environment,
        transport: (any Transport)? = nil,
        interceptors: [any InterceptorProtocol] = [],
        decoder: any DecoderProtocol = .default,
        logging: any NetworkLogger = .off,
        apiErrorMapper: ResponseErrorMapper = .default,
        configuration: Configuration = Configuration()
    ) {
        var configuration = configuration
        configuration.baseURL = environment.baseURL
        self.init(
            transport: transport ?? DefaultTransport.shared,
            interceptors: interceptors + environment.interceptors,
            decoder: decoder,
            logging: logging,
            apiErrorMapper: apiErrorMapper,
            configuration: configuration
        )
    }
}

extension NetworkClient {
    /// Creates a client for a server.
    ///
    /// ```swift
    /// let client = try NetworkClient(
    ///     baseURL: "https://api.example.com/v1",
    ///     interceptors: [.standardResilience]
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - text: The URL to which the paths of requests are appended, as text.
    ///   - transport: Sends the requests; nil for the default transport of the platform.
    ///   - interceptors: The interceptors, in the order in which requests pass them.
    ///   - decoder: Decodes responses.
    ///   - logging: The logger that records each exchange; `.off` by default.
    ///   - apiErrorMapper: Replaces the errors of the server.
    ///   - configuration: The other settings; its base URL is replaced.
    /// - Throws: `HTTPURLError` if the text isn't an `http` or `https` URL with a host.
    public convenience init(
        baseURL text: String,
        transport: (any Transport)? = nil,
        interceptors: [any InterceptorProtocol] = [],
        decoder: any DecoderProtocol = .default,
        logging: any NetworkLogger = .off,
        apiErrorMapper: ResponseErrorMapper = .default,
        configuration: Configuration = Configuration()
    ) throws(HTTPURLError) {
        self.init(
            environment: try Environment(baseURL: text),
            transport: transport,
            interceptors: interceptors,
            decoder: decoder,
            logging: logging,
            apiErrorMapper: apiErrorMapper,
            configuration: configuration
        )
    }

    /// Creates a client for a server; behaves like the initialiser with a text, and doesn't throw.
    public convenience init(
        baseURL: URL,
        transport: (any Transport)? = nil,
        interceptors: [any InterceptorProtocol] = [],
        decoder: any DecoderProtocol = .default,
        logging: any NetworkLogger = .off,
        apiErrorMapper: ResponseErrorMapper = .default,
        configuration: Configuration = Configuration()
    ) {
        self.init(
            environment: Environment(baseURL: baseURL),
            transport: transport,
            interceptors: interceptors,
            decoder: decoder,
            logging: logging,
            apiErrorMapper: apiErrorMapper,
            configuration: configuration
        )
    }
}

extension NetworkClient.Environment: CustomStringConvertible, CustomReflectable {
    /// The base URL without user, password and secret query values.
    public var description: String { LogRedaction.sensitive.text(of: baseURL) }

    /// A mirror that shows the base URL without user, password and secret query values, and masks credentials.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "baseURL": description, "headers": headers, "authentication": authentication as Any,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}
