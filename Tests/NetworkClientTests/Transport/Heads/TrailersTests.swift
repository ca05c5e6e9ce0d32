import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Fields that come after the body, from the server to the caller, the log and the archive.
@Suite(.spec(319)) struct TrailersTests {
    private static let transports = TransportUnderTest.all(without: .crashesOnTrailers)

    /// Of which most would change what the response means if they were fields of its head (RFC 9110 §6.5.1).
    private static let trailers: WireFields = [
        "X-Sum": "1", "Content-Length": "1", "Content-Encoding": "gzip", "Location": "/other", "Set-Cookie": "a=b",
        "Authorization": "Bearer token", "Retry-After": "9", "X-Sum": "2",
    ]

    private static func lines(_ fields: ResponseFields) -> [String] { fields.map { "\($0.name): \($0.value)" } }

    private static func expected(over transport: TransportUnderTest) -> [String] {
        transport.has(.dropsTrailers) ? [] : trailers.map { "\($0.name): \($0.value)" }
    }

    private static func server(until hasRead: Gate? = nil) throws -> LoopbackServer {
        try LoopbackServer { request in
            guard let hasRead, request.path == "/slow" else {
                let status = Int(request.path.dropFirst()) ?? 200
                return .chunked(["he", "llo"], status: status, trailers: trailers)
            }
            let rest = trailers.map { "\($0)\r\n" }.joined()
            return [
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), .chunk("hello"),
                .wait(hasRead), .send("0\r\n\(rest)\r\n"),
            ]
        }
    }

    @Test(arguments: transports, [false, true])
    func aWholeBodyHasItsTrailersAndTheyAreNoFields(_ transport: TransportUnderTest, isIntercepted: Bool) async throws {
        let server = try Self.server()
        let rebuilding = ClosureInterceptor { request, next in
            let (data, response) = try await next(request)
            let fields = response.allHeaderFields.reduce(into: [:]) { $0["\($1.key)"] = "\($1.value)" }
            return (data, .made(response.statusCode, url: request.url?.absoluteString ?? "", headers: fields))
        }
        let client = try transport.client(
            interceptors: isIntercepted ? [rebuilding] : [],
            configuration: .init(cookies: CookieStore())
        )
        let response: NetworkClient.Response<Data> = try await client.fetch(
            request: URLRequest(url: server.url("/200"))
        )
        expect(String(decoding: response.item, as: UTF8.self), "hello")
        expect(Self.lines(response.trailers), Self.expected(over: transport))
        expect(response.fields.filter { field in Self.trailers.contains { $0.name == field.name } }.map(\.name), [])
        try await client.fetch(request: URLRequest(url: server.url("/200")))
        expect(server.requests.last?.headers["Cookie"], nil)
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(request: URLRequest(url: server.url("/302")))
        }
        guard case .apiError(let refused, _)? = error else {
            Issue.record("\(error.map { "\($0)" } ?? "no error")")
            return
        }
        expect(Self.lines(refused.trailers), Self.expected(over: transport))
    }

    @Test(arguments: transports, [false, true])
    func aStreamHasItsTrailersWhenItHasEnded(_ transport: TransportUnderTest, isIntercepted: Bool) async throws {
        let hasRead = Gate()
        let server = try Self.server(until: hasRead)
        let client = try transport.client(interceptors: isIntercepted ? [NoOpAdapter()] : [])
        let response = try await client.stream(URLRequest(url: server.url("/slow")))
        var body = ""
        for try await chunk in response.item {
            body += String(decoding: chunk, as: UTF8.self)
            expect(response.trailers, ResponseFields([]))
            if body == "hello" { hasRead.open() }
        }
        expect(body, "hello")
        expect(Self.lines(response.trailers), Self.expected(over: transport))
    }

    @Test(arguments: transports) func aDownloadHasTrailers(_ transport: TransportUnderTest) async throws {
        let server = try Self.server()
        let folder = try TemporaryDirectory()
        let file = folder.url.appendingPathComponent("body")
        let response = try await transport.client().download(URLRequest(url: server.url("/200")), to: file).value
        expect(Self.lines(response.trailers), Self.expected(over: transport))
    }

    @Test(
        arguments: transports,
        [
            ["X-Sum 1"], ["HTTP/1.1 500 Error"], ["X-A: 1", "X-Long: " + String(repeating: "a", count: 1 << 20)],
        ]
    )
    func malformedTrailersFailTheBody(_ transport: TransportUnderTest, lines: [String]) async throws {
        guard !transport.has(.dropsTrailers) else { return }
        let server = try LoopbackServer { _ in
            let rest = lines.map { $0 + "\r\n" }.joined()
            return .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\(rest)\r\n")
        }
        let client = try transport.client()
        expect(await client.outcome(of: URLRequest(url: server.url)), .failed(.malformedResponse))
        // The stream may fail before its head has been passed on.
        let response = try? await client.stream(URLRequest(url: server.url))
        guard let response else { return }
        let error = await #expect(throws: NetworkClient.Error.self) { try await response.item.data(limit: 10) }
        expect(error?.transportError?.reason, .malformedResponse)
        expect(response.trailers, ResponseFields([]))
    }

    @Test(arguments: [false, true]) func aStubSendsTrailersAfterACompleteBody(isStreamed: Bool) async throws {
        let trailer = HeaderField.custom(name: "X-Sum", value: "1")
        let stub = StubTransport()
        let body = StubTransport.Response.chunks([Data("ab".utf8), Data("c".utf8)]).adding(trailer: trailer)
        stub.on(.any, body, body.breakingOff(after: 2))
        let client = NetworkClient(transport: stub, logging: .off)
        let request = URLRequest(url: url("https://h/"))
        func trailers(_ request: URLRequest) async throws -> [String] {
            guard isStreamed else { return Self.lines(try await client.fetch(request: request).trailers) }
            let response = try await client.stream(request)
            expect(response.trailers, ResponseFields([]))
            do {
                _ = try await response.item.data(limit: 10)
            } catch {
                expect(response.trailers, ResponseFields([]))
                throw error
            }
            return Self.lines(response.trailers)
        }
        expect(try await trailers(request), ["X-Sum: 1"])
        await #expect(throws: NetworkClient.Error.self) { try await trailers(request) }
        stub.on(.any, body)
        var head = request
        head.httpMethod = "HEAD"
        expect(try await trailers(head), [])
    }

    @Test func aCustomTransportGivesTrailers() async throws {
        let fields = ResponseFields([.init(name: "X-Sum", value: "1")])
        let place = url("https://h/")
        let whole = ClosureTransport { _, _ in
            try #require(TransportResponse(url: place, status: 200, fields: ResponseFields([]), trailers: fields))
        }
        expect(try await NetworkClient(transport: whole).fetch(request: URLRequest(url: place)).trailers, fields)
        let (chunks, source) = AsyncStream.makeStream(of: Data.self)
        let streaming = ClosureTransport { _, _ in
            let response = TransportResponse(response: .made(200), chunks: chunks)
            source.yield(Data("a".utf8))
            response.trailers = fields
            source.finish()
            return response
        }
        let response = try await NetworkClient(transport: streaming).stream(URLRequest(url: place))
        expect(try await response.item.data(limit: 10), Data("a".utf8))
        expect(response.trailers, fields)
    }

    @Test(arguments: [false, true])
    func theLogAndTheArchiveShowTrailersMasked(isStreamed: Bool) async throws {
        let stub = StubTransport()
        let secret = HeaderField.custom(name: "Authorization", value: "Bearer s3cretV4lue")
        let sum = HeaderField.custom(name: "X-Sum", value: "1")
        stub.on(.any, .chunks([Data("a".utf8)]).adding(trailer: secret).adding(trailer: sum))
        let recorder = HARRecorder(wrapping: stub)
        let stream = RecordingStream()
        let logger: any NetworkLogger = .default(logLevel: [.status, .headers], logStream: stream)
        let client = NetworkClient(transport: recorder, logging: logger)
        let request = URLRequest(url: url("https://h/"))
        if isStreamed {
            _ = try await client.stream(request).item.data(limit: 10)
        } else {
            try await client.fetch(request: request)
        }
        let log = stream.messages.joined(separator: "\n")
        // The log of a stream that the caller reads ends with its head.
        #expect(log.contains("  trailer Authorization: ***\n  trailer X-Sum: 1") == !isStreamed, "\(log)")
        let archive = try recorder.archive
        let text = String(decoding: archive, as: UTF8.self)
        #expect(text.contains("_trailers") && !text.contains("s3cretV4lue"), "\(text)")
        let replayed = NetworkClient(transport: try StubTransport(har: archive), logging: .off)
        let trailers = try await replayed.fetch(request: request).trailers
        expect(Self.lines(trailers), ["Authorization: ***", "X-Sum: 1"])
    }

    @Test func aStoredResponseHasNeitherTrailersNorTheTimeOfItsServer() async throws {
        let stub = StubTransport()
        stub.on(
            .any,
            .text("a").adding(header: .custom(name: "Cache-Control", value: "max-age=60"))
                .adding(header: .custom(name: "Server-Timing", value: "app;dur=5"))
                .adding(trailer: .custom(name: "X-Sum", value: "1"))
        )
        let client = NetworkClient(transport: stub, logging: .off, configuration: .init(cache: ResponseCache()))
        for (status, count) in [(CacheStatus.network, 1), (.fresh, 0)] {
            let response = try await client.fetch(request: URLRequest(url: url("https://h/")), as: Data.self)
            expect(response.cacheStatus, status)
            expectAll((response.trailers.count, response.metrics?.serverTimings.count ?? 0), (count, count))
        }
        expect(stub.requests.count, 1)
    }

    // MARK: - Server-Timing

    @Test(arguments: [
        ("db;dur=53", [ServerTiming(name: "db", duration: 0.053)]),
        (
            "miss, db;desc=\"a, b; \\\"c\\\"\";dur=1 , app; dur = 2;x",
            [
                ServerTiming(name: "miss"), ServerTiming(name: "db", duration: 0.001, description: "a, b; \"c\""),
                ServerTiming(name: "app", duration: 0.002),
            ]
        ),
        ("a;DUR=1;dur=2;desc=x;desc=y", [ServerTiming(name: "a", duration: 0.001, description: "x")]),
        ("a;dur=x, b;dur=1e999, c;dur, d;dur=", ["a", "b", "c", "d"].map { ServerTiming(name: $0) }),
        ("", []), (",;,", []), ("a b;dur=1, \"c\";dur=1", []),
        (
            "a;desc=\"open, b",
            [
                ServerTiming(name: "a", description: "open, b")
            ]
        ),
    ])
    func theFieldsOfServerTimingAreRead(value: String, expected: [ServerTiming]) {
        expect(ServerTiming.timings(in: [value]), expected)
    }

    @Test(arguments: [false, true])
    func theMetricsHaveWhatTheServerSaysOfItsTime(isStreamed: Bool) async throws {
        let stub = StubTransport()
        stub.on(
            .any,
            .text("a").adding(header: .custom(name: "server-timing", value: "cache;desc=hit"))
                .adding(header: .custom(name: "Server-Timing", value: "app;dur=5"))
                .adding(trailer: .custom(name: "Server-Timing", value: "total;dur=7"))
        )
        let client = NetworkClient(transport: stub, logging: .off)
        let request = URLRequest(url: url("https://h/"))
        let head = [ServerTiming(name: "cache", description: "hit"), ServerTiming(name: "app", duration: 0.005)]
        let all = head + [ServerTiming(name: "total", duration: 0.007)]
        guard isStreamed else {
            let response = try await client.fetch(request: request)
            expect(response.metrics?.serverTimings, all)
            return
        }
        let response = try await client.stream(request)
        expect(response.metrics?.serverTimings, head)
        _ = try await response.item.data(limit: 10)
        expect(response.metrics?.serverTimings, all)
    }
}
