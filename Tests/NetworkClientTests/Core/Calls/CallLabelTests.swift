import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CallLabelTests {
    @Test(.spec(229), arguments: [[], [NoOpAdapter()]] as [[any InterceptorProtocol]])
    func theLabelOfACallIsInItsJourneyItsLogAndItsReport(interceptors: [any InterceptorProtocol]) async throws {
        let reports = Recorder<CallReport>()
        let lines = Recorder<String>()
        struct Lines: LogStream {
            let lines: Recorder<String>

            func log(_ message: String, for type: LogType) { lines.record(message) }
        }
        let logger = DefaultLogger(logStream: Lines(lines: lines))
        let endpoint = CallOptions(idleTimeout: 9, label: "endpoint")
        let options = endpoint.overridden(by: CallOptions(logging: logger, label: "get\nItem"))
        let client = NetworkClient(
            transport: ClosureTransport(status: 200, json: "7"),
            interceptors: interceptors,
            configuration: .init(time: TestClock(), observer: { reports.record($0) })
        )
        let request = URLRequest(url: url("https://api.example.com/items"))
        let response = try await client.fetch(request: request, options: options)
        expect(response.journey.label, "get\\nItem")
        expect(response.journey.description.hasPrefix("get\\nItem\n0.000 s  attempt 1\n"), true)
        expect(reports.values.map(\.label), ["get\\nItem"])
        expect(lines.values.first?.hasSuffix(" ms (get\\nItem)"), true)
        expect(try await client.fetch(request: request).journey.label, nil)
    }
}
