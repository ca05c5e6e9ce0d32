/// Sends requests with URLSession; the default on Apple platforms, and the transport for a custom session everywhere.
///
/// It creates its own session with the configuration of the given session, since only a session's delegate can keep
/// redirects from being followed and bodies from growing without bound. It neither uses nor invalidates the given
/// session, and invalidating that session does not end calls. On Apple platforms, the given session's delegate receives
/// authentication challenges, including pinning, and metrics, and is kept as long as the transport exists; on Linux it
/// is not called. With a background session's configuration, every request fails with
/// ``TransportError/Reason/unsupported``.
///
/// The body of an asynchronous sequence is stored in a temporary file before anything is sent, since a stream must not
/// make URLSession wait. The file has no name, and is removed with the call.
///
/// URLSession joins header fields of one name, so that two `Location` fields become one, and decodes content codings
/// itself: a part (206) of an encoded resource fails, unless it happens to be decodable, and a call that wants the body
/// as it was sent asks for `identity`.
///
/// On Apple platforms, a streamed `text/plain` response, or one without a type, is held back until 512 bytes are
/// received. A WebSocket is a task of the session: a response that refuses it comes without its body,
/// ``WebSocket/close(_:reason:)`` does not wait for the server's Close, and the session's `timeoutIntervalForResource`
/// limits its life. On Linux, there are no WebSockets, and unread bytes of a stream are kept in such a temporary file,
/// up to 4 GiB; a redirect is followed only when its whole body was received, of any length; a compressed body that
/// breaks off in its last bytes is accepted as complete; a request without a body may be sent again, whatever its
/// method is.
public final class URLSessionTransport: Transport, ScopedTransport, OpaqueValue {
    /// The transport that the clients of the process share by default; they share its connections too.
    public static let shared = URLSessionTransport()

    /// The headers and timeouts of the given session.
    public let defaults: TransportDefaults

    let delegate: SessionDelegate
    private let session: URLSession
    private let hasCache: Bool
    private let limiter: ConnectionLimiter?
    private let isClosed = Locked(false)
    /// Whether the given session is for background transfers, which data tasks can't make.
    private let isForBackground: Bool

    /// Creates a transport without cache, cookies and stored credentials.
    public convenience init() {
        self.init(insteadOfCurl: nil)
    }

    /// Creates a transport that is used because libcurl can't be, for this reason.
    convenience init(insteadOfCurl reason: String?) {
        var defaults = TransportDefaults()
        defaults.reasonOfFallback = reason
        self.init(configuration: SessionPlatform.makeConfiguration(), defaults: defaults, forwardingTo: nil)
    }

    /// Creates a transport with the configuration of a session, and on Apple platforms with its delegate.
    ///
    /// The session's timeouts and additional header fields become ``defaults``. The cache, the cookie storage, the
    /// credential storage, proxies, TLS versions, the limit of connections to a host, and everything else that
    /// URLSession reads while it sends come from its configuration. Its delegate queue and its tasks are not used. On
    /// Linux its cache is left out, since a cancellation would crash with it.
    public convenience init(session: URLSession) {
        self.init(session, nil)
    }

    /// Creates a transport with TLS settings, on Apple platforms only.
    ///
    /// The settings override the session's oldest TLS version. With trust roots or pinned keys, they decide about the
    /// certificate of every server, including redirects, instead of the session's delegate; with a client certificate,
    /// they respond to every server that asks for one. The delegate receives all other challenges.
    ///
    /// - Parameters:
    ///   - session: The session whose configuration and delegate are used, as in ``init(session:)``; nil for a
    ///     transport without cache, cookies and stored credentials.
    ///   - security: The settings; a client certificate must be a PKCS#12 file.
    /// - Throws: ``TransportError/Reason/secureConnectionFailed`` if a pinned key or a file is invalid;
    ///   ``TransportError/Reason/unsupported`` if the client certificate is a PEM file, and always on Linux, where
    ///   `CurlTransport` has these settings.
    public convenience init(session: URLSession? = nil, security: TransportSecurity) throws {
        let security = try SessionSecurity(security)
        guard let session else {
            self.init(
                configuration: SessionPlatform.makeConfiguration(),
                defaults: TransportDefaults(),
                forwardingTo: nil,
                security: security
            )
            return
        }
        self.init(session, security)
    }

    private convenience init(_ session: URLSession, _ security: SessionSecurity?) {
        let isForBackground = session.configuration.identifier != nil
        let own = isForBackground ? nil : session.configuration.copy()
        let configuration = own as? URLSessionConfiguration ?? SessionPlatform.makeConfiguration()
        let headers = (configuration.httpAdditionalHeaders ?? [:]).reduce(into: [:]) { headers, header in
            headers["\(header.key)"] = "\(header.value)"
        }
        configuration.httpAdditionalHeaders = nil
        self.init(
            configuration: configuration,
            defaults: TransportDefaults(
                headers: headers,
                idleTimeout: configuration.timeoutIntervalForRequest,
                attemptTimeout: configuration.timeoutIntervalForResource
            ),
            forwardingTo: session.delegate,
            security: security,
            isForBackground: isForBackground
        )
    }

    init(
        configuration: URLSessionConfiguration,
        defaults: TransportDefaults,
        forwardingTo other: (any URLSessionDelegate)?,
        security: SessionSecurity? = nil,
        isForBackground: Bool = false
    ) {
        self.isForBackground = isForBackground
        SessionPlatform.adjust(configuration)
        security?.apply(to: configuration)
        hasCache = configuration.urlCache != nil
        let addsCookies = configuration.httpCookieStorage != nil && configuration.httpShouldSetCookies
        var defaults = defaults
        defaults.opensSockets = SessionPlatform.opensSockets
        defaults.keepsState = addsCookies || hasCache || configuration.urlCredentialStorage != nil
        self.defaults = defaults
        limiter = SessionPlatform.makeLimiter(for: configuration)
        delegate = SessionDelegate(forwardingTo: other, security: security)
        session = URLSession(
            configuration: configuration,
            delegate: delegate,
            delegateQueue: SessionPlatform.makeDelegateQueue()
        )
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// The name of this transport; on Linux, also the reason if it is used because libcurl can't be.
    public var description: String {
        defaults.reasonOfFallback.map { "URLSessionTransport (\($0))" } ?? "URLSessionTransport"
    }

    /// Ends open WebSockets, lets the exchanges in flight finish, and refuses new ones with
    /// ``TransportError/Reason/transportClosed``.
    ///
    /// Has no effect on ``shared``, which serves the whole process.
    public func shutDown() {
        guard self !== Self.shared else { return }
        let wasOpen = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard wasOpen else { return }
        delegate.shutSockets()
        session.finishTasksAndInvalidate()
    }

    /// Makes one exchange.
    ///
    /// - Throws: ``TransportError``; `CancellationError` if the task was cancelled.
    public func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
        guard !isForBackground else {
            throw TransportError(
                .unsupported,
                request: request,
                detail: "a background session cannot be used; pass a session with another configuration"
            )
        }
        try SessionPlatform.check(request)
        if !hasCache, request.cachePolicy == .returnCacheDataDontLoad {
            throw TransportError(.notInCache, request: request)
        }
        var request = try RequestValidation.checkHead(of: request)
        if !options.decodesBody, options.opensSocket == nil {
            request.set(header: .custom(name: "Accept-Encoding", value: "identity"))
        }
        guard isClosed.withLock({ !$0 }) else { throw TransportError(.transportClosed, request: request) }
        let limit = options.totalLimit
        // Done before the limiter, so that the request does not occupy a slot while its body is stored.
        var spooled: StoredBody?
        if let stream = request.httpBodyStream as? SequenceInputStream {
            spooled = try await StoredBody(stream, of: request, within: options)
        }
        let leave = try await enter(request, options, until: limit)
        let exchange: SessionExchange
        do {
            let upload = try SessionUpload(of: request, spooled: spooled)
            let options = try options.remaining(until: limit, request)
            exchange = SessionExchange(request: request, upload: upload, options: options, onEnd: leave)
        } catch {
            leave?()
            throw error
        }
        let prepared = SessionPlatform.prepare(request, exchange.upload)
        return try await perform(exchange, prepared, options.opensSocket)
    }

    /// Waits for a slot, and returns the function that releases it; nil if there is no limit.
    private nonisolated(nonsending) func enter(
        _ request: URLRequest,
        _ options: TransportOptions,
        until limit: TimeLimit?
    ) async throws -> (@Sendable () -> Void)? {
        guard let limiter, let url = request.url else { return nil }
        let origin = Origin(of: url)
        try await limiter.enter(origin, for: request, options, until: limit)
        return { limiter.leave(origin) }
    }

    private nonisolated(nonsending) func perform(
        _ exchange: SessionExchange,
        _ request: URLRequest,
        _ opening: WebSocketOpening?
    ) async throws -> TransportResponse {
        let response = try await CallScope.withCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchange.begin(continuation) { try start(request, opening, exchange) }
            }
        } onCancel: {
            exchange.cancel(CancellationError())
        }
        exchange.meetEnd()
        return response
    }

    /// Creates a task, and registers its exchange before any event of the task.
    ///
    /// Creating a task in an invalidated session traps, so this happens under the lock under which the session is
    /// invalidated.
    private func start(
        _ request: URLRequest,
        _ opening: WebSocketOpening?,
        _ exchange: SessionExchange
    ) throws -> URLSessionTask {
        try isClosed.withLock { isClosed in
            guard !isClosed else { throw TransportError(.transportClosed, request: request) }
            let task = SessionPlatform.makeTask(with: request, opening, in: session)
            delegate.register(exchange, for: task)
            return task
        }
    }
}
