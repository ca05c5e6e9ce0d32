#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

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
/// the deadline passes, and the interceptors of this library begin no wait that would pass it. For a stream, the time
/// until its last byte counts.
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
    /// - Parameter secondsPerAttempt: The seconds, as in ``init(seconds:)``; options do not override them.
    public init(secondsPerAttempt: TimeInterval) {
        self.init(secondsPerAttempt, isForAttempt: true)
    }

    private init(_ seconds: TimeInterval, isForAttempt: Bool) {
        self.seconds = seconds
        self.isForAttempt = isForAttempt
    }

    /// Passes the request on, with a deadline for everything inside.
    ///
    /// - Throws: ``NetworkClient/Error/requestError(type:)`` with the reason ``TransportError/Reason/timedOut``, and a
    ///   sentence that names the deadline, if that has passed; other errors of `next`, unchanged.
    public func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        let context = RequestContext.current
        let begin = context.now
        do {
            return try await limited(context, from: begin).run { try await next(request) }
        } catch {
            throw explained(error, request, .current, from: begin)
        }
    }
}

extension DeadlineInterceptor: CallLimit {
    func limited(_ context: RequestContext, from begin: Double) -> RequestContext {
        let seconds = seconds(in: context)
        return seconds < .infinity ? context.with(timeout: seconds, since: begin) : context
    }

    func explained(
        _ error: any Error,
        _ request: URLRequest,
        _ context: RequestContext,
        from begin: Double
    ) -> any Error {
        guard case NetworkClient.Error.requestError(let failure) = error, failure.reason == .timedOut,
            limited(context, from: begin).hasPassed(within: context)
        else { return error }
        let seconds = seconds(in: context).inWords
        let limit = isForAttempt ? "the timeout of \(seconds) for an attempt" : "its deadline of \(seconds)"
        context.record(.decision, "DeadlineInterceptor: it took longer than \(limit)")
        let timeout = TransportError(
            timeoutIn: failure.localWait,
            request: request,
            detail: "it took longer than \(limit)",
            underlying: failure
        )
        return NetworkClient.Error.requestError(type: timeout)
    }

    private func seconds(in context: RequestContext) -> TimeInterval {
        isForAttempt ? seconds : context[DeadlineKey.self] ?? seconds
    }
}

extension RequestContext {
    /// Whether the deadline has passed, and is nearer than that of an outer context.
    ///
    /// Allows one millisecond, since a transport's timer may round.
    fileprivate func hasPassed(within outer: RequestContext) -> Bool {
        guard let remainingTime, remainingTime <= 0.001 else { return false }
        // The difference of two readings of the clock: positive if the outer deadline is later.
        return outer.remainingTime.map { $0 > remainingTime } ?? true
    }
}

private enum DeadlineKey: CallOptionKey {
    static let defaultValue: TimeInterval? = nil
}

extension CallOptions {
    /// How many seconds the call may take, with all of its attempts and the waits between them, instead of those of the
    /// client's ``DeadlineInterceptor``.
    ///
    /// Infinity removes the deadline, and nil keeps it. Has no effect without that interceptor.
    public var deadline: TimeInterval? {
        get { self[DeadlineKey.self] }
        set { self[DeadlineKey.self] = newValue }
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

extension TimeInterval {
    /// The seconds with at most three decimals, without the locale of the process: `30 s`, `0.25 s`.
    var inWords: String {
        let milliseconds = (Swift.min(Swift.max(0, self), 1e9) * 1_000).rounded()
        let text = "\(milliseconds / 1_000)"
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + " s"
    }
}
