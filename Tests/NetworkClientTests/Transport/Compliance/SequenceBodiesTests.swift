import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Request bodies from asynchronous sequences, and sequences that fail the request.
struct SequenceBodiesTests {
    private struct Broken: Error {}

    private static let hello = [Data("Hello, ".utf8), Data(), Data("World!".utf8)]

    private func received(
        _ transport: TransportUnderTest,
        _ make: (RequestBuilder<BodyStage>) -> RequestBuilder<QueryStage>
    ) async throws -> RecordedRequest {
        let server = try LoopbackServer { _ in .respond(body: "done") }
        let request = make(URLRequest.post(url: server.url)).build()
        expect(await (try transport.client()).outcome(of: request), .answered(200, "done"))
        return try await server.request(at: 0)
    }

    /// Returns the error of a request whose body fails.
    private func failure(
        _ transport: TransportUnderTest,
        _ chunks: ScriptedChunks,
        length: Int?
    ) async throws -> TransportError? {
        let server = try LoopbackServer { _ in .respond() }
        let request = URLRequest.post(url: server.url).bodyStream(chunks, length: length).build()
        let client = try transport.client()
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await withDeadline { try await client.fetch(request: request) }
        }
        try await withDeadline { try await chunks.isOver.wait() }
        try await server.waitForOpenConnections(0)
        expect(server.requestCount, 0, "no body may pass for a whole one")
        guard case .requestError(let failure) = error else { return nil }
        return failure
    }

    @Test(arguments: TransportUnderTest.all)
    func aSequenceArrivesUnchanged(transport: TransportUnderTest) async throws {
        let request = try await received(transport) { $0.bodyStream(ScriptedChunks(Self.hello), type: .plainText) }
        expect(request.body, Data("Hello, World!".utf8))
        expect(request.value(forHeader: "Content-Type"), "text/plain; charset=utf-8")
        let isSpooled = transport.has(.sendsNothingWhileABodyIsMade)
        expect(request.framing, (isSpooled ? .contentLength(13) : .chunked))
    }

    @Test(arguments: TransportUnderTest.all)
    func aSequenceOfKnownLengthStatesIt(transport: TransportUnderTest) async throws {
        let request = try await received(transport) { $0.bodyStream(ScriptedChunks(Self.hello), length: 13) }
        expect(request.body, Data("Hello, World!".utf8))
        expect(request.framing, .contentLength(13))
        expect(request.headers.values(for: "Content-Length"), ["13"])
        expect(request.headers.values(for: "Transfer-Encoding"), [])
    }

    @Test(arguments: TransportUnderTest.all)
    func aSequenceHasTheLengthThatAHeaderStates(transport: TransportUnderTest) async throws {
        let length = HeaderField.custom(name: "Content-Length", value: "13")
        for stated in [nil, 13] {
            let server = try LoopbackServer { _ in .respond() }
            let request = URLRequest.post(url: server.url).bodyStream(ScriptedChunks(Self.hello), length: stated)
                .set(header: length).build()
            expect(await (try transport.client()).outcome(of: request), .answered(200))
            expect(server.requests.map(\.framing), [.contentLength(13)])
        }
        let request = URLRequest.post(url: url("http://127.0.0.1:9")).bodyStream(ScriptedChunks([]), length: 5)
            .set(header: length).build()
        expect(await (try transport.client()).outcome(of: request), .failed(.invalidRequest))
    }

    @Test(arguments: TransportUnderTest.all, [nil, 0])
    func theSequenceOfARequestBodyMayBeEmpty(transport: TransportUnderTest, length: Int?) async throws {
        let request = try await received(transport) { $0.bodyStream(ScriptedChunks([Data()]), length: length) }
        expect(request.body, Data())
        let isChunked = length == nil && !transport.has(.sendsNothingWhileABodyIsMade)
        expect(request.framing, (isChunked ? .chunked : .contentLength(0)))
    }

    @Test(arguments: TransportUnderTest.all, [2, 300_000])
    func aSequenceWithFewerBytesThanStatedFailsTheRequest(transport: TransportUnderTest, length: Int) async throws {
        let chunks = ScriptedChunks([Data(count: length - 1)])
        let failure = try await failure(transport, chunks, length: length)
        expect(failure?.reason, .bodyUnreadable)
        let expected = BodySourceError.endedEarly(expectedLength: length, actualLength: length - 1)
        expect(failure?.underlying as? BodySourceError, expected)
    }

    @Test(arguments: TransportUnderTest.all, [0, 1, 300_000])
    func aSequenceWithMoreBytesThanStatedFailsTheRequest(transport: TransportUnderTest, length: Int) async throws {
        for surplus in [1, 300_000] {
            let chunks = ScriptedChunks([Data(count: length), Data(count: surplus)])
            let failure = try await failure(transport, chunks, length: length)
            expect(failure?.reason, .bodyUnreadable)
            expect(failure?.underlying as? BodySourceError, .tooLong(expectedLength: length))
        }
    }

    @Test(arguments: TransportUnderTest.all)
    func aSequenceWithAnInvalidLengthFailsTheRequest(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond() }
        let request = URLRequest.post(url: server.url).bodyStream(ScriptedChunks(Self.hello), length: -1).build()
        expect(await (try transport.client()).outcome(of: request), .failed(.bodyUnreadable))
        expect(server.requestCount, 0)
    }

    @Test(arguments: TransportUnderTest.all, [0, 1, 5])
    func aSequenceThatThrowsFailsTheRequest(transport: TransportUnderTest, count: Int) async throws {
        for length in [nil, 500_000] {
            let chunks = ScriptedChunks { number in
                guard number < count else { throw Broken() }
                return Data(count: 100_000)
            }
            let failure = try await failure(transport, chunks, length: length)
            expect(failure?.reason, .bodyUnreadable)
            #expect(failure?.underlying is Broken)
        }
    }

    @Test(arguments: TransportUnderTest.all)
    func aSequenceThatThrowsAnErrorOfAnotherExchangeIsUnreadable(transport: TransportUnderTest) async throws {
        let chunks = ScriptedChunks { _ in throw TransportError(.connectionLost) }
        let failure = try await failure(transport, chunks, length: nil)
        expect(failure?.reason, .bodyUnreadable)
        expect((failure?.underlying as? TransportError)?.reason, .connectionLost)
    }

    @Test(arguments: TransportUnderTest.all)
    func aRequestBodyOfASequenceIsSentOnce(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = try transport.client()
        let step = URLRequest.post(url: server.url).bodyStream(ScriptedChunks(Self.hello))
        let request = step.build()
        expect(await client.outcome(of: request), .answered(200))
        expect(await client.outcome(of: request), .failed(.bodyNotReplayable))
        expect(await client.outcome(of: step.build()), .failed(.bodyNotReplayable))
        expect(server.requests.map(\.body), [Data("Hello, World!".utf8)])
    }

    @Test(arguments: TransportUnderTest.all, [nil, 300_000])
    func theBytesOfASequenceAreReportedAsTheyAreSent(transport: TransportUnderTest, length: Int?) async throws {
        let server = try LoopbackServer { _ in .respond() }
        let chunks = ScriptedChunks((0..<3).map { _ in Data(count: 100_000) })
        let request = URLRequest.post(url: server.url).bodyStream(chunks, length: length).build()
        let upload: Transfer<NetworkClient.Response<EmptyResponse>> = try transport.client().upload(request)
        let progress = try await withDeadline {
            _ = try await upload.value
            return await upload.progress.reduce(into: [TransferProgress]()) { $0.append($1) }
        }
        expect(progress.last?.completed, 300_000)
        expect(progress.last?.total, length)
    }

    @Test(arguments: TransportUnderTest.all, [301, 302, 303])
    func aRedirectThatBecomesAGETSendsNoSequence(transport: TransportUnderTest, status: Int) async throws {
        let server = try LoopbackServer(routes: ["/a": .redirect(to: "/b", status: status), "/b": .respond()])
        let request = URLRequest.post(url: server.url("/a")).bodyStream(ScriptedChunks(Self.hello)).build()
        expect(await (try transport.client()).outcome(of: request), .answered(200))
        expect(server.requests.map(\.method), ["POST", "GET"])
        expect(server.requests.map(\.body), [Data("Hello, World!".utf8), Data()])
    }
}
