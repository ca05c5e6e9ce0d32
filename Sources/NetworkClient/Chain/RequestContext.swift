public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What an interceptor can learn about the call that it serves: the number of the attempt, the deadline, the values of
/// ``CallOptions``.
///
/// ```swift
/// func process(
///     _ request: URLRequest,
///     next: NetworkClient.Next
/// ) async throws -> NetworkClient.ChainResult {
///     var request = request
///     request.set(header: .custom(name: "X-Attempt", value: "\(RequestContext.current.attempt)"))
///     return try await next(request)
/// }
/// ```
public struct RequestContext: Sendable {
    @TaskLocal private static var inherited: RequestContext?

    private let call: (any CallFacts)?

    /// The number of the attempt, from 1: how often an interceptor such as ``RetryInterceptor`` has sent the request.
    ///
    /// Of several interceptors that send again, each counts its own attempts, from that of the outer one on.
    public private(set) var attempt = 1

    /// The time by which the attempt has to be over, in seconds of ``time``; nil for no limit.
    private var end: Double?

    init(_ call: (any CallFacts)?) {
        self.call = call
    }

    /// The context of the call that the current task runs; outside a call, one without a deadline and values.
    public static var current: RequestContext { inherited ?? RequestContext(nil) }

    /// The clock of the client.
    public var time: any TimeSource { call?.time ?? SystemTimeSource() }

    /// How many seconds remain until the nearest deadline, negative once it has passed; nil for no deadline.
    public var remainingTime: TimeInterval? { remainingTime(at: now) }

    /// How many seconds remain at a moment, which is not asked for without a deadline.
    func remainingTime(at now: @autoclosure () -> Double) -> TimeInterval? { end.map { $0 - now() } }

    /// The nearest deadline, for waits; nil for none.
    var limit: TimeLimit? { end.map { TimeLimit(end: $0, on: time) } }

    /// The time of the client's clock, without a copy of the clock.
    var now: Double { call?.now ?? SystemTimeSource().now }

    /// Whether the request may be sent a second time while the first is in flight: not if the body of the response is
    /// streamed or written to a file, if the progress of sending is reported, or if the exchange is shared.
    var maySendTwiceAtOnce: Bool { call?.maySendTwiceAtOnce ?? true }

    /// The value of the call's options for a key.
    public subscript<Key: CallOptionKey>(key: Key.Type) -> Key.Value {
        call?.values[key] ?? key.defaultValue
    }

    /// What has happened so far; nil outside a call.
    var journey: CallJourney? { call?.journey }

    /// The header fields that the client calls sensitive, beside those whose names tell.
    var sensitiveHeaders: [String] { call?.sensitiveHeaders ?? [] }

    /// The logger of the call; nil if nothing is logged.
    var logger: (any NetworkLogger)? { call?.logger }

    /// The only origin to which the client sends credentials that interceptors add; nil for any.
    var credentialOrigin: Origin? { call?.credentialOrigin }

    /// Adds a step to the ``CallJourney`` of the call.
    public func record(_ kind: CallJourney.Kind, _ detail: @autoclosure () -> String, number: Double? = nil) {
        call?.record(kind, detail(), number: number)
    }

    /// Returns the value that the call keeps for a type, which is the same in every attempt.
    ///
    /// It is made when it is asked for first; outside a call it is made each time.
    func kept<Value: Sendable>(for owner: Any.Type, _ make: () -> Value) -> Value {
        guard let call else { return make() }
        return call.kept(for: ObjectIdentifier(owner), make) as? Value ?? make()
    }

    /// Waits, and records why; throws `CancellationError` as soon as the call is cancelled.
    nonisolated(nonsending) func sleep(seconds: Double, _ reason: @autoclosure () -> String) async throws {
        record(.wait, reason(), number: seconds)
        try await CallScope.sleep(seconds: seconds, on: time)
    }

    /// Returns a copy for another attempt.
    func with(attempt: Int) -> RequestContext {
        var copy = self
        copy.attempt = attempt
        return copy
    }

    /// Returns a copy whose deadline is at most that many seconds from now.
    func with(timeout seconds: TimeInterval) -> RequestContext { with(timeout: seconds, since: now) }

    /// Returns a copy whose deadline is at most that many seconds after a moment.
    func with(timeout seconds: TimeInterval, since begin: Double) -> RequestContext {
        var copy = self
        let end = begin + seconds
        copy.end = min(end, self.end ?? end)
        return copy
    }

    /// Runs an operation for which this is the current context.
    nonisolated(nonsending) func run<Result>(
        _ operation: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        try await Self.$inherited.withValue(self) { try await operation() }
    }
}

/// An interceptor that limits the time of a call and does nothing else.
///
/// As the first interceptor it is part of the context in which the call begins, which costs less than a context of its
/// own (180 ns).
protocol CallLimit: Sendable {
    /// Returns a context with the limit, which begins at a moment.
    func limited(_ context: RequestContext, from begin: Double) -> RequestContext

    /// Returns an error that names the limit, if that is why the request failed; otherwise the error itself.
    func explained(_ error: any Error, _ request: URLRequest, _ context: RequestContext, from begin: Double)
        -> any Error
}

/// The facts of a call that its context shows.
protocol CallFacts: AnyObject, Sendable {
    var time: any TimeSource { get }
    var now: Double { get }
    var values: CallOptionValues { get }
    var journey: CallJourney { get }
    var maySendTwiceAtOnce: Bool { get }
    var sensitiveHeaders: [String] { get }
    var logger: (any NetworkLogger)? { get }
    var credentialOrigin: Origin? { get }

    func record(_ kind: CallJourney.Kind, _ detail: String, number: Double?)
    func kept(for key: ObjectIdentifier, _ make: () -> any Sendable) -> any Sendable
}

/// A key of a value that a caller gives to an interceptor with ``CallOptions``.
///
/// ```swift
/// enum Priority: CallOptionKey {
///     static let defaultValue = 0
/// }
///
/// var options = CallOptions()
/// options[Priority.self] = 7
/// ```
public protocol CallOptionKey {
    /// The type of the value.
    associatedtype Value: Sendable

    /// The value of a call whose options have none.
    static var defaultValue: Value { get }
}

/// Values by the type of their key.
struct CallOptionValues: Sendable {
    private var values: [ObjectIdentifier: any Sendable] = [:]

    subscript<Key: CallOptionKey>(key: Key.Type) -> Key.Value? {
        get {
            guard !values.isEmpty, let value = values[ObjectIdentifier(key)] else { return nil }
            return value as? Key.Value
        }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}
