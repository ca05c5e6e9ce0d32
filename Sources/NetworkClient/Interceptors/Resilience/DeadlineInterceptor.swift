/// Limits how long a call may take, with all of its attempts and the waits between them.
///
/// ```swift
/// let client = NetworkClient(interceptors: [.deadline(30), .retry(), .attemptTimeout(10)])
/// var options = CallOptions()
/// options.deadline = 5
/// let items: NetworkClient.Response<[Item]> = try await client.fetch(request: request, options: options)
/// ```
///
/// It limits everything inside it: placed before a retry, the call; placed after one, each attempt, for which there is
/// ``InterceptorProtocol/attemptTimeout(_:)``. The nearest of several deadlines applies. An attempt in flight ends when
/// the deadline passes, and the interceptors of this library begin no wait that would pass it.
///
/// It limits waiting, not bytes that move: for a stream and a download the time until the head of the response counts,
/// and the time in which the bytes of an `upload` are sent does not; ``CallOptions/timeout`` ends a body that pauses. A
/// limit that the caller writes into ``CallOptions`` holds for the whole call, its body included.
///
/// It does not interrupt the code of a custom interceptor, because that would take a second task for every call: a
/// custom interceptor that waits has to read ``RequestContext/remainingTime``. When it calls `next` after the deadline,
/// nothing is sent; a response that it returns after the deadline is returned to the caller.
public struct DeadlineInterceptor: ScopedInterceptor {
    private let seconds: TimeInterval
    private let isForAttempt: Bool

    /// Creates a deadline for a call, which ``CallOptions/deadline`` overrides.
    ///
    /// - Parameter seconds: The seconds from the moment in which the request reaches the interceptor; with 0 or less,
    ///   nothing is ever sent, and with infinity or NaN there is no deadline.
    public init(seconds: TimeInterval) {
        self.init(seconds, isForAttempt: false)
    }

    /// Creates a deadline for each attempt, to be placed after the interceptor that sends again.
    ///
    /// - Parameter secondsPerAttempt: The seconds, as in ``init(seconds:)``; ``CallOptions/attemptTimeout`` overrides
    ///   them.
    public init(secondsPerAttempt: TimeInterval) {
        self.init(secondsPerAttempt, isForAttempt: true)
    }

    private init(_ seconds: TimeInterval, isForAttempt: Bool) {
        self.seconds = seconds
        self.isForAttempt = isForAttempt
    }

    /// Passes the request on, with a deadline for everything inside.
    ///
    /// - Throws: The errors of `next`, unchanged; what is inside throws ``NetworkClient/Error/requestError(type:)``
    ///   with the reason ``TransportError/Reason/timedOut``, and a sentence that names the limit, once it has passed.
    public func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        let context = RequestContext.current
        return try await limited(context, from: context.now).run { try await next(request) }
    }
}

extension DeadlineInterceptor: LimitingInterceptor {
    func limited(_ context: RequestContext, from begin: Double) -> RequestContext {
        let ofCall = isForAttempt ? context[AttemptTimeoutKey.self] : context[DeadlineKey.self]
        let name: CallLimit.Name = isForAttempt ? .attempt : .deadline
        return context.with(CallLimit(name, of: ofCall ?? seconds, from: begin, isOfTheCall: ofCall != nil))
    }
}

private enum DeadlineKey: CallOptionKey {
    static let defaultValue: TimeInterval? = nil
}

private enum AttemptTimeoutKey: CallOptionKey {
    static let defaultValue: TimeInterval? = nil
}

extension CallOptions {
    /// How many seconds the call may take, with all of its attempts and the waits between them, instead of those of the
    /// client's ``DeadlineInterceptor``.
    ///
    /// It holds for the whole call: also while the body of a stream, a download or an upload moves. Infinity removes
    /// the deadline, and nil keeps it. Has no effect without that interceptor.
    public var deadline: TimeInterval? {
        get { self[DeadlineKey.self] }
        set { self[DeadlineKey.self] = newValue }
    }

    /// How many seconds each attempt of the call may take, instead of those of the client's
    /// ``InterceptorProtocol/attemptTimeout(_:)``, which the standard stack contains.
    ///
    /// It holds for the whole attempt: also while the body of a stream, a download or an upload moves. Infinity removes
    /// the limit, and nil keeps it. Has no effect without that interceptor; ``totalTimeout`` needs none.
    public var attemptTimeout: TimeInterval? {
        get { self[AttemptTimeoutKey.self] }
        set { self[AttemptTimeoutKey.self] = newValue }
    }
}

extension InterceptorProtocol where Self == DeadlineInterceptor {
    /// An interceptor that limits how many seconds a call may take, with its attempts and waits.
    public static func deadline(_ seconds: TimeInterval) -> DeadlineInterceptor {
        DeadlineInterceptor(seconds: seconds)
    }

    /// An interceptor that limits how many seconds each attempt may take; it belongs after the interceptor that sends
    /// again.
    public static func attemptTimeout(_ seconds: TimeInterval) -> DeadlineInterceptor {
        DeadlineInterceptor(secondsPerAttempt: seconds)
    }
}
