/// When an ``EventStream`` or a ``ReconnectingWebSocket`` connects again, and what it waits for.
///
/// ```swift
/// var patient = Reconnection.standard
/// patient.maximumDelay = 300
/// let feed = try client.events(.get(path: "feed"), reconnecting: patient)
/// ```
public struct Reconnection: Sendable {
    enum Requests {
        case none, repeatable, all
    }

    /// After an end or a failure, also a status of ``RetryPolicy/defaultStatuses``, if the request is a GET, HEAD or
    /// QUERY, or has an `Idempotency-Key`.
    ///
    /// Any other request, such as a POST, is sent once.
    /// The failed refresh of a credential counts as the same failure of the stream.
    public static let standard = Reconnection(.repeatable, statuses: RetryPolicy.defaultStatuses)

    /// Never: the sequence ends with its first response.
    public static let never = Reconnection(.none, statuses: [])

    /// As ``standard``, for each request, also a POST.
    ///
    /// A POST whose response has ended is sent again, too, and its body with it. A WebSocket is opened again after any
    /// Close, and after a response with any other status than 101.
    public static let always = Reconnection(.all, statuses: standard.statuses)

    /// As ``standard``, but a response with an error is final (WHATWG HTML §9.2.3).
    public static let webStandard = Reconnection(.repeatable, statuses: [])

    let requests: Requests
    private let statuses: Set<HTTPStatus>

    /// The seconds before the first attempt to connect again, unless the server sends `retry`; each further wait is
    /// twice as long, and any part of it, at random.
    ///
    /// A wait is at least as long as `retry` and `Retry-After` say, up to an hour. A negative number and NaN count as
    /// the default, here and in ``maximumDelay``.
    public var initialDelay: TimeInterval = 1

    /// The limit of the doubled waits in seconds.
    public var maximumDelay: TimeInterval = 30

    /// The random part of the waits.
    public var jitter = Jitter.full

    /// The seconds after which an open connection counts as a success, so that the next wait is the first.
    ///
    /// An event counts at once; with an ``eventTimeout``, only one that ends the silence does.
    public var stableAfter: TimeInterval = 60

    /// The seconds without a byte, comments included, after which the connection is taken for lost.
    ///
    /// A timeout that the request or the options of the call state takes precedence.
    public var idleTimeout: TimeInterval = 300

    /// The seconds without an event after which the connection is taken for lost; nil, infinity and NaN for no limit.
    ///
    /// They count from the head of the response, and then from event to event, on the client's clock, without the time
    /// that the reader takes; that of the closure for states counts. A comment, an event of the type `ping` and a type
    /// without data do not end them, so that they find a server that is there and says nothing, which ``idleTimeout``
    /// does not. With 0 or less, every wait for an event times out. The timeout is treated as any other: the stream
    /// connects again or fails.
    public var eventTimeout: TimeInterval?

    /// The maximum number of attempts in a row without success; nil for any number.
    public var maximumAttempts: Int?

    /// The maximum length of an event in bytes, 1 MiB; a longer one is an error, and final.
    public var eventLimit = 1 << 20

    private init(_ requests: Requests, statuses: Set<HTTPStatus>) {
        self.requests = requests
        self.statuses = statuses
    }

    /// The longest wait that a server can ask for, and the shortest one, in seconds.
    private static let (longestWait, shortestWait): (TimeInterval, TimeInterval) = (3_600, 0.1)

    /// A server that restarts breaks off handshakes and bodies in many ways.
    private static let reasons = RetryPolicy.defaultReasons.union([
        .secureConnectionFailed, .malformedResponse, .proxyRefused,
    ])

    /// Returns whether a request is sent again after this failure, or after the end of a response for nil.
    func allows(_ request: URLRequest, after error: (any Error)?) -> Bool {
        switch requests {
        case .none: return false
        case .all: break
        case .repeatable:
            let hasKey = request.value(forHTTPHeaderField: "Idempotency-Key")?.isEmpty == false
            guard hasKey || ["GET", "HEAD", "QUERY"].contains(request.httpMethod ?? "GET") else { return false }
        }
        return error.map(isTransient) ?? true
    }

    /// Returns whether a failure of a connection may be over soon.
    func isTransient(_ error: any Error) -> Bool {
        if RetryPolicy(statuses: statuses, reasons: Self.reasons).isTransient(error) { return true }
        let failure = RetryPolicy.failure(behind: error)
        return failure is CircuitOpenError || failure is QueueFullError
    }

    /// Returns the seconds before an attempt to connect again.
    ///
    /// - Parameters:
    ///   - number: The number of the attempt since the last success, from 1.
    ///   - retry: The value of `retry`, in seconds; nil if the server sent none.
    ///   - asked: The seconds for which the last response asks.
    /// - Returns: The seconds, at most an hour.
    func delay(beforeAttempt number: Int, retry: TimeInterval?, asked: TimeInterval) -> TimeInterval {
        let least = min(max(retry ?? 0, asked), Self.longestWait)
        let initial = Seconds.wait(initialDelay, or: Self.standard.initialDelay)
        let maximum = Seconds.wait(maximumDelay, or: Self.standard.maximumDelay)
        let first = number == 1 ? retry ?? initial : max(retry ?? 0, initial)
        let backoff = Backoff(base: first, maximum: max(maximum, least), jitter: .none)
        let longest = backoff.delay(beforeRetry: number)
        return max(Self.shortestWait, least + max(longest - least, 0) * jitter.fraction())
    }
}

/// The attempts of one stream to connect again, and the failure before them.
final class ReconnectionAttempts: Sendable {
    private struct State {
        /// The number of attempts since the last success.
        var count = 0
        var openedAt: Double?
        /// The library's error of the last response, before a mapper has changed it.
        var unmapped: NetworkClient.Error?
    }

    private let reconnection: Reconnection
    private let time: any TimeSource
    private let state = Locked(State())

    init(_ reconnection: Reconnection, on time: any TimeSource) {
        (self.reconnection, self.time) = (reconnection, time)
    }

    /// Begins an attempt, and lets the errors of its response be kept.
    func begin(with options: inout CallOptions) {
        state.withLock { $0.unmapped = nil }
        let keep = ResponseErrorMapper { [weak self] info in
            self?.state.withLock { $0.unmapped = info.error }
            return info.error
        }
        options.errorMapper = options.errorMapper.map(keep.followed) ?? keep
    }

    /// Records that there is a connection.
    func open() { state.withLock { $0.openedAt = time.now } }

    /// Records that the connection is no success, however long it was open.
    func spoil() { state.withLock { $0.openedAt = nil } }

    /// Records a success, after which the next wait is the first.
    func succeed() { state.withLock { $0.count = 0 } }

    /// Returns the wait before the next attempt, in seconds; nil if no attempt follows.
    ///
    /// - Parameters:
    ///   - error: The failure; nil after the end of a response.
    ///   - retry: The seconds for which the server has asked in the stream.
    ///   - allows: Whether another attempt is made after a failure.
    /// - Returns: The seconds.
    func delay(
        after error: (any Error)?,
        retry: TimeInterval? = nil,
        _ allows: (_ cause: (any Error)?) -> Bool
    ) -> TimeInterval? {
        let now = time.now
        let (cause, number) = state.withLock { state in
            if let opened = state.openedAt, now - opened >= reconnection.stableAfter { state.count = 0 }
            state.openedAt = nil
            state.count += 1
            return (error == nil ? nil : state.unmapped ?? error, state.count)
        }
        guard allows(cause) else { return nil }
        if let most = reconnection.maximumAttempts, number > most { return nil }
        var asked: TimeInterval = 0
        if case NetworkClient.Error.apiError(let response, _)? = cause.map(RetryPolicy.failure) {
            asked = ServerDelay.seconds(in: response, on: time) ?? 0
        }
        return reconnection.delay(beforeAttempt: number, retry: retry, asked: asked)
    }
}
