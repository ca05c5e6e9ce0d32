import Foundation
import InMemoryTracing
import NetworkClient
import NetworkClientObservability
import NetworkClientTesting
import Testing
import Tracing

struct TracedInterceptorTests {
    /// One request and the span that OpenTelemetry's conventions for HTTP clients ask for.
    struct Row: Sendable, CustomTestStringConvertible {
        let method: String
        let url: String
        var label: String?
        var response = StubTransport.Response.status(200)
        let name: String
        let attributes: [String: String]
        var isFailure = false

        var testDescription: String { "\(method) \(url) \(name)" }
    }

    static let rows = [
        Row(
            method: "GET",
            url: "https://user:pw@api.example.com/a?token=s3cret&page=1#x",
            name: "GET",
            attributes: [
                "http.request.method": "GET", "server.address": "api.example.com", "server.port": "443",
                "url.full": "https://***@api.example.com/a?token=***&page=1", "http.response.status_code": "200",
            ]
        ),
        Row(
            method: "POST",
            url: "http://[::1]:8080/a",
            label: "addItem",
            response: .status(404),
            name: "POST addItem",
            attributes: [
                "http.request.method": "POST", "server.address": "::1", "server.port": "8080",
                "url.full": "http://[::1]:8080/a", "http.response.status_code": "404", "error.type": "404",
            ],
            isFailure: true
        ),
        Row(
            method: "PURGE",
            url: "http://h/?tenant=7",
            response: .status(302),
            name: "HTTP",
            attributes: [
                "http.request.method": "_OTHER", "http.request.method_original": "PURGE", "server.address": "h",
                "server.port": "80", "url.full": "http://h/?tenant=***", "http.response.status_code": "302",
            ]
        ),
        Row(
            method: "DELETE",
            url: "https://h/",
            response: .failure(.connectionLost),
            name: "DELETE",
            attributes: [
                "http.request.method": "DELETE", "server.address": "h", "server.port": "443",
                "url.full": "https://h/", "error.type": "connectionLost",
            ],
            isFailure: true
        ),
        Row(
            method: "GET",
            url: "https://h/",
            response: .failure(CancellationError()),
            name: "GET",
            attributes: [
                "http.request.method": "GET", "server.address": "h", "server.port": "443",
                "url.full": "https://h/",
            ]
        ),
    ]

    @Test(.spec(232), arguments: rows) func aSpanHasTheAttributesOfTheConventions(row: Row) async throws {
        let tracer = InMemoryTracer()
        let transport = StubTransport(otherwise: row.response)
        let configuration = NetworkClient.Configuration(redirects: .never, sensitiveHeaders: ["tenant"])
        let client = NetworkClient(transport: transport, interceptors: [.traced()], configuration: configuration)
        var request = try get(row.url)
        request.httpMethod = row.method
        let sent = request
        await withTracer(tracer) {
            _ = try? await client.fetch(request: sent, options: CallOptions(label: row.label))
        }
        let span = try #require(tracer.finishedSpans.first)
        #expect(tracer.finishedSpans.count == 1)
        #expect(span.operationName == row.name)
        #expect(span.kind == .client)
        #expect(span.attributes.texts == row.attributes)
        #expect(span.status?.code == (row.isFailure ? .error : nil))
        #expect(span.errors.isEmpty)
        let fields = try #require(transport.requests.first)
        #expect(fields[header: InMemoryTracer.spanIDKey] == span.spanID)
    }

    private struct Busy: Error {}

    private static let failures: [(error: any Error, type: String)] = [
        (NetworkClient.Error.invalidUrl(originalUrl: "a"), "invalidURL"),
        (NetworkClient.Error.invalidResponse, "notHTTP"),
        (NetworkClient.Error.decodingError(type: .valueNotFound(Int.self, noContext)), "decodingError"),
        (NetworkClient.Error.requestError(type: TransportError(.timedOut)), "timedOut"), (Busy(), "Busy"),
    ]
    private static let noContext = DecodingError.Context(codingPath: [], debugDescription: "")

    @Test(arguments: failures.indices) func theTypeOfAnErrorIsItsReasonOrItsKind(index: Int) async throws {
        let (error, type) = Self.failures[index]
        let tracer = InMemoryTracer()
        let client = NetworkClient(transport: ClosureTransport { _, _ in throw error }, interceptors: [.traced()])
        let request = try get("https://h/")
        await withTracer(tracer) { _ = try? await client.fetch(request: request) }
        let span = try #require(tracer.finishedSpans.first)
        #expect(span.attributes.texts["error.type"] == type)
        #expect(span.status?.code == .error)
    }

    @Test func aRequestThatIsNotSentHasNoSpan() async throws {
        let tracer = InMemoryTracer()
        let transport = StubTransport()
        transport.on(.any, .text("tea").setting(header: .cacheControl(value: "max-age=60")))
        let client = NetworkClient(
            transport: transport,
            interceptors: [.traced()],
            configuration: .init(cache: ResponseCache())
        )
        let request = try get("https://h/items")
        try await withTracer(tracer) {
            for _ in 1...2 { try await client.fetch(request: request) }
            _ = try? await client.fetch(request: get("ftp://h/items"))
        }
        #expect(tracer.finishedSpans.count == 1)
    }

    @Test func theRefreshOfATokenIsNotPartOfASpan() async throws {
        let tracer = InMemoryTracer()
        let transport = StubTransport()
        transport.on(.any, .status(401), .status(200))
        let session = TokenSession(store: InMemoryCredentialStore(AccessToken("old"))) { _ in
            tracer.withSpan("refresh") { _ in AccessToken("new") }
        }
        let client = NetworkClient(
            transport: transport,
            interceptors: [.traced(), .authentication(.bearer(session), origins: [try origin("https://h")])]
        )
        let request = try get("https://h/")
        try await withTracer(tracer) { _ = try await client.fetch(request: request) }
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["GET", "refresh", "GET"])
        #expect(spans.map { $0.attributes.texts["http.response.status_code"] } == ["401", nil, "200"])
        #expect(spans.allSatisfy { $0.parentSpanID == nil })
    }

    @Test func anAttemptThatTakesTooLongIsAnErrorAndNoCancellation() async throws {
        let tracer = InMemoryTracer()
        let client = NetworkClient(
            transport: StubTransport(otherwise: .never),
            interceptors: [.traced(), .deadline(5)],
            configuration: .init(time: TestClock(advancesItself: true))
        )
        let request = try get("https://h/")
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        await withTracer(tracer) {
            _ = try? await client.fetch(request: request)
            _ = try? await client.download(request, to: file).value
        }
        #expect(tracer.finishedSpans.map { $0.attributes.texts["error.type"] } == ["timedOut", "timedOut"])
    }

    @Test(arguments: [200, 500]) func theVersionOfHTTPIsTheTransports(status: Int) async throws {
        let tracer = InMemoryTracer()
        let transport = ClosureTransport { request, _ in
            var metrics = TransportMetrics(total: 1)
            metrics.httpVersion = "HTTP/2"
            let url = try #require(request.url)
            let head = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
            return TransportResponse(response: try #require(head), metrics: metrics)
        }
        let client = NetworkClient(transport: transport, interceptors: [.traced()])
        let request = try get("https://h/")
        await withTracer(tracer) { _ = try? await client.fetch(request: request) }
        #expect(tracer.finishedSpans.map { $0.attributes.texts["network.protocol.version"] } == ["2"])
    }

    @Test func theSpanOfADownloadEndsWithItsBodyAndThatOfAStreamWithItsHead() async throws {
        let tracer = InMemoryTracer()
        let open = Collected<Int>()
        let client = NetworkClient(transport: SlowBody(tracer: tracer, open: open), interceptors: [.traced()])
        let request = try get("https://h/")
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        try await withTracer(tracer) {
            _ = try await client.download(request, to: file).value
        }
        #expect(await open.values == [1, 1, 1])
        #expect(tracer.activeSpans.isEmpty)
        let stream = try await withTracer(tracer) { try await client.stream(request) }
        #expect(tracer.finishedSpans.count == 2)
        #expect(try await stream.item.data() == Data("ab".utf8))
    }

    @Test func requestsThatAreNotSelectedHaveNoSpanAndNoFields() async throws {
        let tracer = InMemoryTracer()
        let transport = StubTransport(otherwise: .status(200))
        let client = NetworkClient(transport: transport, interceptors: [.traced { _ in false }])
        let request = try get("https://h/")
        try await withTracer(tracer) {
            _ = try await client.fetch(request: request)
        }
        #expect(tracer.finishedSpans.isEmpty)
        #expect(transport.requests.map { $0[header: InMemoryTracer.spanIDKey] } == [nil])
    }
}

private func origin(_ url: String) throws -> URL { try #require(URL(string: url)) }

/// Responds with a body in two chunks, and notes how many spans are open when each of them and the end is asked for.
private struct SlowBody: Transport {
    let tracer: InMemoryTracer
    let open: Collected<Int>
    var description: String { "SlowBody" }

    func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
        let left = Collected<String>(["b", "a"])
        let chunks = AsyncStream<Data> {
            await open.append(tracer.activeSpans.count)
            return await left.popLast().map { Data($0.utf8) }
        }
        let head = HTTPURLResponse(
            url: try #require(request.url),
            statusCode: 200,
            httpVersion: nil,
            headerFields: nil
        )
        return TransportResponse(response: try #require(head), chunks: chunks)
    }
}
