/// Limits how many requests are in flight at the same time; other requests wait, in their order.
///
/// ```swift
/// let client = NetworkClient(interceptors: [
///     .concurrencyLimit(4, per: .host, queueLimit: 100),
/// ])
/// ```
///
/// A request is in flight from this interceptor until its response or its error returns; a stream, until its head is
/// received. Put the limit inside the retry, so that each attempt enters the queue again, and a request does not count
/// while it waits for its next attempt. A cancelled request leaves the queue. While a request waits, its own timeout
/// does not run, but a deadline outside this interceptor does: when it passes, the request fails with
/// ``TransportError/Reason/timedOut``. Clients that are created with the same value share its queue. An interceptor
/// inside that sends a second request through the same limit, and waits for it, may wait forever.
public struct ConcurrencyLimitInterceptor: InterceptorProtocol {
    /// True.
    public var runsInCallersTask: Bool { true }

    private let limit: Int
    private let scope: LimitScope
    private let queueLimit: Int?
    private let limiter: ConnectionLimiter

    init(_ limit: Int, per scope: LimitScope = .client, queueLimit: Int? = nil) {
        self.limit = max(1, limit)
        self.scope = scope
        self.queueLimit = queueLimit
        limiter = ConnectionLimiter(limit: self.limit)
    }

    /// The number of requests that wait.
    var waiterCount: Int { limiter.waiterCount }

    /// Passes the request on as soon as there are fewer requests in flight than the limit.
    ///
    /// - Throws: ``QueueFullError``; `CancellationError`; ``NetworkClient/Error/requestError(type:)`` with the reason
    ///   ``TransportError/Reason/timedOut`` if the deadline passes first; the errors of `next`, unchanged.
    public func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        let place = scope.origin(of: request)
        if !limiter.tryToEnter(place) {
            // The requests of a refresh must not wait for requests that wait for the refresh.
            if RequestContext.current.isOfRefresh { return try await next(request) }
            try await wait(request, place)
        }
        defer { limiter.leave(place) }
        return try await next(request)
    }

    private nonisolated(nonsending) func wait(_ request: URLRequest, _ place: Origin?) async throws {
        let context = RequestContext.current
        let start = context.time.now
        try await limiter.wait(place, queueLimit: queueLimit, for: request, in: context)
        context.record(
            .wait,
            "ConcurrencyLimitInterceptor, at most \(limit) in flight",
            number: context.time.now - start
        )
    }
}

/// The requests that a limit counts together.
public struct LimitScope: Sendable, Hashable {
    private let isPerHost: Bool

    /// All requests that pass the interceptor.
    public static let client = LimitScope(isPerHost: false)

    /// The requests with the same scheme, host and port; a redirected request counts for the host that it was sent to
    /// first.
    public static let host = LimitScope(isPerHost: true)

    /// Returns the origin whose requests are counted together with a request; nil if all requests are counted together.
    func origin(of request: URLRequest) -> Origin? {
        isPerHost ? request.url.map { Origin(of: $0) } : nil
    }
}

extension ConnectionLimiter {
    /// Waits until a request may be sent, at most until the deadline of the call, on the clock of the client.
    nonisolated(nonsending) func wait(
        _ place: Origin?,
        queueLimit: Int?,
        for request: URLRequest,
        in context: RequestContext
    ) async throws {
        do {
            try await context.waiting(for: .turn, request) { limit in
                try await wait(place, until: limit, queueLimit: queueLimit ?? .max)
            }
        } catch is QueueIsFull {
            throw QueueFullError(of: request, limit: queueLimit ?? .max)
        }
    }
}

/// The error for a request that was not sent because too many requests already wait for their turn.
public struct QueueFullError: Swift.Error, Sendable, Hashable {
    /// The scheme, host, port and path of the request; nil if the request had no URL.
    public let place: String?

    /// The maximum number of requests that may wait.
    public let limit: Int

    /// Creates an error.
    public init(place: String?, limit: Int) {
        self.place = place
        self.limit = limit
    }

    init(of request: URLRequest, limit: Int) {
        self.init(place: request.url.map(\.shownPlace), limit: limit)
    }
}

extension QueueFullError: DescribedError {
    /// One sentence that names the place and the limit.
    public var description: String {
        let target = place.map { " to '\($0)'" } ?? ""
        return "The request\(target) was not sent: its queue is full, with a queueLimit of \(limit)."
    }
}

extension InterceptorProtocol where Self == ConcurrencyLimitInterceptor {
    // Without this, `[.concurrencyLimit]` (no parentheses) gets "failed to produce diagnostic".
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    @available(*, unavailable, message: "write the number of requests: .concurrencyLimit(10)")
    public static var concurrencyLimit: ConcurrencyLimitInterceptor { fatalError() }

    /// An interceptor that limits how many requests are in flight at the same time.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of requests in flight, at least 1.
    ///   - scope: The requests that are counted together.
    ///   - queueLimit: The maximum number of requests that wait; one more throws ``QueueFullError``. Nil for no limit.
    /// - Returns: The interceptor, without a request in flight.
    public static func concurrencyLimit(
        _ limit: Int,
        per scope: LimitScope = .client,
        queueLimit: Int? = nil
    ) -> ConcurrencyLimitInterceptor {
        ConcurrencyLimitInterceptor(limit, per: scope, queueLimit: queueLimit)
    }
}
