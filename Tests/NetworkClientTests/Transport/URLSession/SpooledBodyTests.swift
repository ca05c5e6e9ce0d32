import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct SpooledBodyTests {
    private struct Broken: Error {}

    private func request(_ chunks: ScriptedChunks) -> URLRequest {
        URLRequest.post(url: url("http://127.0.0.1:9")).bodyStream(chunks).build()
    }

    private func filesInTemporaryDirectory() throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path)
        return Set(names.filter { $0.hasPrefix("NetworkClient-") })
    }

    private func bytes(of body: SpooledBody) throws -> Data {
        let reader = body.open()
        var result = Data()
        var part = Data(count: 1_000)
        while case let count = try part.withUnsafeMutableBytes({ try reader.read(into: $0) }), count > 0 {
            result += part.prefix(count)
        }
        return result
    }

    private func spool(_ request: URLRequest) async throws -> SpooledBody {
        let stream = try #require(request.httpBodyStream as? SequenceInputStream)
        return try await SpooledBody(stream, of: request, within: nil)
    }

    @Test func holdsTheBytesForAsManyPassesAsAreNeeded() async throws {
        let chunks = (0..<4).map { Data(repeating: UInt8($0), count: 50_000) }
        let body = try await spool(request(ScriptedChunks(chunks)))
        #expect(body.length == 200_000)
        for _ in 0..<2 { #expect(try bytes(of: body) == Data(chunks.joined())) }
    }

    /// At no time: a process that is killed leaves none behind either.
    @Test func leavesNoFileBehind() async throws {
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
