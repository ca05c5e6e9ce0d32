/// The transport of clients that are created without a session or a transport: one for the process, so that they share
/// connections.
enum DefaultTransport {
    #if os(Linux)
    static let shared = choose(problem: CurlLibrary.problem)

    /// Returns a transport with libcurl, or with URLSession where libcurl cannot be used; its description then contains
    /// the problem.
    static func choose(problem: String?) -> any Transport {
        do {
            if let problem { throw TransportError(.unsupported, detail: problem) }
            return try CurlTransport(isShared: true)
        } catch {
            let reason = (error as? TransportError)?.detail ?? "libcurl cannot be used"
            return URLSessionTransport(insteadOfCurl: reason)
        }
    }
    #else
    static let shared: any Transport = URLSessionTransport.shared
    #endif
}

extension NetworkClient {
    /// Creates a client that sends with the platform's default transport, or with a custom session.
    ///
    /// The default is URLSession on Apple platforms, and libcurl on Linux; where libcurl cannot be used, ``transport``
    /// is a ``URLSessionTransport``, whose description and one line in the log give the reason.
    ///
    /// - Parameters:
    ///   - interceptors: The interceptors, in the order in which requests pass them.
    ///   - decoder: Decodes responses.
    ///   - logging: The logger that records each exchange; `.off` by default. `.default` writes one line for each,
    ///     without header fields and bodies.
    ///   - session: The session whose configuration ``URLSessionTransport`` copies, with its cache, cookies, proxies,
    ///     timeouts and header fields, and whose delegate gets challenges on Apple platforms; its tasks are not used.
    ///     With a session for transfers in the background every request fails. Nil for connections shared with other
    ///     clients, without cookies and cache.
    ///   - apiErrorMapper: Replaces the errors of the server.
    ///   - configuration: Base URL, timeouts, limits, accepted statuses, redirects.
    public convenience init(
        interceptors: [any InterceptorProtocol] = [],
        decoder: any DecoderProtocol = .default,
        logging: any NetworkLogger = .off,
        session: URLSession? = nil,
        apiErrorMapper: ResponseErrorMapper = .default,
        configuration: Configuration = Configuration()
    ) {
        self.init(
            transport: session.map { URLSessionTransport(session: $0) } ?? DefaultTransport.shared,
            interceptors: interceptors,
            decoder: decoder,
            logging: logging,
            apiErrorMapper: apiErrorMapper,
            configuration: configuration
        )
    }
}
