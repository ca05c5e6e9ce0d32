import Foundation
public import Metrics
public import NetworkClient

/// Measures each attempt by OpenTelemetry's conventions for HTTP clients: `http.client.request.duration` and
/// `http.client.active_requests`.
///
/// The duration is a timer that prefers seconds, with the dimensions `http.request.method`, `server.address`,
/// `server.port`, `url.scheme`, `http.response.status_code`, `error.type` and `network.protocol.version`, as far as
/// they are known, and `cache.status` for a response that the client's cache supplied. The active requests are a meter
/// with the first three. No dimension is a path, a query or a label. Every host is a series: for programs whose hosts
/// come from users, select the hosts with `where`.
///
/// Put the interceptor inside a retry, beside ``TracedInterceptor``: each attempt is a measurement. It ends with the
/// body of the response; for a stream and for events, whose bodies the caller reads, it ends with the head.
public struct MeasuredInterceptor: InterceptorProtocol {
    /// True.
    public var waitsOnlyInNext: Bool { true }

    /// The upper bounds of the conventions' buckets, in seconds.
    ///
    /// A timer of swift-metrics has no buckets: pass these to the backend where you configure it.
    public static let durationBuckets = [
        0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
    ]

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
        guard type(of: factory) != NOOPMetricsHandler.self, isMeasured(request) else { return try await next(request) }
        let facts = AttemptFacts(request)
        let time = RequestContext.current.time
        let meter = meters.meter(for: facts.ofActiveRequests, factory)
        meter.increment()
        defer { meter.decrement() }
        let start = time.now
        do {
            let result = try await next(request)
            record(time.now - start, AttemptOutcome(result.response), facts, factory)
            return result
        } catch {
            record(time.now - start, AttemptOutcome(error), facts, factory)
            throw error
        }
    }

    private func record(
        _ seconds: Double,
        _ outcome: AttemptOutcome,
        _ facts: AttemptFacts,
        _ factory: any MetricsFactory
    ) {
        var dimensions = facts.dimensions
        dimensions.append(("url.scheme", facts.scheme))
        if let status = outcome.status { dimensions.append(("http.response.status_code", "\(status)")) }
        if let type = outcome.errorType { dimensions.append(("error.type", type)) }
        if let version = outcome.version { dimensions.append(("network.protocol.version", version)) }
        if let status = outcome.cacheStatus { dimensions.append(("cache.status", status)) }
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
    /// An interceptor that measures each attempt; place it inside a retry.
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
    private var meters: [AttemptFacts: Meter] = [:]

    init(factory: (any MetricsFactory)?) {
        self.factory = factory
    }

    /// Returns the meter of a server; its backend is the one of the first request to that server.
    func meter(for facts: AttemptFacts, _ factory: any MetricsFactory) -> Meter {
        lock.lock()
        defer { lock.unlock() }
        if let meter = meters[facts] { return meter }
        let meter = Meter(label: "http.client.active_requests", dimensions: facts.dimensions, factory: factory)
        meters[facts] = meter
        return meter
    }
}

extension AttemptFacts {
    fileprivate var dimensions: [(String, String)] {
        [("http.request.method", method), ("server.address", address), ("server.port", "\(port)")]
    }
}
