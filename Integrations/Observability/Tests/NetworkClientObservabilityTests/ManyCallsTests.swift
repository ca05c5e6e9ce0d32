import InMemoryTracing
import MetricsTestKit
import NetworkClient
import NetworkClientObservability
import NetworkClientTesting
import Testing
import Tracing

struct ManyCallsTests {
    private static let callers = 100
    private static let callsOfEach = 1_000

    @Test func noSpanStaysOpenAndNoRequestStaysActive() async throws {
        let tracer = InMemoryTracer(recordInjections: false)
        let metrics = TestMetrics()
        let transport = StubTransport()
        transport.on(.get("/ok"), .status(200))
        transport.on(.get("/refused"), .status(503))
        transport.on(.get("/lost"), .failure(.connectionLost))
        transport.on(.get("/cancelled")) { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return .never
        }
        let client = NetworkClient(transport: transport, interceptors: [.traced(), .measured(factory: metrics)])
        let requests = try ["ok", "ok", "refused", "lost", "cancelled"].map { try get("https://h/\($0)") }
        await withTracer(tracer) {
            await withTaskGroup { group in
                for _ in 1...Self.callers {
                    group.addTask {
                        for number in 0..<Self.callsOfEach {
                            // Each call has its own task, which the stub may cancel.
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
