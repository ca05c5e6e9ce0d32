import NetworkUtilities

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Moves requests with URLSession: the default transport on Apple platforms, and for a session of your own everywhere.
///
/// It makes a session of its own with the configuration of the session that it is given, since only a session's
/// delegate can keep redirects from being followed and bodies from growing without bound. The given session is neither
/// used nor invalidated, and invalidating it does not end calls. On Apple platforms its delegate is asked for
/// authentication challenges, pinning included, and told of metrics, and is kept as long as the transport; on Linux it
/// is not asked. A configuration for the background is replaced by an ephemeral one.
///
/// A body that comes from an asynchronous sequence is gathered in a temporary file before anything is sent, since no
/// stream may make URLSession wait; the file has no name, and is gone when the call is over.
///
/// URLSession joins header fields of one name, so that two `Location` fields are taken for one, and undoes content
/// codings by itself: a part (206) of a coded resource fails, unless it happens to be decodable.
///
/// On Apple platforms a streamed `text/plain` response, or one without a type, is held back until 512 bytes of it have
/// come. On Linux what a stream's reader has not read is kept in such a file, up to 4 GiB; a compressed body that
/// breaks off in its last bytes is taken for a whole one; a request without a body may be sent again, whatever its
/// method.
public final class URLSessionTransport: Transport, ScopedTransport {
    /// One for the whole process, so that clients can share connections.
    public static let shared = URLSessionTransport()

    /// Headers and timeouts of the session that was given.
    public let defaults: TransportDefaults

    let delegate: SessionDelegate
    private let session: URLSession
    private let limiter: ConnectionLimiter<Origin>?
    private let isClosed = Locked(false)
    /// Why it is used in place of another, if it is.
    let explanation: String?

    /// Makes a transport with a configuration without cache, cookies and stored credentials.
    public convenience init() {
        self.init(explanation: nil)
    }

    /// - Parameter explanation: Why it is used in place of another.
    convenience init(explanation: String?) {
        self.init(
            configuration: SessionPlatform.makeConfiguration(),
            defaults: TransportDefaults(),
            forwardingTo: nil,
            explanation: explanation
        )
    }

    /// Makes a transport with the configuration of a session, and on Apple platforms with its delegate.
    ///
    /// - Parameter session: The session. On Linux its cache is left out, since a cancellation would crash with it.
    public convenience init(session: URLSession) {
        let own = session.configuration.identifier == nil ? session.configuration.copy() : nil
        let configuration = own as? URLSessionConfiguration ?? SessionPlatform.makeConfiguration()
        let headers = (configuration.httpAdditionalHeaders ?? [:]).reduce(into: [:]) { headers, header in
            headers["\(header.key)"] = "\(header.value)"
        }
        configuration.httpAdditionalHeaders = nil
        self.init(
            configuration: configuration,
            defaults: TransportDefaults(
                headers: headers,
                timeout: configuration.timeoutIntervalForRequest,
                totalTimeout: configuration.timeoutIntervalForResource
            ),
            forwardingTo: session.delegate
        )
    }

    private init(
        configuration: URLSessionConfiguration,
        defaults: TransportDefaults,
        forwardingTo other: (any URLSessionDelegate)?,
        explanation: String? = nil
    ) {
        self.defaults = defaults
        self.explanation = explanation
        SessionPlatform.adjust(configuration)
        limiter = SessionPlatform.makeLimiter(for: configuration)
        delegate = SessionDelegate(forwardingTo: other)
        session = URLSession(
            configuration: configuration,
            delegate: delegate,
            delegateQueue: SessionPlatform.makeDelegateQueue()
        )
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// The name of this transport; on Linux, where it stands in for libcurl, also why.
    public var description: String { explanation.map { "URLSessionTransport (\($0))" } ?? "URLSessionTransport" }

    /// Lets exchanges that are under way finish and refuses new ones, with ``TransportError/Reason/transportClosed``.
    ///
    /// Without effect on ``shared``, which serves the whole process.
    public func shutDown() {
        guard self !== Self.shared else { return }
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
        try SessionPlatform.check(request)
        let request = try RequestValidation.checkHead(of: request)
        guard isClosed.withLock({ !$0 }) else { throw TransportError(.transportClosed, request: request) }
        let deadline = Deadline(options.totalTimeout)
        // Before it takes a place for which others may be waiting.
        var spooled: SpooledBody?
        if let stream = request.httpBodyStream as? SequenceInputStream {
            spooled = try await SpooledBody(stream, of: request, within: options.totalTimeout)
        }
        let leave = try await enter(request, until: deadline)
        let exchange: SessionExchange
        do {
            let upload = try SessionUpload(of: request, spooled: spooled)
            var options = options
            options.totalTimeout = try deadline.remaining(request)
            exchange = SessionExchange(request: request, upload: upload, options: options, onEnd: leave)
        } catch {
            leave?()
            throw error
        }
        return try await perform(exchange, SessionPlatform.prepare(request, exchange.upload))
    }

    /// Waits for room, and returns what makes room for the next; nil where there is no limit.
    private nonisolated(nonsending) func enter(
        _ request: URLRequest,
        until deadline: Deadline
    ) async throws -> (@Sendable () -> Void)? {
        guard let limiter, let url = request.url else { return nil }
        let origin = Origin(of: url)
        do {
            try await limiter.enter(origin, within: deadline.remaining(request))
        } catch is NoRoomInTime {
            throw TransportError(.timedOut, request: request)
        }
        return { limiter.leave(origin) }
    }

    private nonisolated(nonsending) func perform(
        _ exchange: SessionExchange,
        _ request: URLRequest
    ) async throws -> TransportResponse {
        let response = try await CallScope.withCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchange.begin(continuation) { try start(request, exchange) }
            }
        } onCancel: {
            exchange.cancel(CancellationError())
        }
        exchange.meetEnd()
        return response
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
