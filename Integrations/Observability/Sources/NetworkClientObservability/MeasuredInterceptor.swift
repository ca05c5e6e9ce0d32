import Foundation
public import Metrics
public import NetworkClient

/// Measures each request that is sent, by OpenTelemetry's conventions for HTTP clients: `http.client.request.duration`
/// and `http.client.active_requests`.
///
/// The duration is a timer that prefers seconds, with the dimensions `http.request.method`, `server.address`,
/// `server.port`, `url.scheme`, `http.response.status_code`, `error.type` and `network.protocol.version`, as far as
/// they are known. The active requests are a meter with the first three. No dimension is a path, a query or a label.
/// Every host is a series: for programs whose hosts come from users, select the hosts with `where`.
///
/// Retries, redirects and requests whose credential was refused are a measurement each; the refresh of a token and the
/// waits between them are not part of it, and a response from the client's cache is not measured. A measurement ends
/// with the body of the response; for a stream and for events, whose bodies the caller reads, with the head. Where the
/// interceptor stands among the others makes no difference.
public struct MeasuredInterceptor: InterceptorProtocol {
    /// True.
    public var runsInCallersTask: Bool { true }

    /// The upper bounds of the conventions' buckets, from 5 ms to 10 s.
    ///
    /// A timer of swift-metrics has no buckets: pass these to the backend where you configure it.
    @available(iOS 16, macOS 13, macCatalyst 16, tvOS 16, watchOS 9, visionOS 1, *)
    public static var durationBuckets: [Duration] {
        [5, 10, 25, 50, 75, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000].map { .milliseconds($0) }
    }

    private let meters: ActiveRequestMeters
    private let isMeasured: @Sendable (URLRequest) -> Bool

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - factory: The backend; nil for the one that `MetricsSystem` has at the time of each call.
    ///   - isMeasured: Returns whether a request is measured; by default, all are.
    public init(
        factory: (any MetricsFactory)? = nil,
        where isMeasured: @escaping @Sendable (URLRequest) -> Bool = { _ in true }
    ) {
        meters = ActiveRequestMeters(factory: factory)
        self.isMeasured = isMeasured
    }

    /// Passes the request on and measures it; rethrows the errors of `next`.
    public func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        let factory = meters.factory ?? MetricsSystem.factory
        guard type(of: factory) != NOOPMetricsHandler.self else { return try await next(request) }
        let context = RequestContext.current
        let timers = ExchangeTimers(meters: meters, factory: factory, time: context.time, isMeasured: isMeasured)
        return try await context.observing(timers) { try await next(request) }
    }
}

/// Measures the requests of one call.
private struct ExchangeTimers: ExchangeObserver {
    let meters: ActiveRequestMeters
    let factory: any MetricsFactory
    let time: any TimeSource
    let isMeasured: @Sendable (URLRequest) -> Bool

    func willSend(_ request: URLRequest, number: Int) -> ExchangeObservation? {
        guard isMeasured(request) else { return nil }
        let facts = ExchangeFacts(request)
        let meter = meters.meter(for: facts.ofActiveRequests, factory)
        meter.increment()
        let start = time.now
        return ExchangeObservation { result in
            record(time.now - start, ExchangeOutcome(result), facts)
            meter.decrement()
        }
    }

    private func record(_ seconds: Double, _ outcome: ExchangeOutcome, _ facts: ExchangeFacts) {
        var dimensions = facts.dimensions
        dimensions.append(("url.scheme", facts.scheme))
        if let status = outcome.status { dimensions.append(("http.response.status_code", "\(status)")) }
        if let type = outcome.errorType { dimensions.append(("error.type", type)) }
        if let version = outcome.version { dimensions.append(("network.protocol.version", version)) }
        let timer = Metrics.Timer(
            label: "http.client.request.duration",
            dimensions: dimensions,
            preferredDisplayUnit: .seconds,
            factory: factory
        )
        timer.recordNanoseconds(Int64(exactly: (seconds * 1e9).rounded()) ?? .max)
    }
}

extension InterceptorProtocol where Self == MeasuredInterceptor {
    /// An interceptor that measures each request that is sent.
    public static func measured(
        factory: (any MetricsFactory)? = nil,
        where isMeasured: @escaping @Sendable (URLRequest) -> Bool = { _ in true }
    ) -> MeasuredInterceptor {
        MeasuredInterceptor(factory: factory, where: isMeasured)
    }
}

/// The meters of requests in flight, one for each method and server.
///
/// They are kept, since swift-metrics counts in the meter itself for backends without meters. The lock guards all
/// mutable state, which is what makes the class `Sendable`.
private final class ActiveRequestMeters: @unchecked Sendable {
    let factory: (any MetricsFactory)?
    private let lock = NSLock()
    private var meters: [ExchangeFacts: Meter] = [:]

    init(factory: (any MetricsFactory)?) {
        self.factory = factory
    }

    /// Returns the meter of a server; its backend is the one of the first request to that server.
    func meter(for facts: ExchangeFacts, _ factory: any MetricsFactory) -> Meter {
        lock.lock()
        defer { lock.unlock() }
        if let meter = meters[facts] { return meter }
        let meter = Meter(label: "http.client.active_requests", dimensions: facts.dimensions, factory: factory)
        meters[facts] = meter
        return meter
    }
}

extension ExchangeFacts {
    fileprivate var dimensions: [(String, String)] {
        [("http.request.method", method), ("server.address", address), ("server.port", "\(port)")]
    }
}
