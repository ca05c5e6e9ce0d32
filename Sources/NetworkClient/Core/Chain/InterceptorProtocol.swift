/// A step that every request passes on its way out, and every response on its way back.
///
/// Ready-made: ``RetryInterceptor``, ``AuthenticationInterceptor``, ``LoggingInterceptor`` and others. To write one,
/// implement ``process(_:next:)``: change the request, call `next`, check the response. Requests pass interceptors
/// in the order of the client's array, and responses pass them in the reverse order.
///
/// | Seam | What it is for |
/// | --- | --- |
/// | an interceptor | change requests, judge responses, send again, wait, respond without the network |
/// | ``ExchangeObserver`` | see or mark each request that is sent, also those of redirects |
/// | ``Transport``, around another one | send in another way, read bodies as they arrive |
/// | ``NetworkClient/Configuration/observer`` | see each call once, at its end |
/// | ``NetworkLogger`` | write what happens |
/// | ``ResponseErrorMapper`` | replace the errors that callers get |
public protocol InterceptorProtocol: Sendable {
    /// Whether a call may run in its caller's task, since the interceptor waits only inside `next` and inside functions
    /// of this library, which a cancelled call ends; false by default.
    ///
    /// If this is true of all interceptors of a client, a call runs in its caller's task. Otherwise it needs a
    /// separate task, since only cancelling a task ends a wait that the library does not know: at one caller that costs
    /// 27 % of the requests per second. If an interceptor returns true and waits elsewhere, for example in
    /// `Task.sleep(for:)` or on an actor, ``NetworkClient/NetworkClient/cancelAll()`` does not end that wait;
    /// cancelling the caller's task still does. Wait for time in ``RequestContext/wait(seconds:before:_:)``.
    var runsInCallersTask: Bool { get }

    /// The names of header fields that the interceptor fills with secrets, in addition to the known ones; none by
    /// default.
    ///
    /// A client treats them like its ``NetworkClient/Configuration/sensitiveHeaders``.
    var sensitiveHeaders: [String] { get }

    /// Processes one request and returns its response.
    ///
    /// `next` may be called once, several times (a retry), or not at all (a response without the network). It throws
    /// ``NetworkClient/Error/apiError(response:data:)`` for a response whose status the call does not accept.
    ///
    /// - Parameters:
    ///   - request: The request as the interceptors before this one left it.
    ///   - next: Passes a request on to the remaining interceptors and the server.
    /// - Returns: The response for the interceptors before this one.
    /// - Throws: Any error; it reaches the caller unchanged.
    func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult
}

extension NetworkClient {
    /// The bytes and the head of an accepted response, as interceptors see them.
    public typealias ChainResult = (data: Data, response: HTTPURLResponse)

    /// The type of `next` in ``InterceptorProtocol/process(_:next:)``.
    ///
    /// Use it in a module with the feature `NonisolatedNonsendingByDefault`, where the written-out function type would
    /// mean another type.
    public typealias Next = @Sendable (URLRequest) async throws -> ChainResult
}

extension InterceptorProtocol {
    /// False: it may wait anywhere.
    public var runsInCallersTask: Bool { false }

    /// No names.
    public var sensitiveHeaders: [String] { [] }
}

/// An interceptor that changes nothing.
public struct NoOpAdapter: InterceptorProtocol {
    /// True.
    public var runsInCallersTask: Bool { true }

    /// Creates an interceptor that changes nothing.
    public init() {}

    /// Passes the request and the response on unchanged.
    public func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        try await next(request)
    }
}

extension InterceptorProtocol where Self == NoOpAdapter {
    /// An interceptor that changes nothing.
    public static var noOp: NoOpAdapter { NoOpAdapter() }
}
