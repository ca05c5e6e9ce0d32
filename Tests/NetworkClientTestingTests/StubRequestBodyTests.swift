import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient
@testable import NetworkClientTesting

/// The bodies of requests to a stub, wherever they come from.
struct StubRequestBodyTests {
    private struct Broken: Error {}

    private let transport = StubTransport(otherwise: .status(200))

    private func send(_ request: URLRequest) async throws -> Data {
        try await NetworkClient(transport: transport).fetch(request: request)
        return try #require(transport.requests.last).body
    }

    private func failure(of operation: () async throws -> Data) async -> TransportError? {
        let error = await #expect(throws: NetworkClient.Error.self) { _ = try await operation() }
        guard case .requestError(let failure) = error else { return nil }
        return failure
    }

    @Test func theBytesOfEveryKindOfBodyAreRecorded() async throws {
        let text = Data("Hello, World!".utf8)
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let file = try directory.file("text.txt", "Hello, World!")
        let post = URLRequest.post(url: url("https://h/a"))
        let chunks = ScriptedChunks([Data("Hello, ".utf8), Data(), Data("World!".utf8)])
        expect(try await send(post.bodyData(text).build()), text)
        expect(try await send(post.bodyFile(at: file, type: .plainText).build()), text)
        expect(try await send(post.bodyStream(chunks, type: .plainText).build()), text)
        var request = post.noBody().build()
        request.httpBodyStream = InputStream(data: text)
        expect(try await send(request), text)
        request.httpBodyStream = nil
        expect(try await send(request), Data())
    }

    @Test(.spec(258)) func theBodyOfACompressedRequestIsDecoded() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let text = String(repeating: "Hello, World! ", count: 200)
        let file = try directory.file("text.txt", text)
        let client = NetworkClient(transport: transport, interceptors: [.compression()])
        transport.on(.post("/json").json(["text": text]), .status(201))
        transport.on(.post("/file").body(Data(text.utf8)), .status(202))
        let archive = #"""
            {"log": {"entries": [{"request": {"method": "POST", "url": "https://h/har", "postData":
                {"mimeType": "text/plain", "text": "\#(text)"}}, "response": {"status": 203}}]}}
            """#
        let replaying = NetworkClient(
            transport: try StubTransport(har: Data(archive.utf8)),
            interceptors: [.compression()]
        )
        let json = try URLRequest.post(url: url("https://h/json")).bodyJson(of: ["text": text]).build()
        let upload = try URLRequest.post(url: url("https://h/file")).bodyFile(at: file).build()
        let recorded = URLRequest.post(url: url("https://h/har")).bodyText(text).build()
        expect(try await client.fetch(request: json).statusCode, 201)
        expect(try await client.fetch(request: upload).statusCode, 202)
        expect(try await replaying.fetch(request: recorded).statusCode, 203)
        for request in transport.requests {
            expect(request[header: "Content-Encoding"], "gzip")
            #expect(request.rawBody.count < request.body.count)
        }
    }

    @Test func aStubReceivesABodyOfASequenceOnce() async throws {
        let request = URLRequest.post(url: url("https://h/a")).bodyStream(ScriptedChunks([Data([1])])).build()
        _ = try await send(request)
        let failure = try #require(await failure { try await send(request) })
        expect(failure.reason, .bodyNotReplayable)
        expect(transport.requests.count, 1)
    }

    @Test func aBodyThatCannotBeReadFailsTheRequest() async throws {
        let chunks = ScriptedChunks { number in
            guard number > 0 else { return Data([1]) }
            throw Broken()
        }
        let request = URLRequest.post(url: url("https://h/a")).bodyStream(chunks).build()
        let failure = try #require(await failure { try await send(request) })
        expect(failure.reason, .bodyUnreadable)
        #expect(failure.underlying is Broken)
        #expect(transport.requests.isEmpty)
    }

    @Test(.spec(127)) func anUploadToAStubReportsItsProgress() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let file = try directory.file("text.txt", "Hello, World!")
        let client = NetworkClient(transport: transport)
        let request = URLRequest.post(url: url("https://h/a")).noBody().build()
        let upload: Transfer<NetworkClient.Response<EmptyResponse>> = client.upload(request: request, file: file)
        var last: TransferProgress?
        for await progress in upload.progress { last = progress }
        _ = try await upload.value
        expect(last?.completed, 13)
        expect(transport.requests.map(\.body.count), [13])
    }

    private func client(_ clock: TestClock) -> NetworkClient {
        NetworkClient(
            transport: StubTransport(time: clock, otherwise: .status(200)),
            configuration: .init(time: clock)
        )
    }

    private func request(_ chunks: ScriptedChunks) -> URLRequest {
        URLRequest.post(url: url("https://h/a")).bodyStream(chunks).build()
    }

    @Test(
        .spec(203),
        arguments: [
            (CallOptions(idleTimeout: 10), "no byte was sent or received within its idle timeout of 10 s"),
            (CallOptions(attemptTimeout: 10), "it took longer than its attempt timeout of 10 s"),
        ]
    )
    func aSequenceThatStallsTimesOutOnTheClock(options: CallOptions, limit: String) async throws {
        let clock = TestClock()
        let client = client(clock)
        let request = request(
            ScriptedChunks { _ in
                try await Gate().wait()
                return nil
            }
        )
        let call = Task { try await client.fetch(request: request, options: options) }
        try await clock.waitForSleepers()
        clock.advance(by: 10)
        let failure = await failure {
            _ = try await withDeadline { try await call.value }
            return Data()
        }
        expect(failure, TransportError(.timedOut, request: request, detail: limit))
    }

    @Test(.spec(203), arguments: [(7.0, true), (9, false)])
    func theTimeWithoutAByteOfASequenceBeginsAnewWithEachChunk(timeout: Double, isTooShort: Bool) async throws {
        let clock = TestClock(advancesItself: true)
        let request = request(
            ScriptedChunks { number in
                guard number < 3 else { return nil }
                try await clock.sleep(seconds: 8)
                return Data([1])
            }
        )
        let call = { try await client(clock).fetch(request: request, options: CallOptions(idleTimeout: timeout)) }
        guard isTooShort else { return _ = try await call() }
        let failure = await failure {
            _ = try await call()
            return Data()
        }
        expect(failure?.description.contains("no byte was sent or received within its idle timeout of 7 s"), true)
    }

    @Test(.spec(203)) func noLimitPassesASequenceThatDoesNotWaitOnTheClock() async throws {
        let clock = TestClock(advancesItself: true)
        let chunks = ScriptedChunks { number in
            for _ in 0..<100 { await Task.yield() }
            return number < 3 ? Data([1]) : nil
        }
        let options = CallOptions(idleTimeout: 1e-6, attemptTimeout: 1e-6)
        try await client(clock).fetch(request: request(chunks), options: options)
        expect(clock.sleeps, [])
    }
}
