import NetworkUtilities

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Moves requests with URLSession: the default transport.
///
/// It makes a session of its own with the configuration of the session that it is given, since only a session's
/// delegate can keep redirects from being followed and bodies from growing without bound. A delegate of the given
/// session is still asked for authentication challenges and told of metrics. `httpAdditionalHeaders` become defaults of
/// the client's requests, so that they obey the same rules as other headers when a request is redirected.
public final class URLSessionTransport: Transport {
    /// The transport that clients share unless they are given another, so that they share connections.
    public static let shared = URLSessionTransport()

    let delegate: SessionDelegate
    /// What the configuration adds to every request; the client adds it before its interceptors.
    let additionalHeaders: [String: String]
    /// The timeouts of a session that was given, in seconds; the client's and the request's own go before them.
    let timeouts: (idle: TimeInterval, total: TimeInterval)?
    private let session: URLSession
    private let limiter: ConnectionLimiter?
    private let isClosed = Locked(false)

    /// Makes a transport with a configuration without cache, cookies and stored credentials.
    public convenience init() {
        self.init(configuration: SessionPlatform.makeConfiguration(), timeouts: nil, forwardingTo: nil)
    }

    /// Makes a transport with the configuration of a session, and with its delegate for authentication challenges.
    ///
    /// - Parameter session: The session; it is neither used nor invalidated. On Linux its cache is left out, since a
    ///   cancellation would crash with it.
    public convenience init(session: URLSession) {
        let copy = session.configuration.copy() as? URLSessionConfiguration ?? SessionPlatform.makeConfiguration()
        self.init(
            configuration: copy,
            timeouts: (copy.timeoutIntervalForRequest, copy.timeoutIntervalForResource),
            forwardingTo: session.delegate
        )
    }

    private init(
        configuration: URLSessionConfiguration,
        timeouts: (idle: TimeInterval, total: TimeInterval)?,
        forwardingTo other: (any URLSessionDelegate)?
    ) {
        self.timeouts = timeouts
        additionalHeaders = (configuration.httpAdditionalHeaders ?? [:]).reduce(into: [:]) { headers, header in
            headers["\(header.key)"] = "\(header.value)"
        }
        configuration.httpAdditionalHeaders = nil
        SessionPlatform.adjust(configuration)
        limiter = SessionPlatform.makeLimiter(for: configuration)
        delegate = SessionDelegate(forwardingTo: other)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// The name of this transport.
    public var description: String { "URLSessionTransport" }

    /// Lets exchanges that are under way finish and refuses new ones, with ``TransportError/Reason/transportClosed``.
    public func shutDown() {
        let wasOpen = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        if wasOpen { session.finishTasksAndInvalidate() }
    }

    /// Makes one exchange.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The limits of the exchange.
    /// - Returns: The head and the body of the final answer.
    /// - Throws: ``TransportError``; `CancellationError` if the task was cancelled.
    public func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
        guard let limiter, let url = request.url else { return try await exchange(request, options) }
        let origin = Origin(of: url)
        try await limiter.enter(origin)
        defer { limiter.leave(origin) }
        return try await exchange(request, options)
    }

    private func exchange(_ request: URLRequest, _ options: TransportOptions) async throws -> TransportResponse {
        let upload = SessionUpload(of: request)
        let exchange = SessionExchange(request: request, upload: upload, options: options)
        let prepared = SessionPlatform.prepare(request, upload)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchange.begin(continuation) { try start(prepared, exchange) }
            }
        } onCancel: {
            // Not here: the task's own lock is held now, and URLSession waits for a queue that may be waiting for it.
            DispatchQueue.global().async { exchange.cancel(CancellationError()) }
        }
    }

    /// Makes a task and registers its exchange before anything can happen to it.
    ///
    /// A session that was invalidated traps, so it is asked under the lock under which it is invalidated.
    private func start(_ request: URLRequest, _ exchange: SessionExchange) throws -> URLSessionTask {
        try isClosed.withLock { isClosed in
            guard !isClosed else { throw TransportError(.transportClosed, request: request) }
            let task = session.dataTask(with: request)
            delegate.register(exchange, for: task)
            return task
        }
    }
}
