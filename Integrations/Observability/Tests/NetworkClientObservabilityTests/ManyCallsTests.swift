import InMemoryTracing
import MetricsTestKit
import NetworkClient
import NetworkClientObservability
import NetworkClientTesting
import Testing
import Tracing

struct ManyCallsTests {
    /// Cancels the task in which it runs, if its request asks for it.
    private struct Cancelling: InterceptorProtocol {
        let waitsOnlyInNext = true

        func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
            if request.url?.path == "/cancelled" { withUnsafeCurrentTask { $0?.cancel() } }
            return try await next(request)
        }
    }

    private static let callers = 100
    private static let callsOfEach = 1_000

    @Test func noSpanStaysOpenAndNoRequestStaysActive() async throws {
        let tracer = InMemoryTracer(recordInjections: false)
        let metrics = TestMetrics()
        let transport = StubTransport()
        transport.on(.get("/ok"), .status(200))
        transport.on(.get("/refused"), .status(503))
        transport.on(.get("/lost"), .failure(.connectionLost))
        transport.on(.get("/cancelled"), .never)
        let client = NetworkClient(
            transport: transport,
            interceptors: [.traced(), .measured(factory: metrics), Cancelling()]
        )
        let requests = try ["ok", "ok", "refused", "lost", "cancelled"].map { try get("https://h/\($0)") }
        await withTracer(tracer) {
            await withTaskGroup { group in
                for _ in 1...Self.callers {
                    group.addTask {
                        for number in 0..<Self.callsOfEach {
                            // Each call has its own task, which the interceptor may cancel.
                            let request = requests[number % requests.count]
                            await Task { _ = try? await client.fetch(request: request) }.value
                        }
                    }
                }
            }
        }
        #expect(tracer.activeSpans.isEmpty)
        let outcomes = tracer.finishedSpans.map { $0.attributes.texts["error.type"] ?? "none" }
        let fifth = Self.callers * Self.callsOfEach / 5
        #expect(
            outcomes.reduce(into: [:]) { $0[$1, default: 0] += 1 }
                == ["none": 3 * fifth, "503": fifth, "connectionLost": fifth]
        )
        #expect(tracer.finishedSpans.count { $0.status?.code == .error } == 2 * fifth)
        #expect(metrics.meters.map(\.lastValue) == [0])
        #expect(metrics.timers.reduce(0) { $0 + $1.values.count } == 5 * fifth)
    }
}
