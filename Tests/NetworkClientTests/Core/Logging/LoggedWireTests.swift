import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The log of a client has one record for each exchange as it is sent, also with features that change or repeat it.
struct LoggedWireTests {
    static func client(
        _ transport: TransportUnderTest,
        _ stream: RecordingStream,
        _ level: NetworkLoggingLevel = .status,
        interceptors: [any InterceptorProtocol] = [],
        configuration: NetworkClient.Configuration = .init()
    ) throws -> NetworkClient {
        NetworkClient(
            transport: try transport.transport(),
            interceptors: interceptors,
            logging: DefaultLogger(tag: "", logStream: stream, requestLevel: level, responseLevel: level),
            configuration: configuration
        )
    }

    private static let authorizing = ClosureInterceptor { request, next in
        try await next(request.setting(header: .authorisation(auth: "s3cr3t")))
    }

    @Test(.spec(191), arguments: TransportUnderTest.all)
    func aRequestOfWhichNoByteReachedAServerIsLoggedAsNotSent(transport: TransportUnderTest) async throws {
        let stream = RecordingStream()
        let port = try RefusingPort()
        let client = try Self.client(transport, stream)
        let error = await #expect(throws: NetworkClient.Error.self) { try await client.fetch(.get(url: port.url)) }
        let record = "GET \(port.url) failed (not sent): \(error?.description ?? "")"
        expect(stream.messagesWithoutDuration, [record])
    }

    @Test(.spec(191), arguments: TransportUnderTest.all)
    func aRedirectIsLoggedHopByHopWithTheFieldsOfEachHop(transport: TransportUnderTest) async throws {
        let stream = RecordingStream()
        let other = try LoopbackServer { _ in .json("1") }
        let server = try LoopbackServer(routes: [
            "/a": .redirect(to: "/b", headers: ["Set-Cookie": "sid=s3cr3t; Path=/"]),
            "/b": .redirect(to: other.url("/c").absoluteString),
        ])
        let client = try Self.client(
            transport,
            stream,
            [.status, .headers],
            interceptors: [Self.authorizing],
            configuration: .init(cookies: CookieStore())
        )
        let request = URLRequest.post(url: server.url("/a")).noBody().build()
        try await client.fetch(request: request)
        let records = stream.messages
        try #require(records.count == 6)
        #expect(records[0].hasPrefix("POST \(server.url("/a"))\n") && records[0].contains("Authorization: ***"))
        expect(records[0], lacks: "Cookie")
        #expect(records[1].hasPrefix("POST \(server.url("/a")) → 302 in "))
        #expect(records[2].hasPrefix("GET \(server.url("/b"))\n") && records[2].contains("Authorization: ***"))
        expect(records[2], contains: "Cookie: ***")
        #expect(records[3].hasPrefix("GET \(server.url("/b")) → 302 in "))
        #expect(records[4].hasPrefix("GET \(other.url("/c"))") && !records[4].contains("Authorization"))
        #expect(records[5].hasPrefix("GET \(other.url("/c")) → 200 in "))
    }

    @Test(.spec(191), arguments: TransportUnderTest.all)
    func aCredentialThatIsConfinedToTheBaseURLIsNotInTheLogOfARequestElsewhere(
        transport: TransportUnderTest
    ) async throws {
        let stream = RecordingStream()
        let server = try LoopbackServer { _ in .json("1") }
        let client = try Self.client(
            transport,
            stream,
            .full,
            interceptors: [Self.authorizing],
            configuration: .init(baseURL: url("https://api.example.com"))
        )
        try await client.fetch(request: URLRequest(url: server.url("/a")))
        expect(stream.messages.count, 2)
        expect(stream.text, lacks: "Authorization")
    }

    @Test(.spec(153), arguments: TransportUnderTest.all)
    func aLoopOfRedirectsIsLoggedHopByHopAndThenAsAFailure(transport: TransportUnderTest) async throws {
        let stream = RecordingStream()
        let server = try LoopbackServer { _ in .redirect(to: "/a") }
        let client = try Self.client(transport, stream)
        _ = try? await client.fetch(request: URLRequest(url: server.url("/a")))
        let line = "GET \(server.url("/a"))"
        let failure = "The request to '\(server.url("/a"))' failed: there were more than 20 redirects."
        let records = stream.messagesWithoutDuration
        let hops = [String](repeating: "\(line) → 302", count: 21)
        expect(records, hops + ["\(line) failed: \(failure)"])
    }

    @Test(.spec(191), arguments: TransportUnderTest.all)
    func aSharedExchangeIsLoggedOnce(transport: TransportUnderTest) async throws {
        let stream = RecordingStream()
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .json("1", status: 404)] }
        let client = try Self.client(transport, stream)
        let request = URLRequest(url: server.url("/a")).withInstanceCaching()
        let calls = (0..<3).map { _ in Task { try await client.fetch(request: request) } }
        while client.sharing.waiterCount < 3 { await Task.yield() }
        gate.open()
        for call in calls { await #expect(throws: NetworkClient.Error.self) { try await call.value } }
        expect(stream.messagesWithoutDuration, ["GET \(server.url("/a")) → 404"])
    }

    @Test(.spec(191), arguments: TransportUnderTest.all)
    func aSharedExchangeIsLoggedAlsoIfTheCallThatBeganItIsCancelled(transport: TransportUnderTest) async throws {
        let stream = RecordingStream()
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .json("1")] }
        let client = try Self.client(transport, stream)
        let request = URLRequest(url: server.url("/a")).withInstanceCaching()
        let first = Task { try await client.fetch(request: request) }
        try await server.waitForHeads(count: 1)
        let second = Task { try await client.fetch(request: request) }
        while client.sharing.waiterCount < 2 { await Task.yield() }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        gate.open()
        _ = try await second.value
        expect(stream.messagesWithoutDuration, ["GET \(server.url("/a")) → 200"])
    }

    @Test(.spec(191)) func aSharedExchangeIsLoggedAlsoIfTheCallThatBeganItHasTimedOut() async throws {
        let stream = RecordingStream()
        let gate = Gate()
        let client = NetworkClient(
            transport: ClosureTransport { _ in
                try await gate.wait()
                return (Data(), .made(302, headers: ["Location": "ftp://h/"]))
            },
            logging: DefaultLogger(tag: "", logStream: stream)
        )
        let request = URLRequest(url: url("http://h/a")).withInstanceCaching()
        let first = Task { try await client.fetch(request: request, options: CallOptions(attemptTimeout: 1)) }
        while client.sharing.waiterCount < 1 { await Task.yield() }
        let second = Task { try await client.fetch(request: request) }
        await #expect(throws: NetworkClient.Error.self) { try await first.value }
        gate.open()
        await #expect(throws: NetworkClient.Error.self) { try await second.value }
        let records = stream.messagesWithoutDuration
        try #require(records.count == 3)
        #expect(records[0].hasSuffix("failed: it took longer than its attempt timeout of 1 s."))
        #expect(records[1] == "GET http://h/a → 302" && records[2].hasSuffix("which is not HTTP: 'ftp://h/'."))
    }

    @Test(.spec(153), arguments: TransportUnderTest.all)
    func aCallThatCancelAllEndsIsLoggedAsCancelled(transport: TransportUnderTest) async throws {
        let stream = RecordingStream()
        let never = Gate()
        let server = try LoopbackServer { _ in [.wait(never, orPeerClose: true), .close] }
        let client = try Self.client(transport, stream)
        let request = URLRequest(url: server.url("/a"))
        let calls = [request, request.withInstanceCaching()].map { request in
            Task { try await client.fetch(request: request) }
        }
        try await server.waitForHeads(count: 2)
        client.cancelAll()
        for call in calls { await #expect(throws: CancellationError.self) { try await call.value } }
        // The exchange that is shared ends after its callers.
        try await withDeadline("the records") { while stream.messages.count < 2 { await Task.yield() } }
        expect(stream.messagesWithoutDuration, Array(repeating: "GET \(server.url("/a")) cancelled", count: 2))
    }

    @Test(.spec(83, 153), arguments: [true, false])
    func aBodyThatCannotBeDecodedIsAWarningAfterItsResponse(hasOwnLogger: Bool) async throws {
        let stream = RecordingStream()
        let transport = StubTransport()
        transport.on(.any, .status(503), .json(text: #"{"posts": [{"title": "secret"}, {"title": 7}]}"#))
        let logger = DefaultLogger(tag: "", logStream: stream)
        let client = NetworkClient(
            transport: transport,
            interceptors: [.retry()],
            logging: hasOwnLogger ? .off : logger,
            configuration: .init(baseURL: url("http://h/v1"), time: TestClock(advancesItself: true))
        )
        struct Posts: Decodable { var posts: [[String: String]] }
        let request = URLRequest.get(url: url("a?token=secret")).build().withInstanceCaching()
        await #expect(throws: NetworkClient.Error.self) {
            let options = CallOptions(logging: hasOwnLogger ? logger : nil)
            let _: NetworkClient.Response<Posts> = try await client.fetch(request: request, options: options)
        }
        let place = "http://h/v1/a"
        let reason = "cannot be decoded: the value at 'posts[1].title' is not of the type expected, String."
        expect(
            stream.messagesWithoutDuration,
            [
                "GET \(place)?token=*** → 503", "GET \(place)?token=*** is sent again, after response 503",
                "GET \(place)?token=*** → 200 (attempt 2)",
                "GET \(place)?token=*** failed (attempt 2): The response 200 of '\(place)' \(reason)",
            ]
        )
        expect(stream.records.map(\.type), [.warning, .info, .info, .warning])
    }

    @Test(.spec(191)) func aClientWithALoggingInterceptorAndALoggerLogsOnce() async throws {
        final class OwnLogger: NetworkLogger {
            let stream = RecordingStream()
            func log(_ message: String, for part: NetworkLoggingType, type: LogType) { stream.log(message, for: type) }
        }
        let (stream, own) = (RecordingStream(), OwnLogger())
        let request = URLRequest(url: url("http://h/a"))
        let transport = ClosureTransport(json: "1")
        let withDefaults = NetworkClient(
            transport: transport,
            interceptors: [.logging(logStream: stream)],
            logging: .default(logStream: stream)
        )
        let withOwn = NetworkClient(transport: transport, interceptors: [.logging(own)], logging: own)
        for client in [withDefaults, withOwn] { try await client.fetch(request: request) }
        expectAll((stream.messages.count, own.stream.messages.count), (1, 1))
        #expect(DefaultLogger().repeats(DefaultLogger()) && !DefaultLogger().repeats(own))
        let alone = NetworkClient(transport: transport, interceptors: [.logging(logStream: stream)])
        try await alone.fetch(request: request)
        expect(stream.messages.count, 2)
    }

    @Test(.spec(184)) func sensitiveHeadersOfTheConfigurationAreMaskedInTheLogAndInExports() async throws {
        final class Exporting: NetworkLogger {
            let stream = RecordingStream()
            let redaction: LogRedaction
            init(_ redaction: LogRedaction) { self.redaction = redaction }
            var requestLevel: NetworkLoggingLevel { .full }
            var formatter: NetworkLogFormatter { NetworkLogFormatter(redaction: redaction) }
            func log(_ message: String, for part: NetworkLoggingType, type: LogType) { stream.log(message, for: type) }
            func log(_ event: NetworkLogEvent) {
                stream.log(formatter.text(of: event, requestLevel: .full, responseLevel: .full) ?? "")
                stream.log(event.curlCommand(redaction: redaction))
            }
        }
        let request = URLRequest(url: url("http://h/")).setting(header: .custom(name: "X-Tenant", value: "acme"))
        for (redaction, isShown) in [
            (LogRedaction.sensitive, false), (.allowing(["accept"]), false), (.sensitive.showing(["x-tenant"]), true),
            (.showingEverything, true),
        ] {
            let logger = Exporting(redaction)
            let client = NetworkClient(
                transport: ClosureTransport(headers: ["x-tenant": "acme"]),
                logging: logger,
                configuration: .init(sensitiveHeaders: ["X-TENANT"])
            )
            try await client.fetch(request: request)
            expect(logger.stream.messages.count, 4)
            #expect(logger.stream.messages.allSatisfy { $0.contains("acme") == isShown })
        }
    }

    @Test(arguments: TransportUnderTest.all)
    func loggingKeepsTheMetricsAndFieldsOfTheExchange(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer(routes: ["/a": .redirect(to: "/b"), "/b": .json("1")])
        var redirects: [Int?] = []
        for level in [NetworkLoggingLevel.off, .full] {
            let client = try Self.client(transport, RecordingStream(), level)
            let response = try await client.fetch(request: URLRequest(url: server.url("/a")))
            redirects.append(response.metrics?.redirects)
            redirects.append(response.httpResponse.metrics?.redirects)
        }
        expect(redirects[0], 1)
        expect(Array(redirects[..<2]), Array(redirects[2...]))
    }
}
