import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct CallReportTests {
    private let request = URLRequest(url: url("https://api.example.com/items"))

    private func client(
        _ reports: Recorder<CallReport>,
        status: Int = 200,
        json: String = "7",
        interceptors: [any InterceptorProtocol] = []
    ) -> NetworkClient {
        NetworkClient(
            transport: ClosureTransport(status: status, json: json),
            interceptors: interceptors,
            configuration: .init(observer: { reports.record($0) })
        )
    }

    @Test(.spec(92)) func eachCallIsReportedOnceWithItsOutcome() async throws {
        let reports = Recorder<CallReport>()
        let item: NetworkClient.Response<Int> = try await client(reports).fetch(request: request)
        expect(item.item, 7)
        await #expect(throws: NetworkClient.Error.self) {
            try await client(reports, status: 404).fetch(request: request)
        }
        await #expect(throws: NetworkClient.Error.self) {
            let _: NetworkClient.Response<[String]> = try await client(reports).fetch(request: request)
        }
        let values = reports.values
        expect(values.count, 3)
        expect(values.map { $0.error == nil }, [true, false, false])
        expect(values.map { $0.response?.statusCode }, [200, 404, 200])
        expect(values.map(\.isCancelled), [false, false, false])
        #expect(values.allSatisfy { $0.request == request && $0.duration >= 0 })
        expect(values.map(\.journey.attempts), [1, 1, 1])
        expect(values[1].journey.steps.map(\.kind), [.attempt, .response])
    }

    @Test(.spec(89, 92)) func aReportHasTheResponseOfAnErrorThatWasReplaced() async throws {
        struct Missing: Error {}
        let reports = Recorder<CallReport>()
        let options = CallOptions(errorMapper: [404: Missing()])
        await #expect(throws: Missing.self) {
            try await client(reports, status: 404).fetch(request: request, options: options)
        }
        expect(reports.values.map { $0.response?.statusCode }, [404])
    }

    @Test(.spec(94)) func theTextOfAReportHasNoSecret() async throws {
        let reports = Recorder<CallReport>()
        var request = URLRequest.post(url: url("https://u:s3cret@h/a?token=s3cret")).bodyText("s3cret").build()
        request.set(header: .authorization(.bearer("s3cret")))
        try await client(reports).fetch(request: request)
        let report = try #require(reports.values.first)
        var dumped = ""
        dump(report, to: &dumped)
        for text in ["\(report)", String(reflecting: report), dumped] { expect(text, lacks: "s3cret") }
        #expect("\(report)".hasPrefix("POST https://h/a: 200\n"))
    }

    @Test(.spec(92), arguments: [true, false])
    func aCancelledCallIsReportedAsCancelled(hasInterceptor: Bool) async throws {
        let reports = Recorder<CallReport>()
        let arrived = Gate()
        let client = NetworkClient(
            transport: ClosureTransport { _ in
                arrived.open()
                try await Gate().wait()
                return (Data(), .made())
            },
            interceptors: hasInterceptor ? [.noOp] : [],
            configuration: .init(observer: { reports.record($0) })
        )
        let call = Task { try await client.fetch(request: request) }
        try await arrived.wait()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await call.value } }
        expect(reports.values.map(\.isCancelled), [true])
        expect(reports.values.first?.journey.steps.map(\.kind), [.attempt, .failure])
    }

    @Test(.spec(92), arguments: TransportUnderTest.all)
    func uploadsDownloadsAndStreamsAreReportedOnce(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer(routes: ["/ok": .json("7"), "/no": .respond(status: 500)])
        let reports = Recorder<CallReport>()
        let client = try transport.client(configuration: .init(observer: { reports.record($0) }))
        let directory = try TemporaryDirectory()
        for path in ["/ok", "/no"] {
            let request = URLRequest(url: server.url(path))
            _ = try? await client.upload(request).value
            _ = try? await client.download(request, to: directory.url.appendingPathComponent("f")).value
            if let stream = try? await client.stream(request) { _ = try await stream.item.data() }
        }
        // A file that does not exist fails the call before anything is sent.
        _ = try? await client.upload(request: request, file: directory.url.appendingPathComponent("none")).value
        expect(reports.values.map { $0.error == nil }, [true, true, true, false, false, false, false])
        expect(reports.values.map { $0.response?.statusCode }, [200, 200, 200, 500, 500, 500, nil])
    }

    @Test(.spec(92), arguments: TransportUnderTest.all)
    func aStreamIsReportedOnceWhenItsBodyHasEndedOrFailed(transport: TransportUnderTest) async throws {
        let (hasHead, reports, clock) = (Gate(), Recorder<CallReport>(), TestClock())
        let server = try LoopbackServer { request in
            let end: Script = request.path == "/whole" ? .send("world") : .close
            return [.respond(length: .stated(10), body: "hello"), .wait(hasHead), end]
        }
        let client = try transport.client(configuration: .init(time: clock, observer: { reports.record($0) }))
        let whole = try await client.stream(URLRequest(url: server.url("/whole")))
        let broken = try await client.stream(URLRequest(url: server.url("/broken")))
        expect(reports.count, 0)
        clock.advance(by: 3)
        hasHead.open()
        expect(try await whole.item.text(), "helloworld")
        expect(reports.values.map { $0.error == nil }, [true])
        let error = await #expect(throws: NetworkClient.Error.self) { try await broken.item.data() }
        let report = try #require(reports.values.last)
        expectAll((reports.count, report.error as? NetworkClient.Error, report.isCancelled), (2, error, false))
        expectAll((report.response?.statusCode, report.duration), (200, 3))
        expectAll((report.request.url, report.journey.attempts), (server.url("/broken"), 1))
        broken.item.cancel()
        expect(reports.count, 2)
    }

    /// The ways to leave a body before its end.
    enum Leaving: CaseIterable {
        case cancel, loop, release, cancelAll
    }

    @Test(.spec(92, 126), arguments: TransportUnderTest.all, Leaving.allCases)
    func aStreamThatIsLeftIsReportedOnceAsCancelled(transport: TransportUnderTest, leaving: Leaving) async throws {
        let (never, reports) = (Gate(), Recorder<CallReport>())
        let server = try LoopbackServer { _ in [.respond(length: .stated(10), body: "hello"), .wait(never)] }
        let client = try transport.client(configuration: .init(observer: { reports.record($0) }))
        var response: NetworkClient.Response<ResponseBody>? = try await client.stream(
            URLRequest(url: server.url)
        )
        expect(reports.count, 0)
        switch leaving {
        case .cancel: response?.item.cancel()
        case .loop: if let body = response?.item { for try await _ in body { break } }
        case .release: response = nil
        case .cancelAll:
            client.cancelAll()
            await #expect(throws: CancellationError.self) { try await response?.item.data() }
        }
        expect(reports.values.map(\.isCancelled), [true])
        response = nil
        expect(reports.count, 1)
        never.open()
    }

    @Test(.spec(92)) func aStreamThatIsTooLongForItsReaderIsReportedWithTheErrorOfTheReader() async throws {
        let reports = Recorder<CallReport>()
        let server = try LoopbackServer { _ in .respond(body: "hello") }
        let client = NetworkClient(configuration: .init(observer: { reports.record($0) }))
        let response = try await client.stream(URLRequest(url: server.url))
        let error = await #expect(throws: NetworkClient.Error.self) { try await response.item.data(limit: 2) }
        expect(reports.values.map { $0.error as? NetworkClient.Error }, [error])
    }

    @Test func aStreamWhoseBytesWereAllReadIsNoCancellationForItsReaderToLeave() async throws {
        let reports = Recorder<CallReport>()
        let server = try LoopbackServer { _ in .respond(body: "hello") }
        let client = NetworkClient(configuration: .init(observer: { reports.record($0) }))
        let response = try await client.stream(URLRequest(url: server.url))
        var count = 0
        for try await chunk in response.item {
            count += chunk.count
            if count == 5 { break }
        }
        expect(reports.values.map { $0.error == nil }, [true])
    }

    @Test(.spec(92)) func readersGetTheReportsOfCallsThatEndLater() async throws {
        let client = NetworkClient(transport: ClosureTransport(status: 500, json: "{}"))
        _ = try? await client.fetch(request: request)
        let (first, second) = (client.reports, client.reports)
        for _ in 0..<2 { _ = try? await client.fetch(request: request) }
        for reports in [first, second] {
            var iterator = reports.makeAsyncIterator()
            expect(await iterator.next()?.response?.statusCode, 500)
            expect(await iterator.next()?.response?.statusCode, 500)
        }
    }

    @Test func theReportsEndWithTheClient() async throws {
        var client: NetworkClient? = NetworkClient(transport: ClosureTransport(json: "{}"))
        let reports = try #require(client?.reports)
        try await client?.fetch(request: request)
        client = nil
        let count = try await withDeadline {
            var count = 0
            for await _ in reports { count += 1 }
            return count
        }
        expect(count, 1)
    }

    @Test func aRefusedCallThatWasReportedIsNotKeptInMemory() async throws {
        weak var clock: TestClock?
        do {
            let time = TestClock()
            clock = time
            let configuration = NetworkClient.Configuration(time: time, observer: { _ in })
            let client = NetworkClient(transport: ClosureTransport(status: 404), configuration: configuration)
            await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
        }
        #expect(clock == nil)
    }

    /// A body that its request keeps alive.
    private final class Body: BodySource {
        let length = 1

        func open() -> any BodyReader { DataBodySource(Data("a".utf8)).open() }
    }

    @Test(.spec(204)) func reportsThatNobodyReadsHoldNoBodies() async throws {
        let text = "\"\(String(repeating: "x", count: 100_000))\""
        let client = NetworkClient(transport: ClosureTransport(status: 200, json: text))
        let reports = client.reports
        weak var sent: Body?
        do {
            let body = Body()
            sent = body
            var upload = request
            upload.httpMethod = "POST"
            upload.httpBodyStream = BodyInputStream(source: body)
            try await client.fetch(request: upload)
        }
        #expect(sent == nil)
        await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(request: request, options: CallOptions(acceptedStatuses: [201]))
        }
        await #expect(throws: NetworkClient.Error.self) {
            let _: NetworkClient.Response<Int> = try await client.fetch(request: request)
        }
        var iterator = reports.makeAsyncIterator()
        let first = await iterator.next()
        expectAll((first?.request.httpBody, first?.request.httpBodyStream), (nil, nil))
        for _ in 1...2 {
            let error = await iterator.next()?.error as? NetworkClient.Error
            expect(error?.data?.count, 4_096)
            expect(error?.response?.statusCode, 200)
        }
    }

    @Test(.spec(204)) func theReportOfAFailedRefreshHasTheResponseThatRefusedTheToken() async throws {
        let reports = Recorder<CallReport>()
        let session = TokenSession(store: InMemoryCredentialStore(AccessToken("old"))) { _ in
            throw QueueFullError(place: nil, limit: 1)
        }
        let origin = url("https://api.example.com")
        let client = client(reports, status: 401, interceptors: [.authentication(.bearer(session), origins: [origin])])
        await #expect(throws: AuthenticationError.self) { try await client.fetch(request: request) }
        expect(reports.values.first?.response?.statusCode, 401)
        expect(reports.values.first?.description.contains("the credential could not be refreshed"), true)
    }

    @Test func aStubShowsTheJourneysOfCallsThatFailedBesideItsComplaints() async throws {
        let transport = StubTransport()
        transport.on(.get("/other"), .status(200))
        let client = NetworkClient(transport: transport, interceptors: [.retry()])
        await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
        expect(transport.failedCalls.count, 1)
        let text = transport.complaints.map(\.description).joined(separator: "\n")
        expect(text, contains: "GET https://api.example.com/items: ", " s  attempt 1")
    }

    @Test(.spec(191)) func aCallMayHaveItsOwnLogger() async throws {
        let lines = Recorder<String>()
        struct Lines: LogStream {
            let recorder: Recorder<String>
            func log(_ message: String, for type: LogType) { recorder.record(message) }
        }
        let client = NetworkClient(transport: ClosureTransport(json: "{}"))
        try await client.fetch(request: request)
        let logger = DefaultLogger(logStream: Lines(recorder: lines))
        try await client.fetch(request: request, options: CallOptions(logging: logger))
        #expect(lines.count > 0)
        let count = lines.count
        try await client.fetch(request: request, options: CallOptions(logging: .off))
        expect(lines.count, count)
        // An interceptor with the same destination logs nothing a second time.
        let twice = NetworkClient(transport: ClosureTransport(json: "{}"), interceptors: [.logging(logger)])
        let stream = RecordingStream()
        let own = DefaultLogger.default(logLevel: .status, logStream: stream)
        let both = NetworkClient(transport: ClosureTransport(json: "{}"), interceptors: [.logging(own)])
        try await both.fetch(request: request, options: CallOptions(logging: own))
        expect(stream.messages.count, 1)
        try await twice.fetch(request: request)
        #expect(lines.count > count)
    }
}
