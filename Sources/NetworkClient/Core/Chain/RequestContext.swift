/// What an interceptor can learn about the call that it serves: the number of the attempt, the deadline, the values of
/// ``CallOptions``.
///
/// ```swift
/// func process(
///     _ request: URLRequest,
///     next: NetworkClient.Next
/// ) async throws -> NetworkClient.ChainResult {
///     var request = request
///     let attempt = RequestContext.current.attempt
///     request.set(header: .custom(name: "X-Attempt", value: "\(attempt)"))
///     return try await next(request)
/// }
/// ```
public struct RequestContext: Sendable {
    @TaskLocal private static var inherited: RequestContext?

    private(set) var call: Chain?

    /// The number of the attempt, from 1: how often an interceptor such as ``RetryInterceptor`` has sent the request.
    ///
    /// If several interceptors send a request again, each counts on from the number that it got from the outer one.
    public private(set) var attempt = 1

    /// The nearest limit that pauses while bytes are transferred.
    private(set) var waitingLimit: CallLimit?

    /// The nearest limit that the caller set for this call, including its body; nil for none.
    private(set) var callersLimit: CallLimit?

    /// The authenticators of the hops, the outermost first.
    var authenticators: [any HopAuthentication.Authenticator] = []

    /// Called before a request departs to which no cache responds, the outermost first; an error keeps it back.
    private(set) var admissions: [@Sendable (URLRequest) throws -> Void] = []

    /// The observers of the exchanges, the outermost first.
    private(set) var exchangeObservers: [any ExchangeObserver] = []

    /// Creates the context outside a call, as a test of an interceptor may need it.
    public init() { self.init(nil) }

    init(_ call: Chain?) {
        self.call = call
        guard let call, let deadline = call.settings.deadline else { return }
        callersLimit = CallLimit(.deadline(deadline), from: call.record.start)
    }

    /// The context of the call that the current task runs; outside a call, one without a deadline and values.
    public static var current: RequestContext { inherited ?? RequestContext() }

    /// The clock of the client.
    public var time: any TimeSource { call?.record.time ?? SystemTimeSource() }

    /// The number of seconds until the nearest deadline, negative once it has passed; nil for no deadline.
    public var remainingTime: TimeInterval? { remainingTime(at: now) }

    /// Returns the number of seconds from `now` to the nearest deadline; `now` is evaluated only if there is one.
    func remainingTime(at now: @autoclosure () -> Double) -> TimeInterval? { nearestEnd.map { $0 - now() } }

    /// The nearest deadline, as the limit of a wait; nil for none.
    var limit: TimeLimit? { nearestEnd.map { TimeLimit(end: $0, on: time) } }

    /// The nearest limit that pauses while bytes are transferred, as the limit of an exchange; nil for none.
    var limitOfWaiting: TimeLimit? {
        guard let call, let waitingLimit else { return nil }
        return TimeLimit(end: waitingLimit.end, on: time, passed: waitingLimit.passed) { [record = call.record] in
            record.withState { $0.moving }
        }
    }

    /// The limit that passes first, and when.
    private var nearest: (limit: CallLimit, end: Double)? {
        guard let waitingLimit else { return callersLimit.map { ($0, $0.end) } }
        let end = waitingLimit.end + (call?.moving ?? 0)
        if let callersLimit, callersLimit.end < end { return (callersLimit, callersLimit.end) }
        return (waitingLimit, end)
    }

    private var nearestEnd: Double? { nearest?.end }

    /// Whether the nearest limit that pauses while bytes are transferred has passed.
    var isOverdue: Bool { limitOfWaiting.map { $0.remaining <= 0 } ?? false }

    /// Returns the nearest limit of the context or the other limit, whichever passes first.
    func nearest(or other: CallLimit?) -> CallLimit? { .first(nearest?.limit, other) }

    /// A copy for an exchange that several callers wait for, each with its own limits.
    var withoutLimits: RequestContext {
        var copy = self
        (copy.waitingLimit, copy.callersLimit) = (nil, nil)
        return copy
    }

    /// Returns a copy for a chain that continues the call when its interceptors may have ended.
    func serving(_ chain: Chain) -> RequestContext {
        var copy = self
        (copy.call, copy.admissions) = (chain, [])
        return copy
    }

    /// Returns the failure of a request whose nearest deadline has passed.
    func timeout(
        of request: URLRequest?,
        waitingFor wait: TransportError.LocalWait? = nil,
        underlying: (any Error)? = nil
    ) -> TransportError {
        TransportError(passed: nearest?.limit.passed, waitingIn: wait, request: request, underlying: underlying)
    }

    /// Returns the failure of a request whose nearest deadline has passed before its attempt, and records it.
    func timeoutBeforeAttempt(of request: URLRequest?) -> NetworkClient.Error {
        let error = timeout(of: request, waitingFor: .turn)
        if let limit = error.passedLimit { record(.decision, limit.sentence) }
        return .requestError(type: error)
    }

    /// The time of the client's clock, without a copy of the clock.
    var now: Double { call?.record.time.now ?? SystemTimeSource().now }

    /// The value of the call's options for a key; an interceptor that asks for it serves it.
    public subscript<Key: CallOptionKey>(key: Key.Type) -> Key.Value {
        if let call, let index = call.settings.values.index(of: key) { call.withState { $0.reads.insert(index) } }
        return call?.settings.values[key] ?? key.defaultValue
    }

    /// The ``CallOptions/label`` of the call; nil if it has none, and outside a call.
    public var label: String? { call?.record.label }

    /// Returns a URL as the log of the call shows it: without a fragment, and with masked user, password and query
    /// values, also of names that the client declares sensitive.
    public func redacted(_ url: URL, by redaction: LogRedaction = .sensitive) -> String {
        redaction.maskingUnlessShown(sensitiveHeaders).text(of: url)
    }

    /// Returns the metrics of a response that `next` has returned or thrown, as far as they are known by then; nil for
    /// another response.
    public func metrics(of response: HTTPURLResponse) -> TransportMetrics? {
        response.metrics ?? call?.withState { $0.metrics(of: response) }
    }

    /// The header fields that the client's configuration and its interceptors call sensitive, in addition to the known
    /// ones.
    public var sensitiveHeaders: [String] { call?.settings.sensitiveHeaders ?? [] }

    /// Adds a step to the ``CallJourney`` of the call.
    public func record(_ kind: CallJourney.Kind, _ detail: @autoclosure () -> String, number: Double? = nil) {
        guard let record = call?.record, record.keepsSteps else { return }
        record.note(kind, .text(detail()), number: number)
    }

    /// Returns a copy for another attempt.
    func with(attempt: Int) -> RequestContext {
        var copy = self
        copy.attempt = attempt
        return copy
    }

    /// Returns a copy with another limit of waiting; nil changes nothing.
    func with(_ limit: CallLimit?) -> RequestContext {
        guard let limit else { return self }
        var copy = self
        copy.waitingLimit = .first(waitingLimit, limit)
        return copy
    }

    /// Returns a copy with another condition for the departure of its requests.
    func admitting(_ admission: @escaping @Sendable (URLRequest) throws -> Void) -> RequestContext {
        var copy = self
        copy.admissions.append(admission)
        return copy
    }

    /// Returns a copy with another observer of its exchanges.
    func with(_ observer: any ExchangeObserver) -> RequestContext {
        var copy = self
        copy.exchangeObservers.append(observer)
        return copy
    }

    /// Runs an operation for which this is the current context.
    nonisolated(nonsending) func run<T>(_ operation: nonisolated(nonsending) () async throws -> T) async throws -> T {
        try await Self.$inherited.withValue(self) { try await operation() }
    }
}

extension RequestContext: OpaqueValue {
    /// The label of the call and the number of the attempt.
    public var description: String { (label.map { "\($0), " } ?? "") + "attempt \(attempt)" }
}
