import Foundation
import InMemoryTracing
import MetricsTestKit
import NetworkClient
import NetworkClientObservability
import NetworkClientTesting
import Testing
import Tracing

/// Ten thousand calls, of which each kind makes more requests than one, or ends early.
struct ManyCallsTests {
    private enum Kind: String, CaseIterable {
        case plain, redirected, refused, overloaded, stream, unreadStream, download, cancelled, lost, missing
    }

    /// A request as the server saw it.
    private struct Received: Sendable {
        let span: String
        let status: Int?
    }

    /// Responds by the path, and records the requests of each call.
    private actor Server {
        private(set) var requests: [String: [Received]] = [:]

        func respond(to request: URLRequest) throws -> TransportResponse {
            let path = request.url?.path ?? ""
            let call = try #require(request.value(forHTTPHeaderField: "X-Call"))
            let isRefused = request.value(forHTTPHeaderField: "Authorization") == "Bearer old"
            let status: Int? =
                switch path {
                case "/lost", "/cancelled": nil
                case "/redirected": 302
                case "/refused" where isRefused: 401
                case "/overloaded" where requests[call] == nil: 503
                case "/missing": 404
                default: 200
                }
            let span = try #require(request.value(forHTTPHeaderField: InMemoryTracer.spanIDKey))
            requests[call, default: []].append(Received(span: span, status: status))
            guard let status else {
                guard path == "/cancelled" else { throw TransportError(.connectionLost, request: request) }
                withUnsafeCurrentTask { $0?.cancel() }
                throw CancellationError()
            }
            return try response(status, to: request, isStreamed: path.hasSuffix("tream"))
        }

        private func response(_ status: Int, to request: URLRequest, isStreamed: Bool) throws -> TransportResponse {
            let fields = status == 302 ? ["Location": "/target?token=s3cret"] : [:]
            let url = try #require(request.url)
            let head = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields)
            guard isStreamed else { return TransportResponse(response: try #require(head), data: Data("tea".utf8)) }
            let chunks = AsyncStream { chunks in
                chunks.yield(Data("tea".utf8))
                chunks.finish()
            }
            return TransportResponse(response: try #require(head), chunks: chunks)
        }
    }

    private let tracer = InMemoryTracer(recordInjections: false)
    private let metrics = TestMetrics()

    /// Returns a client with a token that `/refused` refuses once, and the interceptors in one of two orders.
    private func client(_ server: Server, isOutside: Bool) throws -> NetworkClient {
        let session = TokenSession(store: InMemoryCredentialStore(AccessToken("old"))) { _ in AccessToken("new") }
        let origin = try #require(URL(string: "https://h"))
        let observing: [any InterceptorProtocol] = [.traced(), .measured(factory: metrics)]
        let others: [any InterceptorProtocol] = [.retry(), .authentication(.bearer(session), origins: [origin])]
        return NetworkClient(
            transport: ClosureTransport { request, _ in try await server.respond(to: request) },
            interceptors: isOutside ? observing + others : others + observing,
            configuration: .init(time: TestClock(advancesItself: true))
        )
    }

    /// Makes a call in a span of its own, in a task that the server may cancel.
    private func call(_ number: Int, _ kind: Kind, _ client: NetworkClient) async throws {
        var request = try get("https://h/\(kind.rawValue)?token=s3cret")
        request.setValue("\(number)", forHTTPHeaderField: "X-Call")
        let sent = request
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        await Task {
            await tracer.withSpan("call \(number)") { _ in
                switch kind {
                case .stream: _ = try? await client.stream(sent).item.data()
                case .unreadStream: _ = try? await client.stream(sent)
                case .download: _ = try? await client.download(sent, to: file).value
                default: _ = try? await client.fetch(request: sent)
                }
            }
        }.value
    }

    @Test(.spec(232)) func thereAreAsManySpansAsRequestsEachWithItsOwnContextAndStatus() async throws {
        let server = Server()
        try await withTracer(tracer) {
            try await withThrowingTaskGroup { group in
                for caller in 0..<20 {
                    group.addTask {
                        for number in caller * 500..<(caller + 1) * 500 {
                            let kind = Kind.allCases[number % Kind.allCases.count]
                            // Each call has its own token, which is refreshed once.
                            try await call(number, kind, client(server, isOutside: number / 10 % 2 == 0))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        let requests = await server.requests
        let counts = Kind.allCases.indices.map { kind in
            Set(requests.filter { Int($0.key).map { $0 % Kind.allCases.count } == kind }.map(\.value.count))
        }
        #expect(counts == [[1], [2], [2], [2], [1], [1], [1], [1], [3], [1]])
        try check(tracer.finishedSpans, against: requests)
        #expect(metrics.meters.map(\.lastValue) == [0])
        #expect(metrics.timers.reduce(0) { $0 + $1.values.count } == 15_000)
    }

    private func check(_ spans: [FinishedInMemorySpan], against requests: [String: [Received]]) throws {
        #expect(tracer.activeSpans.isEmpty)
        let calls = Dictionary(uniqueKeysWithValues: spans.filter { $0.kind == .internal }.map { ($0.spanID, $0) })
        let sent = spans.filter { $0.kind == .client }
        #expect(calls.count == 10_000 && sent.count == 15_000)
        let spans = Dictionary(uniqueKeysWithValues: sent.map { ($0.spanID, $0) })
        var faults: [String] = []
        for (call, received) in requests {
            for (number, request) in received.enumerated() {
                let span = try #require(spans[request.span])
                let facts = span.attributes.texts
                let isRight =
                    span.parentSpanID.flatMap { calls[$0]?.operationName } == "call \(call)"
                    && facts["http.response.status_code"] == request.status.map { "\($0)" }
                    && facts["http.request.resend_count"] == (number == 0 ? nil : "\(number)")
                    && facts["url.full"]?.contains("s3cret") == false
                if !isRight { faults.append("call \(call), request \(number): \(facts)") }
            }
        }
        #expect(faults.isEmpty, "\(faults.prefix(5))")
    }
}
