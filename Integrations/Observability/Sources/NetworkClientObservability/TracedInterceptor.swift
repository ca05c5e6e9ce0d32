public import NetworkClient
import Tracing

/// Makes a client span for each attempt, by OpenTelemetry's conventions for HTTP clients, and sends its context.
///
/// ```swift
/// let client = NetworkClient(interceptors: [.retry(), .traced(), .measured()])
/// ```
///
/// The tracer is the one that `InstrumentationSystem` has at the time of the call, which also writes the header fields.
/// Put the interceptor inside a retry, so that each attempt is a span, and inside what waits, such as a concurrency
/// limit, so that the span does not include the wait. Redirects belong to the span of their attempt.
///
/// A span is named after the method and the label of the call (`GET getUser`), and has the URL as the log shows it. Its
/// status is an error for a response of 400 and above or one that the call doesn't accept, and for a failure, but not
/// for a cancellation. Messages of errors are not recorded. A span ends with the body of the response; for a stream and
/// for events, whose bodies the caller reads, it ends with the head.
///
/// A client with this interceptor needs no `.tracing()`, which leaves an existing `traceparent` unchanged. Identical
/// calls that share an exchange have one span each, and the server sees the context of the first.
public struct TracedInterceptor: InterceptorProtocol {
    /// True.
    public var waitsOnlyInNext: Bool { true }

    private let redaction: LogRedaction
    private let isTraced: @Sendable (URLRequest) -> Bool

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - redaction: What is masked in `url.full`, in addition to names that the client declares sensitive.
    ///   - isTraced: Returns whether a request gets a span and header fields; by default, all do.
    public init(
        redaction: LogRedaction = .sensitive,
        where isTraced: @escaping @Sendable (URLRequest) -> Bool = { _ in true }
    ) {
        self.redaction = redaction
        self.isTraced = isTraced
    }

    /// Passes the request on with the context of a new span; rethrows the errors of `next`.
    public func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        // A tracer is an instrument, too.
        guard type(of: InstrumentationSystem.instrument) != NoOpInstrument.self, isTraced(request) else {
            return try await next(request)
        }
        let span = begin(request)
        defer { span.end() }
        do {
            let outgoing = request.carrying(span.context)
            let result = try await ServiceContext.$current.withValue(span.context) { try await next(outgoing) }
            span.note { AttemptOutcome(result.response) }
            return result
        } catch {
            span.note { AttemptOutcome(error) }
            throw error
        }
    }

    private func begin(_ request: URLRequest) -> any Span {
        let context = RequestContext.current
        let facts = AttemptFacts(request)
        let method = facts.originalMethod == nil ? facts.method : "HTTP"
        let name = context.label.map { "\(method) \($0)" } ?? method
        let span = InstrumentationSystem.tracer.startSpan(name, ofKind: .client)
        guard span.isRecording else { return span }
        span.updateAttributes { attributes in
            attributes["http.request.method"] = facts.method
            attributes["http.request.method_original"] = facts.originalMethod
            attributes["server.address"] = facts.address
            attributes["server.port"] = facts.port
            attributes["url.full"] = request.url.map { context.redacted($0, by: redaction) }
            attributes["http.request.resend_count"] = context.attempt > 1 ? context.attempt - 1 : nil
        }
        return span
    }
}

extension InterceptorProtocol where Self == TracedInterceptor {
    /// An interceptor that makes a span for each attempt; place it inside a retry.
    public static func traced(
        redaction: LogRedaction = .sensitive,
        where isTraced: @escaping @Sendable (URLRequest) -> Bool = { _ in true }
    ) -> TracedInterceptor {
        TracedInterceptor(redaction: redaction, where: isTraced)
    }
}

extension Span {
    fileprivate func note(_ outcome: () -> AttemptOutcome) {
        guard isRecording else { return }
        let outcome = outcome()
        updateAttributes { attributes in
            attributes["http.response.status_code"] = outcome.status
            attributes["network.protocol.version"] = outcome.version
            attributes["error.type"] = outcome.errorType
            attributes["cache.status"] = outcome.cacheStatus
        }
        if outcome.isFailure { setStatus(SpanStatus(code: .error)) }
    }
}

extension URLRequest {
    /// Returns a copy with the header fields that the instrument writes for a context.
    fileprivate func carrying(_ context: ServiceContext) -> URLRequest {
        var fields: [HeaderField] = []
        InstrumentationSystem.instrument.inject(context, into: &fields, using: FieldInjector())
        return fields.isEmpty ? self : setting(headers: fields)
    }
}

private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into fields: inout [HeaderField]) {
        fields.append(.custom(name: key, value: value))
    }
}
