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

    private let time = TestClock(advancesItself: true)

    /// Returns a client whose server takes half a second for each response.
    private func client(_ interceptors: any InterceptorProtocol...) -> NetworkClient {
        let configuration = NetworkClient.Configuration(time: time)
        let transport = ClosureTransport { [transport, time] request, options in
            try await time.sleep(seconds: 0.5)
            return try await transport.send(request, options: options)
        }
        return NetworkClient(transport: transport, interceptors: interceptors, configuration: configuration)
    }

    @Test(.spec(232)) func eachRequestIsMeasuredInSecondsWithTheConventionsDimensions() async throws {
        transport.on(.any, .status(503), .status(201), .failure(.connectionLost))
        let client = client(.measured(factory: metrics), .retry())
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

    @Test func theFactoryOfTheSystemIsUsedByDefault() async throws {
        transport.on(.any, .status(200))
        let request = try get("https://h/")
        try await withMetricsFactory(metrics) { _ = try await client(.measured()).fetch(request: request) }
        #expect(metrics.timers.count == 1)
        try await client(.measured(factory: metrics) { _ in false }).fetch(request: request)
        #expect(metrics.timers.count == 1)
    }

    @Test func theBucketsAreTheConventions() {
        let seconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
        #expect(MeasuredInterceptor.durationBuckets == seconds.map { .seconds($0) })
    }
}
