import Foundation
import Metrics
import MetricsTestKit
import NetworkClient
import NetworkClientObservability
import NetworkClientTesting
import Testing

struct MeasuredInterceptorTests {
    private let metrics = TestMetrics()
    private let transport = StubTransport()

    private func client(_ interceptors: any InterceptorProtocol...) -> NetworkClient {
        let configuration = NetworkClient.Configuration(time: TestClock(advancesItself: true))
        return NetworkClient(transport: transport, interceptors: interceptors, configuration: configuration)
    }

    @Test(.spec(232)) func eachAttemptIsMeasuredInSecondsWithTheConventionsDimensions() async throws {
        transport.on(.any, .status(503), .status(201), .failure(.connectionLost))
        let client = client(.retry(), .measured(factory: metrics), TakingHalfASecond())
        try await client.fetch(request: try get("https://h:8443/items/7?page=1"), options: CallOptions(label: "items"))
        _ = try? await client.fetch(
            request: try get("https://h:8443/items/7"),
            options: CallOptions { $0.retry = .never }
        )
        let common = [
            "http.request.method": "GET", "server.address": "h", "server.port": "8443", "url.scheme": "https",
        ]
        let outcomes = [
            ["http.response.status_code": "503", "error.type": "503"],
            ["http.response.status_code": "201"],
            ["error.type": "connectionLost"],
        ]
        for outcome in outcomes {
            let dimensions = common.merging(outcome) { $1 }
            let timer = metrics.timers(label: "http.client.request.duration").first {
                Dictionary(uniqueKeysWithValues: $0.dimensions) == dimensions
            }
            #expect(timer?.values == [500_000_000], "\(dimensions)")
            #expect(timer?.displayUnit == .seconds)
        }
        #expect(metrics.timers.count == 3)
        let meters = metrics.meters(label: "http.client.active_requests")
        #expect(meters.count == 1)
        #expect(meters.first?.values == [1, 0, 1, 0, 1, 0])
        #expect(meters.first?.dimensions.map(\.0) == ["http.request.method", "server.address", "server.port"])
    }

    @Test(.spec(261)) func aResponseFromTheCacheIsMeasuredAsSuch() async throws {
        transport.on(.any, .text("tea").setting(header: .cacheControl(value: "max-age=60")))
        let client = NetworkClient(
            transport: transport,
            interceptors: [.measured(factory: metrics)],
            configuration: .init(cache: ResponseCache())
        )
        for _ in 1...2 { try await client.fetch(request: try get("https://h/items")) }
        let statuses = metrics.timers.map { timer in timer.dimensions.first { $0.0 == "cache.status" }?.1 ?? "none" }
        #expect(statuses.sorted() == ["fresh", "none"])
    }

    @Test func theFactoryOfTheSystemIsUsedByDefault() async throws {
        transport.on(.any, .status(200))
        let request = try get("https://h/")
        try await withMetricsFactory(metrics) { _ = try await client(.measured()).fetch(request: request) }
        #expect(metrics.timers.count == 1)
        try await client(.measured(factory: metrics) { _ in false }).fetch(request: request)
        #expect(metrics.timers.count == 1)
    }

    @Test func theBucketsAreTheConventions() {
        #expect(
            MeasuredInterceptor.durationBuckets
                == [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
        )
    }
}

/// Lets half a second pass on the clock of the call.
private struct TakingHalfASecond: InterceptorProtocol {
    func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
        try await RequestContext.current.time.sleep(seconds: 0.5)
        return try await next(request)
    }
}
