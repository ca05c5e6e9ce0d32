import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient
@testable import NetworkUtilities

/// Callers' streams, which can be read once.
struct SessionUploadTests {
    private let client = NetworkClient(logging: .off)

    private func request(_ server: LoopbackServer, _ body: String, length: Int?) -> URLRequest {
        var request = URLRequest(url: server.url)
        request.method = .put
        request.httpBodyStream = InputStream(data: Data(body.utf8))
        request.setValue(length.map(String.init), forHTTPHeaderField: "Content-Length")
        return request
    }

    private func reason(of request: URLRequest) async throws -> TransportError.Reason? {
        let client = client
        do {
            _ = try await withDeadline { try await client.fetch(request: request) }
            return nil
        } catch NetworkClient.Error.requestError(let error) {
            return error.reason
        }
    }

    #if canImport(FoundationNetworking)
    /// FoundationNetworking asks for a second stream when libcurl is about to repeat a request on its own.
    @Test(.spec(105), arguments: [("POST", nil), ("PUT", nil), ("POST", "\"key\""), ("PATCH", nil)])
    func aBodyIsGivenASecondTimeToARequestThatMayBeRepeated(method: String, key: String?) throws {
        var request = URLRequest(url: url("http://h/"))
        request.httpMethod = method
        request.httpBody = Data("body".utf8)
        request.setValue(key, forHTTPHeaderField: "Idempotency-Key")
        let upload = try #require(try SessionUpload(of: request))
        _ = upload.makeStream()
        #expect(upload.error == nil)

        let second = upload.makeStream()
        second.open()
        var buffer = [UInt8](repeating: 0, count: 10)
        let count = second.read(&buffer, maxLength: 10)

        let isRepeatable = method == "PUT" || key != nil
        #expect(count == (isRepeatable ? 4 : -1))
        #expect((upload.error as? TransportError)?.reason == (isRepeatable ? nil : .connectionLost))
    }
    #endif

    @Test(arguments: [nil, 11])
    func aStreamIsNeverSentASecondTime(length: Int?) async throws {
        let server = try LoopbackServer { _ in .respond() }
        let request = request(server, "hello world", length: length)
        #expect(try await reason(of: request) == nil)
        #expect(try await reason(of: request) == .bodyNotReplayable)
        #expect(server.requests.map(\.bodyText) == ["hello world"])
    }

    @Test func aStreamIsSentByOneOfTwoConcurrentCalls() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let request = request(server, "hello world", length: nil)
        async let first = reason(of: request)
        async let second = reason(of: request)
        let reasons = try await [first, second]
        #expect(reasons.contains(nil))
        #expect(reasons.contains(.bodyNotReplayable))
        #expect(server.requestCount == 1)
    }

    @Test func aStreamCannotCarryASecondRequestBehindItsLength() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let smuggled = "hello" + "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
        #expect(try await reason(of: request(server, smuggled, length: 5)) == .bodyUnreadable)
        try await server.waitForOpenConnections(0)
        #expect(server.requestCount == 0)
    }

    @Test func aStreamThatIsTooShortFailsAtOnce() async throws {
        let server = try LoopbackServer { _ in .respond() }
        #expect(try await reason(of: request(server, "hel", length: 5)) == .bodyUnreadable)
        try await server.waitForOpenConnections(0)
        #expect(server.requestCount == 0)
    }

    @Test func aFileThatChangesBeforeItIsSentFails() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("part")
        try Data(repeating: 1, count: 100_000).write(to: file)
        let server = try LoopbackServer { _ in .respond() }
        let request = try URLRequest.post(url: server.url)
            .bodyMultipart { try $0.add(key: "f", file: .init(file: file, filename: "f", mimeType: .auto())) }
            .build()
        try Data(repeating: 1, count: 10).write(to: file)
        #expect(try await reason(of: request) == .bodyUnreadable)
        #expect(server.requestCount == 0)
    }
}

struct StoredBodyTests {
    private struct Broken: Error {}

    private func request(_ chunks: ScriptedChunks) -> URLRequest {
        URLRequest.post(url: url("http://127.0.0.1:9")).bodyStream(chunks).build()
    }

    private func filesInTemporaryDirectory() throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path)
        return Set(names.filter { $0.hasPrefix("NetworkClient-") })
    }

    private func bytes(of body: StoredBody) throws -> Data {
        let reader = body.open()
        var result = Data()
        var part = Data(count: 1_000)
        while case let count = try part.withUnsafeMutableBytes({ try reader.read(into: $0) }), count > 0 {
            result += part.prefix(count)
        }
        return result
    }

    private func spool(_ request: URLRequest) async throws -> StoredBody {
        let stream = try #require(request.httpBodyStream as? SequenceInputStream)
        return try await StoredBody(stream, of: request, within: TransportOptions())
    }

    @Test func aStoredBodyCanBeReadSeveralTimes() async throws {
        let chunks = (0..<4).map { Data(repeating: UInt8($0), count: 50_000) }
        let body = try await spool(request(ScriptedChunks(chunks)))
        #expect(body.length == 200_000)
        for _ in 0..<2 { #expect(try bytes(of: body) == Data(chunks.joined())) }
    }

    /// The file has no name from the beginning, so that a process that is killed leaves none behind, either.
    @Test func aStoredBodyLeavesNoFileBehind() async throws {
        let gate = Gate()
        let chunks = ScriptedChunks { number in
            guard number > 0 else { return Data(count: 500_000) }
            try await gate.wait()
            throw Broken()
        }
        let request = request(chunks)
        let spooling = Task { try await spool(request).length }
        _ = try await withDeadline { try await chunks.askCount.wait { $0 == 2 ? true : nil } }
        let before = try filesInTemporaryDirectory()
        gate.open()
        await #expect(throws: TransportError.self) { try await withDeadline { try await spooling.value } }
        // Other tests may have made theirs and not yet taken its name, but each name is there for a moment only.
        #expect(try filesInTemporaryDirectory().isDisjoint(with: before))
    }
}
