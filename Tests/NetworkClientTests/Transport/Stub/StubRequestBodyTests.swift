import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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
        #expect(try await send(post.bodyData(text).build()) == text)
        #expect(try await send(post.bodyFile(at: file, type: .plainText).build()) == text)
        #expect(try await send(post.bodyStream(chunks, type: .plainText).build()) == text)
        var request = post.noBody().build()
        request.httpBodyStream = InputStream(data: text)
        #expect(try await send(request) == text)
        request.httpBodyStream = nil
        #expect(try await send(request).isEmpty)
    }

    @Test func aSequenceIsSentOnce() async throws {
        let request = URLRequest.post(url: url("https://h/a")).bodyStream(ScriptedChunks([Data([1])])).build()
        _ = try await send(request)
        let failure = try #require(await failure { try await send(request) })
        #expect(failure.reason == .bodyNotReplayable)
        #expect(transport.requests.count == 1)
    }

    @Test func aBodyThatCannotBeReadFailsTheRequest() async throws {
        let chunks = ScriptedChunks { number in
            guard number > 0 else { return Data([1]) }
            throw Broken()
        }
        let request = URLRequest.post(url: url("https://h/a")).bodyStream(chunks).build()
        let failure = try #require(await failure { try await send(request) })
        #expect(failure.reason == .bodyUnreadable)
        #expect(failure.underlying is Broken)
        #expect(transport.requests.isEmpty)
    }

    @Test(.spec(127)) func anUploadToAStubReportsItsProgress() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let file = try directory.file("text.txt", "Hello, World!")
        let client = NetworkClient(transport: transport)
        let request = URLRequest.post(url: url("https://h/a")).noBody().build()
        let upload: Transfer<NetworkClient.Response<Void>> = client.upload(request: request, file: file)
        var last: TransferProgress?
        for await progress in upload.progress { last = progress }
        _ = try await upload.value
        #expect(last?.completed == 13)
        #expect(transport.requests.map(\.body.count) == [13])
    }
}
