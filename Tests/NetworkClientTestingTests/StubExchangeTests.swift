import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient
@testable import NetworkClientTesting

/// What a client sees of an exchange with a stub: as with a network.
struct StubExchangeTests {
    private let clock = TestClock(advancesItself: true)
    private let request = URLRequest(url: url("https://api.example.com/a"))

    private func client(
        _ responses: StubTransport.Response...,
        clock: TestClock? = nil
    ) -> (NetworkClient, StubTransport) {
        let clock = clock ?? self.clock
        let transport = StubTransport(time: clock)
        for response in responses { transport.on(.any, response) }
        return (NetworkClient(transport: transport, configuration: .init(time: clock)), transport)
    }

    private func failure(of operation: () async throws -> Void) async -> TransportError? {
        let error = await #expect(throws: NetworkClient.Error.self) { try await operation() }
        guard case .requestError(let failure) = error else { return nil }
        return failure
    }

    private func reason(of operation: () async throws -> Void) async -> TransportError.Reason? {
        await failure(of: operation)?.reason
    }

    /// The timeout of an exchange that failed because of a limit.
    private func timeout(because detail: String) -> TransportError {
        TransportError(.timedOut, request: request, detail: detail)
    }

    @Test(arguments: [
        TransportError.Reason.connectionLost, .connectionRefused, .offline, .nameNotResolved, .timedOut,
        .secureConnectionFailed,
    ])
    func aFaultIsThatOfARealTransport(reason: TransportError.Reason) async throws {
        let (client, _) = client(.failure(reason).delayed(by: 3))
        expect(await self.reason { try await client.fetch(request: request) }, reason)
        expect(clock.sleeps, [3])
    }

    @Test func aBodyThatBreaksOffIsALostConnection() async throws {
        let (client, _) = client(.text("Hello, World!").breakingOff(after: 5))
        expect(await reason { try await client.fetch(request: request) }, .connectionLost)
        let stream = try await client.stream(request)
        var received = Data()
        let failure = await reason {
            for try await chunk in stream.item { received.append(chunk) }
        }
        expect(failure, .connectionLost)
        expect(received, Data("Hello".utf8))
    }

    @Test func aBodyThatBreaksOffWaitsForNoFurtherChunk() async throws {
        let chunks = (1...3).map { Data("chunk \($0)".utf8) }
        let (client, _) = client(.chunks(chunks, every: 30).breakingOff(after: 10))
        expect(await reason { try await client.fetch(request: request) }, .connectionLost)
        expect(clock.sleeps.reduce(0, +), 30)
    }

    @Test func anEmptyChunkDoesNotEndTheTimeWithoutAByte() async throws {
        let (client, _) = client(.chunks([Data("a".utf8), Data(), Data("b".utf8)], every: 3))
        for (timeout, expected) in [(5.0, TransportError.Reason.timedOut), (7, nil)] {
            let options = CallOptions(idleTimeout: timeout)
            do {
                try await client.fetch(request: request, options: options)
                expect(expected, nil)
            } catch NetworkClient.Error.requestError(let failure) {
                expect(failure.reason, expected)
            }
        }
    }

    @Test(arguments: [-1, 0, 13, 99]) func aBodyBreaksOffAtMostAtItsEnd(count: Int) async throws {
        let response = StubTransport.Response.text("Hello, World!").breakingOff(after: count, with: .malformedResponse)
        let (client, _) = client(response)
        expect(await reason { try await client.fetch(request: request) }, .malformedResponse)
    }

    @Test func aStreamedBodyArrivesInChunks() async throws {
        let (client, _) = client(
            .chunks([Data("ab".utf8), Data(), Data("c".utf8)], every: 4, type: "text/plain; charset=utf-8")
        )
        let stream = try await client.stream(request)
        var received = Data()
        for try await chunk in stream.item { received.append(chunk) }
        expect(received, Data("abc".utf8))
        expect(clock.now, 8)
        expect(stream["content-length"], nil)
        let whole: NetworkClient.Response<String> = try await client.fetch(request: request)
        expect(whole.item, "abc")
    }

    @Test(.spec(127)) func aDownloadHasTheLengthThatAStubStates() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let source = try directory.file("data.json", "[1,2,3]")
        let (client, _) = client(try .file(at: source))
        let destination = directory.url.appendingPathComponent("copy")
        let download = client.download(request, to: destination)
        var totals: Set<Int?> = []
        for await progress in download.progress { totals.insert(progress.total) }
        expect(try await download.value.httpResponse.value(forHTTPHeaderField: "Content-Type"), "application/json")
        expect(try Data(contentsOf: destination), Data("[1,2,3]".utf8))
        #expect(totals.contains(7))
    }

    @Test func aMissingFileIsAnErrorThatNamesIt() throws {
        let directory = try TemporaryDirectory()
        let missing = directory.url.appendingPathComponent("missing.json")
        #expect(throws: BodySourceError.fileMissing(url: missing)) { try StubTransport.Response.file(at: missing) }
        expect(BodySourceError.fileMissing(url: missing).description, contains: "'\(missing.path)'")
        #expect(throws: BodySourceError.notARegularFile(url: directory.url)) {
            try StubTransport.Response.file(at: directory.url)
        }
    }

    @Test func aResponseToHEADHasNoBody() async throws {
        let (client, _) = client(.text("Hello").breakingOff(after: 1))
        var head = request
        head.method = .head
        let response: NetworkClient.Response<Data> = try await client.fetch(request: head)
        expect(response.item, Data())
        expect(response["Content-Length"], "5")
    }

    @Test(arguments: [204, 304]) func aStatusWithoutABodyHasNone(status: Int) async throws {
        let (client, _) = client(.text("Hello", status: status))
        let options = CallOptions(acceptedStatuses: .successful.and(304))
        let response: NetworkClient.Response<Data> = try await client.fetch(request: request, options: options)
        expect(response.item, Data())
        expect(response["Content-Length"], nil)
    }

    @Test(.spec(135, 186)) func theBodyLimitHoldsForStubs() async throws {
        let (client, transport) = client(.chunks([Data("123".utf8), Data("456".utf8)]))
        let options = CallOptions(bodyLimit: 5)
        expect(await reason { try await client.fetch(request: request, options: options) }, .bodyTooLarge)
        let exact: NetworkClient.Response<Data> = try await client.fetch(
            request: request,
            options: CallOptions(bodyLimit: 6)
        )
        expect(exact.item.count, 6)
        transport.on(.any, .text("123456", status: 500))
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(request: request, options: options)
        }
        expect(error?.statusCode, 500)
        expect(error?.data, Data("12345".utf8))
    }

    @Test(.spec(146)) func theTimeoutWithoutAByteIsOnTheClock() async throws {
        let (client, _) = client(.chunks([Data("a".utf8), Data("b".utf8)], every: 5).delayed(by: 4))
        var request = request
        request.timeoutInterval = 5
        let timeout = timeout(because: "no byte was sent or received within its idle timeout of 5 s")
        expect(await failure { try await client.fetch(request: request) }, timeout)
        expect(clock.sleeps, [4, 5])
        request.timeoutInterval = 5.5
        try await client.fetch(request: request)
        expect(clock.sleeps, [4, 5, 4, 5])
    }

    @Test(.spec(146)) func theExchangeTimeoutIsOnTheClock() async throws {
        let (client, _) = client(.chunks([Data("a".utf8), Data("b".utf8)], every: 5).delayed(by: 4))
        let options = CallOptions(attemptTimeout: 7)
        let timeout = timeout(because: "it took longer than its attempt timeout of 7 s")
        expect(await failure { try await client.fetch(request: request, options: options) }, timeout)
        expect(clock.sleeps, [4, 3])
        let stream = try await client.stream(request, options: options)
        expect(await failure { for try await _ in stream.item {} }, timeout)
        expect(clock.sleeps, [4, 3, 4, 3])
    }

    @Test(.spec(203)) func theTimeOfAComputationOnTheClockIsPartOfTheLimits() async throws {
        let (client, transport) = client()
        let clock = clock
        transport.on(.any) { _ in
            try await clock.sleep(seconds: 40)
            return .status(200).delayed(by: 30)
        }
        let timeout = timeout(because: "no byte was sent or received within its idle timeout of 60 s")
        expect(await failure { try await client.fetch(request: request) }, timeout)
        expect(clock.sleeps, [40, 20])
        try await client.fetch(request: request, options: CallOptions(idleTimeout: 71))
    }

    @Test(.spec(146)) func theExchangeTimeoutIsForAllHopsOfARedirect() async throws {
        let (client, transport) = client(.status(200).delayed(by: 4))
        transport.on(.path("/a"), .status(302).setting(header: .custom(name: "Location", value: "/b")).delayed(by: 4))
        let options = CallOptions(attemptTimeout: 7)
        expect(await reason { try await client.fetch(request: request, options: options) }, .timedOut)
        expect(clock.sleeps, [4, 3])
        expect(transport.requests.map(\.path), ["/a", "/b"])
    }

    @Test func aResponseThatNeverComesTimesOut() async throws {
        let (client, _) = client(.never)
        expect(await reason { try await client.fetch(request: request) }, .timedOut)
        expect(clock.sleeps, [60])
    }

    @Test(.spec(123), arguments: [true, false])
    func aCancellationEndsTheDelayOfAStub(all: Bool) async throws {
        let clock = TestClock()
        let (client, transport) = client(.json(text: "1").delayed(by: 20), clock: clock)
        let call = Task { [request] in try await client.fetch(request: request) }
        try await transport.waitForRequests(count: 1)
        try await clock.waitForSleepers()
        if all { client.cancelAll() } else { call.cancel() }
        await #expect(throws: CancellationError.self) { try await withDeadline { try await call.value } }
        expect(client.calls.count, 0)
    }

    @Test(.spec(123), arguments: [true, false])
    func aCancellationEndsTheComputationOfAResponse(all: Bool) async throws {
        let (client, transport) = client()
        let started = Gate()
        transport.on(.any) { _ in
            started.open()
            try await Gate().wait()
            return .status(200)
        }
        let call = Task { [request] in try await client.fetch(request: request) }
        try await started.wait()
        if all { client.cancelAll() } else { call.cancel() }
        await #expect(throws: CancellationError.self) { try await withDeadline { try await call.value } }
    }

    @Test(.spec(138)) func leavingTheLoopOverAStreamedStubStopsIt() async throws {
        let clock = TestClock()
        let (client, _) = client(.chunks([Data("a".utf8), Data("b".utf8)], every: 5), clock: clock)
        let stream = try await client.stream(request)
        for try await _ in stream.item {
            try await clock.waitForSleepers()
            break
        }
        try await withDeadline { while clock.sleeperCount > 0 { await Task.yield() } }
    }

    @Test(.spec(126)) func aCallWithAStubRunsInTheCallersTask() {
        #expect(StubTransport() as any Transport is any ScopedTransport)
    }

    @Test(.spec(115)) func identicalCallsShareTheExchangeWithAStub() async throws {
        let clock = TestClock()
        let (client, transport) = client(.json(text: "1").delayed(by: 1), clock: clock)
        let shared = request.withInstanceCaching()
        let calls = (1...3).map { _ in
            Task { () -> Int in
                let response: NetworkClient.Response<Int> = try await client.fetch(request: shared)
                return response.item
            }
        }
        try await clock.waitForSleepers()
        while client.sharing.waiterCount < 3 { await Task.yield() }
        clock.advance(by: 1)
        for call in calls { expect(try await call.value, 1) }
        expect(transport.requests.count, 1)
    }

    @Test(.spec(163, 165)) func redirectsOfAStubAreFollowed() async throws {
        let (client, transport) = client()
        transport.on(.any, .status(200))
        let location = HeaderField.custom(name: "Location", value: "/b")
        let replaced = HeaderField.custom(name: "location", value: "/x")
        transport.on(.post("/a"), .status(303).setting(header: replaced).setting(header: location))
        try await client.fetch(request: URLRequest.post(url: url("https://h/a")).bodyText("x").build())
        expect(transport.requests.map(\.description), ["POST /a", "GET /b"])
    }

    @Test func repeatedFieldsOfAStubStaySeparate() async throws {
        let cookies = ["a=1", "b=2"].map { HeaderField.custom(name: "Set-Cookie", value: $0) }
        let (client, _) = client(.status(200).adding(header: cookies[0]).adding(header: cookies[1]))
        let response = try await client.fetch(request: request)
        expect(response.fields.values(named: "set-cookie"), ["a=1", "b=2"])
    }

    @Test func aResponseShowsNeitherFieldsNorBody() {
        let response = StubTransport.Response.text("s3cret").adding(
            header: .custom(name: "Set-Cookie", value: "s3cret")
        )
        var dumped = ""
        dump(response, to: &dumped)
        expect(dumped, lacks: "s3cret")
        expect("\(response)", "status 200")
        expect("\(StubTransport.Response.failure(.offline))", "failure")
    }
}
