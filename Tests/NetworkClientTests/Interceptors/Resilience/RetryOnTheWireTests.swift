import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct RetryOnTheWireTests {
    private let clock = TestClock(advancesItself: true)

    /// Starts a server that plays one script for each request, the last one again and again.
    private func server(_ scripts: Script...) throws -> LoopbackServer {
        let count = Locked(0)
        return try LoopbackServer { _ in
            let index = count.withLock { count in
                defer { count += 1 }
                return count
            }
            return scripts[min(index, scripts.count - 1)]
        }
    }

    private func client(_ transport: TransportUnderTest, _ policy: RetryPolicy = .default) throws -> NetworkClient {
        try transport.client(interceptors: [.retry(policy)], configuration: .init(time: clock))
    }

    @Test(.spec(103, 109), arguments: TransportUnderTest.all)
    func aRequestSurvivesAServerThatFailsInSeveralWays(transport: TransportUnderTest) async throws {
        let closing: WireFields = ["Connection": "close"]
        let server = try server(.respond(status: 503, headers: closing), .close, .reset, .json("[1]"))
        let response: NetworkClient.Response<[Int]> = try await client(transport, .counting(3))
            .fetch(request: URLRequest(url: server.url))
        expect(response.item, [1])
        expect(clock.sleeps, [1, 2, 4])
        expect(server.requestCount, 4)
        expect(response.journey.attempts, 4)
    }

    @Test(.spec(105), arguments: TransportUnderTest.all)
    func aPostIsSentAgainOnlyIfItsConnectionWasRefused(transport: TransportUnderTest) async throws {
        let server = try server(.close, .json("1"))
        func post(to place: URL) throws -> URLRequest { try URLRequest.post(url: place).bodyJson(of: [1]).build() }
        await #expect(throws: NetworkClient.Error.self) {
            try await client(transport).fetch(request: post(to: server.url))
        }
        expectAll((server.requestCount, clock.sleeps), (1, []))
        let port = try RefusingPort()
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await client(transport, .counting(2)).fetch(request: post(to: port.url))
        }
        expect(error?.reason, .connectionRefused)
        expect(clock.sleeps, [1, 2])
    }

    /// The server has processed the POST, and its response tells where to look next.
    @Test(.spec(105), arguments: TransportUnderTest.all)
    func aPostIsNotSentAgainIfTheTargetOfItsRedirectRefusesTheConnection(transport: TransportUnderTest) async throws {
        let port = try RefusingPort()
        let server = try LoopbackServer { _ in .redirect(to: port.url.absoluteString, status: 303) }
        let request = try URLRequest.post(url: server.url).bodyJson(of: [1]).build()
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await client(transport).fetch(request: request)
        }
        expect(error?.reason, .connectionRefused)
        expect(server.requestCount, 1)
        expect(clock.sleeps, [])
        await #expect(throws: NetworkClient.Error.self) {
            try await client(transport).fetch(request: URLRequest(url: server.url))
        }
        expect(server.requestCount, 4)
    }

    @Test(arguments: TransportUnderTest.all)
    func aBodyIsSentAgainIfItCanBeReadAgain(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let text = String(repeating: "body", count: 50_000)
        let file = try directory.file("body.txt", text)
        for isFile in [true, false] {
            let server = try server(.close, .respond(status: 503), .json("1"))
            let stage = URLRequest.put(url: server.url)
            let request = try isFile ? stage.bodyFile(at: file).build() : stage.bodyText(text).build()
            try await client(transport).fetch(request: request)
            expect(server.requests.map(\.bodyText), [text, text, text])
        }
        withExtendedLifetime(directory) {}
        for isSequence in [true, false] {
            let server = try server(.respond(status: 503), .json("1"))
            let chunks = ScriptedChunks([Data("one".utf8), Data("two".utf8)])
            var once = URLRequest.put(url: server.url).bodyStream(chunks, length: 6).build()
            if !isSequence { once.httpBodyStream = InputStream(data: Data("onetwo".utf8)) }
            let request = once
            let error = await #expect(throws: NetworkClient.Error.self) {
                try await client(transport).fetch(request: request)
            }
            expect(error?.statusCode, 503)
            expect(server.requests.map(\.bodyText), ["onetwo"])
        }
    }

    @Test(.spec(137), arguments: TransportUnderTest.all)
    func theNextAttemptOfADownloadRequestsTheRest(transport: TransportUnderTest) async throws {
        let content = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        let server = try ResourceServer { .init(content: content, breaksAfter: $0 < 2 ? 100_000 : nil) }
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let download = try client(transport).download(URLRequest(url: server.url), to: file)
        let response = try await download.value
        expect(try Data(contentsOf: file), Data(content))
        expect(server.ranges, ["none", "bytes=100000-", "bytes=200000-"])
        expect(response.journey.attempts, 3)
        withExtendedLifetime(directory) {}
    }

    @Test(arguments: TransportUnderTest.all)
    func aStreamIsRetriedOnlyBeforeItsHeadIsGiven(transport: TransportUnderTest) async throws {
        let server = try server(.respond(status: 503), [.respond(length: .stated(1_000), body: "first"), .close])
        let response = try await client(transport).stream(URLRequest(url: server.url))
        expect(response.journey.attempts, 2)
        await #expect(throws: NetworkClient.Error.self) { try await response.item.data() }
        expect(server.requestCount, 2)
        expect(clock.sleeps.count, 1)
    }

    @Test(arguments: TransportUnderTest.all)
    func callsThatShareAnExchangeRetryOnTheirOwn(transport: TransportUnderTest) async throws {
        let gate = Gate()
        let server = try server([.wait(gate), .respond(status: 503)], .json("[1]"))
        let client = try client(transport)
        let request = URLRequest(url: server.url).withInstanceCaching()
        let calls = (0..<3).map { _ in
            Task {
                let response: NetworkClient.Response<[Int]> = try await client.fetch(request: request)
                return response.item
            }
        }
        while client.sharing.waiterCount < 3 { await Task.yield() }
        gate.open()
        for call in calls { expect(try await call.value, [1]) }
        #expect(2...4 ~= server.requestCount)
        expect(clock.sleeps.count, 3)
    }

    @Test(.spec(153), arguments: TransportUnderTest.all)
    func eachAttemptIsLoggedWithItsNumberAndEachRetryWhenItIsDecided(transport: TransportUnderTest) async throws {
        let server = try server(.close, .close, .respond(status: 503), .json("1"))
        let stream = RecordingStream()
        let client = NetworkClient(
            transport: try transport.transport(),
            interceptors: [.retry(RetryPolicy(retries: 3))],
            logging: .default(logLevel: .status, logStream: stream),
            configuration: .init(time: clock)
        )
        try await client.fetch(request: URLRequest(url: server.url("/a")))
        let place = server.url("/a").absoluteString
        let failure = "The request to '\(place)' failed: the connection was lost."
        let expected = [
            "GET \(place) failed: \(failure)", "GET \(place) is sent again, after connectionLost",
            "GET \(place) failed (attempt 2): \(failure)",
            "GET \(place) is sent again (attempt 2), after connectionLost",
            "GET \(place) → 503 (attempt 3)", "GET \(place) is sent again (attempt 3), after response 503",
            "GET \(place) → 200 (attempt 4)",
        ]
        expect(stream.messagesWithoutDuration, expected.map { "[NetworkClient] \($0)" })
        let durations = stream.messages.filter { $0.range(of: "ms|[0-9] s", options: .regularExpression) != nil }
        expect(durations.count, 7)
    }
}
