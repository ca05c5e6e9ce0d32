import InMemoryLogging
import Logging
import NetworkClient
import NetworkClientObservability
import NetworkClientTesting
import Testing

struct SwiftLogLoggerTests {
    private let handler = InMemoryLogHandler()

    private func logger(_ level: Logger.Level = .info) -> SwiftLogLogger {
        var logger = Logger(label: "test") { _ in handler }
        logger.logLevel = level
        return .swiftLog(logger)
    }

    private func metadata(_ index: Int) -> [String: String] {
        handler.entries[index].metadata.mapValues { "\($0)" }
    }

    @Test func aRecordHasTheFactsOfTheCallAsMetadata() async throws {
        let transport = StubTransport()
        transport.on(.any, .status(503), .status(200), .failure(.connectionLost))
        let client = NetworkClient(
            transport: transport,
            interceptors: [.retry()],
            logging: logger(),
            configuration: .init(sensitiveHeaders: ["tenant"], time: TestClock(advancesItself: true))
        )
        let request = try get("https://h/a?tenant=s3cret")
        try await client.fetch(request: request, options: CallOptions(label: "getA"))
        let fields = ["http.request.method": "GET", "url.full": "https://h/a?tenant=***", "label": "getA"]
        #expect(handler.entries.map(\.level) == [.warning, .info, .info])
        let wait = try #require(metadata(1)["retry.wait"])
        #expect(Double(wait).map { 0...1 ~= $0 } == true)
        #expect(
            metadata(0)
                == fields.merging([
                    "http.response.status_code": "503", "error.type": "503", "attempt": "1", "duration": "0.0",
                ]) { $1 }
        )
        let retried = ["attempt": "1", "retry.wait": wait, "retry.cause": "response 503"]
        #expect(metadata(1) == fields.merging(retried) { $1 })
        #expect(
            metadata(2)
                == fields.merging(["http.response.status_code": "200", "attempt": "2", "duration": "0.0"]) { $1 }
        )
        #expect(handler.entries[2].message == "GET https://h/a?tenant=*** → 200 in 0 ms (getA) (attempt 2)")
        _ = try? await client.fetch(request: request, options: CallOptions { $0.retry = .never })
        #expect(metadata(3)["error.type"] == "connectionLost")
        #expect(metadata(3)["label"] == nil)
    }

    @Test func aLoggerThatShowsOnlyWarningsGetsNoOthers() async throws {
        let client = NetworkClient(transport: StubTransport(otherwise: .status(200)), logging: logger(.warning))
        try await client.fetch(request: try get("https://h/"))
        #expect(handler.entries.isEmpty)
        logger().log("fallback", for: .request, type: .warning)
        #expect(handler.entries.map(\.message) == ["fallback"])
    }
}
