/// Limits how long a call may take, including its attempts and the waits between them.
///
/// ```swift
/// let client = NetworkClient(interceptors: [
///     .deadline(30), .retry(), .waitTimeout(10),
/// ])
/// var options = CallOptions()
/// options.deadline = 5
/// let items = try await client.fetch(
///     request: request, as: [Item].self, options: options
/// ).item
/// ```
///
/// It limits everything inside it: the whole call if it is placed before a retry, each attempt if it is placed after
/// one, for which there is ``InterceptorProtocol/waitTimeout(_:)``. The nearest of several deadlines applies. An
/// attempt in flight ends when the deadline passes, and the interceptors of this library begin no wait that would
/// exceed it.
///
/// It limits waiting, not the transfer of bytes: for a stream and a download it ends at the head of the response, and
/// for an upload it pauses while the bytes are sent; ``CallOptions/idleTimeout`` ends a body that pauses. A limit in
/// ``CallOptions`` holds for the whole call, including its body.
///
/// It does not interrupt the code of a custom interceptor, because that would need a second task for every call: a
/// custom interceptor that waits has to read ``RequestContext/remainingTime``. If it calls `next` after the deadline,
/// nothing is sent; if it returns a response after the deadline, the caller receives that response.
public struct DeadlineInterceptor: InterceptorProtocol {
    /// True.
    public var runsInCallersTask: Bool { true }

    let seconds: TimeInterval
    let isForAttempt: Bool

    fileprivate init(_ seconds: TimeInterval, isForAttempt: Bool) {
        self.seconds = seconds
        self.isForAttempt = isForAttempt
    }

    /// Passes the request on, with a deadline for everything inside.
    ///
    /// - Throws: The errors of `next`, unchanged. When the deadline has passed, the steps inside throw
    ///   ``NetworkClient/Error/requestError(type:)`` with the reason ``TransportError/Reason/timedOut``, and a sentence
    ///   that names the limit.
    public func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        try await RequestContext.current.limited(to: seconds, isForAttempt: isForAttempt) { try await next(request) }
    }

    /// The name and the seconds.
    var shown: String { "\(isForAttempt ? "WaitTimeout" : "Deadline") (\(seconds.inWords))" }
}

extension InterceptorProtocol where Self == DeadlineInterceptor {
    /// An interceptor that limits how many seconds a call may take, including its attempts and waits, which
    /// ``CallOptions/deadline`` overrides.
    ///
    /// - Parameter seconds: The seconds from the moment at which the request reaches the interceptor. With 0 or less,
    ///   nothing is ever sent; with infinity or NaN there is no deadline.
    /// - Returns: The interceptor.
    public static func deadline(_ seconds: TimeInterval) -> DeadlineInterceptor {
        DeadlineInterceptor(seconds, isForAttempt: false)
    }

    // Without this, `[.deadline]` (no parentheses) gets "failed to produce diagnostic".
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    @available(*, unavailable, message: "write the seconds of the call: .deadline(30)")
    public static var deadline: DeadlineInterceptor { fatalError() }

    /// An interceptor that limits how many seconds each attempt may wait; place it after the interceptor that sends
    /// again.
    ///
    /// It stands still while the bytes of a transfer move; ``CallOptions/attemptTimeout`` includes them, and takes
    /// precedence.
    ///
    /// - Parameter seconds: The seconds, as in ``InterceptorProtocol/deadline(_:)``.
    /// - Returns: The interceptor.
    public static func waitTimeout(_ seconds: TimeInterval) -> DeadlineInterceptor {
        DeadlineInterceptor(seconds, isForAttempt: true)
    }

    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    @available(*, unavailable, message: "write the seconds of an attempt: .waitTimeout(10)")
    public static var waitTimeout: DeadlineInterceptor { fatalError() }
}
