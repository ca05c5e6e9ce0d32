import Foundation
import InMemoryTracing
import MetricsTestKit
import NetworkClient
import NetworkClientObservability
import NetworkClientTesting
import Tracing

/// Measures what `.traced()` and `.measured()` add to a call over a stub: pairs of rounds with and without them, in
/// alternating order, and the median of the differences.
@main
struct ObservabilityCost {
    static func main() async throws {
        let none = client([PassingInterceptor(), PassingInterceptor()])
        let both = client([.traced(), .measured()])
        print("added without backends, µs a call:", try await added(by: both, to: none))
        // The backends of tests, whose own work is part of the time.
        let (tracer, metrics) = (InMemoryTracer(recordInjections: false), TestMetrics())
        let one = client([PassingInterceptor()])
        let traced = client([.traced()])
        let measured = client([.measured(factory: metrics)])
        InstrumentationSystem.bootstrap(tracer)
        print("added by .traced() and its backend:", try await added(by: traced, to: one, tracer.clearFinishedSpans))
        print("added by .measured() and its backend:", try await added(by: measured, to: one))
        print("of these, the backend of .traced():", try await backend(tracer))
    }

    /// Returns the microseconds by which a call of one client takes longer than a call of another one.
    private static func added(
        by with: NetworkClient,
        to without: NetworkClient,
        _ clear: () -> Void = {}
    ) async throws -> String {
        _ = try await (round(without), round(with))
        var added: [Double] = []
        for number in 0..<21 {
            let isFirst = number.isMultiple(of: 2)
            let early = try await round(isFirst ? without : with)
            let late = try await round(isFirst ? with : without)
            added.append(isFirst ? late - early : early - late)
            clear()
        }
        return median(added)
    }

    /// Returns the microseconds of a span with the attributes of a call.
    private static func backend(_ tracer: InMemoryTracer) async throws -> String {
        var times: [Double] = []
        for _ in 0..<21 {
            let start = SystemTimeSource().now
            for _ in 0..<5_000 {
                let span = tracer.startSpan("GET", context: .topLevel, ofKind: .client)
                span.updateAttributes { attributes in
                    attributes["http.request.method"] = "GET"
                    attributes["server.address"] = "api.example.com"
                    attributes["server.port"] = 443
                    attributes["url.full"] = "https://api.example.com/items?page=1"
                }
                span.updateAttributes { $0["http.response.status_code"] = 200 }
                span.end()
            }
            times.append((SystemTimeSource().now - start) / 5_000 * 1e6)
            tracer.clearFinishedSpans()
        }
        return median(times)
    }

    private static func client(_ interceptors: [any InterceptorProtocol]) -> NetworkClient {
        NetworkClient(transport: ClosureTransport(status: 200, json: "1"), interceptors: interceptors)
    }

    /// Returns the microseconds of a call.
    private static func round(_ client: NetworkClient) async throws -> Double {
        let request = try URLRequest(url: url())
        let count = 5_000
        let start = SystemTimeSource().now
        for _ in 0..<count { try await client.fetch(request: request) }
        return (SystemTimeSource().now - start) / Double(count) * 1e6
    }

    private static func url() throws -> URL {
        guard let url = URL(string: "https://api.example.com/items?page=1") else { throw URLError(.badURL) }
        return url
    }

    private static func median(_ values: [Double]) -> String {
        String(format: "%.2f", values.sorted()[values.count / 2])
    }
}

/// An interceptor of another module than the library's, which changes nothing.
private struct PassingInterceptor: InterceptorProtocol {
    func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
        try await next(request)
    }
}
