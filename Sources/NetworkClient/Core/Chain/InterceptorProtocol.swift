/// A step that every request passes on its way out, and every response on its way back.
///
/// Ready-made: ``RetryInterceptor``, ``AuthenticationInterceptor``, ``LoggingInterceptor`` and others. To write one,
/// implement ``process(_:next:)``: change the request, call `next`, look at the response. Requests pass interceptors
/// in the order of the client's array, and responses pass them in the reverse order.
public protocol InterceptorProtocol: Sendable {
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

/// Marks an interceptor that, wherever it waits, observes the cancellation of a `CallScope` in addition to the task's.
protocol ScopedInterceptor: InterceptorProtocol {
    /// Whether this is also true of the closures that it was given: false if one of them may wait by itself.
    var waitsOnlyInNext: Bool { get }
}

extension ScopedInterceptor {
    var waitsOnlyInNext: Bool { true }
}

/// An interceptor that changes nothing.
public struct NoOpAdapter: ScopedInterceptor {
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
