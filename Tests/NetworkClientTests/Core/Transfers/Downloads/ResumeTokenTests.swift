import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Downloads that are stopped, and continued with their tokens.
struct ResumeTokenTests {
    private static let content = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

    @Test(.spec(137), arguments: TransportUnderTest.all)
    func aTokenContinuesADownloadInALaterLaunch(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let server = try ResourceServer { index in
            .init(content: Self.content, breaksAfter: index == 0 ? 100_000 : nil)
        }
        let request = URLRequest(url: server.url)
        let first = try transport.client().download(request, to: file, isResumable: true)
        await #expect(throws: NetworkClient.Error.self) { try await first.value }
        let token = try #require(first.resumeToken)
        expectAll((token.total, token.validator), (Self.content.count, "\"1\""))
        #expect(!FileManager.default.fileExists(atPath: file.path))
        let kept = try JSONDecoder().decode(ResumeToken.self, from: try JSONEncoder().encode(token))
        expect(kept, token)
        let second = try transport.client().download(request, to: file, resuming: kept)
        var seen: [TransferProgress] = []
        for await progress in second.progress { seen.append(progress) }
        _ = try await second.value
        expect(try Data(contentsOf: file), Data(Self.content))
        expect(server.ranges, ["none", "bytes=100000-"])
        expectAll((seen.first?.completed, seen.last?.fraction), (100_000, 1))
        expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path), ["file.bin"])
        expect(second.resumeToken, nil)
    }

    @Test(.spec(137), arguments: TransportUnderTest.all)
    func aDownloadCanBeStoppedAndContinued(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let isOver = Gate()
        let server = try LoopbackServer { request in
            guard request.value(forHeader: "Range") == nil else {
                let fields: WireFields = ["Content-Range": "bytes 5-9/10", "ETag": "\"1\""]
                return .respond(status: 206, headers: fields, body: "world")
            }
            let half = Script.respond(headers: ["ETag": "\"1\""], length: .stated(10), body: "hello")
            return [half, .wait(isOver, orPeerClose: true)]
        }
        let client = try transport.client()
        let first = client.download(URLRequest(url: server.url), to: file, isResumable: true)
        try await withDeadline { while first.resumeToken == nil { await Task.yield() } }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let token = try #require(first.resumeToken)
        _ = try await client.download(URLRequest(url: server.url), to: file, resuming: token).value
        expect(try Data(contentsOf: file), Data("helloworld".utf8))
    }

    @Test(arguments: ["", "..", "a/b", "missing", "file.bin/x"])
    func aDownloadWithAnUnusableTokenBeginsAgain(name: String) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let server = try ResourceServer { _ in .init(content: Self.content) }
        let token = ResumeToken(partialFileName: name, validator: "\"1\"", total: nil)
        let client = NetworkClient(logging: .off)
        _ = try await client.download(URLRequest(url: server.url), to: file, resuming: token).value
        expect(try Data(contentsOf: file), Data(Self.content))
        expect(server.ranges, ["none"])
    }

    /// An app may store a token where others can change it.
    @Test func aTokenCannotNameAnotherFile() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let notes = try directory.file("notes.txt", "mine")
        let server = try ResourceServer { _ in .init(content: Self.content) }
        let token = ResumeToken(partialFileName: notes.lastPathComponent, validator: "\"1\"", total: nil)
        let client = NetworkClient(logging: .off)
        _ = try await client.download(URLRequest(url: server.url), to: file, resuming: token).value
        expect(server.ranges, ["none"])
        expect(try Data(contentsOf: notes), Data("mine".utf8))
        expect(try directory.names(), ["file.bin", "notes.txt"])
    }

    @Test(.spec(137), arguments: TransportUnderTest.all)
    func onlyOneDownloadContinuesAFile(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let isAsked = Gate()
        let mayEnd = Gate()
        let server = try LoopbackServer { request in
            let headers: WireFields = ["ETag": "\"1\"", "Content-Range": "bytes 5-9/10"]
            guard request.value(forHeader: "Range") != nil else {
                return request.path == "/whole"
                    ? .respond(body: "helloworld")
                    : [.respond(headers: ["ETag": "\"1\""], length: .stated(10), body: "hello"), .close]
            }
            return [.open(isAsked), .wait(mayEnd), .respond(status: 206, headers: headers, body: "world")]
        }
        let client = try transport.client()
        let file = directory.url.appendingPathComponent("file.bin")
        let broken = client.download(URLRequest(url: server.url), to: file, isResumable: true)
        await #expect(throws: NetworkClient.Error.self) { try await broken.value }
        let token = try #require(broken.resumeToken)
        let first = client.download(URLRequest(url: server.url), to: file, resuming: token)
        try await withDeadline { try await isAsked.wait() }
        let other = directory.url.appendingPathComponent("other.bin")
        let second = client.download(URLRequest(url: server.url("/whole")), to: other, resuming: token)
        _ = try await withDeadline { try await second.value }
        mayEnd.open()
        _ = try await first.value
        expect(try Data(contentsOf: file), Data("helloworld".utf8))
        expect(try Data(contentsOf: other), Data("helloworld".utf8))
        expect(try directory.names(), ["file.bin", "other.bin"])
    }

    /// Pausing and resuming without waiting for the end of the first.
    @Test(.spec(137), arguments: TransportUnderTest.all, [true, false])
    func aDownloadThatIsResumedAtOnceWaitsForTheOneThatWasCancelled(
        transport: TransportUnderTest,
        cancelsAll: Bool
    ) async throws {
        let directory = try TemporaryDirectory()
        let content = Array("helloworld".utf8)
        let isFirst = Locked(true)
        let server = try LoopbackServer { request in
            if let range = request.value(forHeader: "Range") {
                let start = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
                let fields: WireFields = ["Content-Range": "bytes \(start)-9/10", "ETag": "\"1\""]
                return .respond(status: 206, headers: fields, body: Array(content[start...]))
            }
            guard isFirst.withLock({ $0 }) else { return .respond(body: content) }
            return [.respond(headers: ["ETag": "\"1\""], length: .stated(10), body: "hello"), .awaitPeerClose()]
        }
        let client = try transport.client()
        let request = URLRequest(url: server.url)
        for index in 0..<10 {
            let file = directory.url.appendingPathComponent("\(index)")
            isFirst.withLock { $0 = true }
            let first = client.download(request, to: file, isResumable: true)
            try await withDeadline { while first.resumeToken == nil { await Task.yield() } }
            isFirst.withLock { $0 = false }
            if cancelsAll { client.cancelAll() } else { first.cancel() }
            let second = client.download(request, to: file, resuming: first.resumeToken)
            _ = try await withDeadline { try await second.value }
            expect(try Data(contentsOf: file), Data(content))
        }
        let isRange = server.requests.map { $0.value(forHeader: "Range") != nil }
        expect(isRange, (0..<20).map { !$0.isMultiple(of: 2) })
        expect(try directory.names(), (0..<10).map { "\($0)" })
    }

    @Test(.spec(137)) func aDownloadHasTheTokenThatItWasGivenUntilItHasBytesOfItsOwn() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let server = try ResourceServer { index in
            .init(content: Self.content, breaksAfter: index == 0 ? 100_000 : nil)
        }
        let client = NetworkClient(logging: .off)
        let request = URLRequest(url: server.url)
        let first = client.download(request, to: file, isResumable: true)
        await #expect(throws: NetworkClient.Error.self) { try await first.value }
        let token = try #require(first.resumeToken)
        let second = client.download(request, to: file, resuming: token)
        expect(second.resumeToken, token)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        expect(second.resumeToken?.partialFileName, token.partialFileName)
        // No file can be opened there.
        let folder = client.download(request, to: directory.url, resuming: token)
        await #expect(throws: NetworkClient.Error.self) { try await folder.value }
        expect(folder.resumeToken, token)
    }

    /// Sends a request again once, when the gate is open.
    private func repeatsOnce(mayRepeat: Gate) -> ClosureInterceptor {
        ClosureInterceptor { request, next in
            do {
                return try await next(request)
            } catch let error as NetworkClient.Error where error.reason == .connectionLost {
                try await mayRepeat.wait()
                return try await next(request)
            }
        }
    }

    @Test(.spec(168), arguments: TransportUnderTest.all)
    func aTokenNeverContinuesAFileThatWasBegunAnewWithAnotherStateOfTheResource(
        transport: TransportUnderTest
    ) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let other = [UInt8](repeating: 9, count: Self.content.count)
        let server = try ResourceServer { index in
            index == 1
                ? .init(content: other, fields: ["ETag": "\"2\""], breaksAfter: 50_000)
                : .init(content: Self.content, breaksAfter: index == 0 ? 100_000 : nil)
        }
        let request = URLRequest(url: server.url)
        let mayRepeat = Gate()
        let client = try transport.client(interceptors: [repeatsOnce(mayRepeat: mayRepeat)])
        let first = client.download(request, to: file, isResumable: true)
        try await withDeadline { while first.resumeToken == nil { await Task.yield() } }
        let old = try #require(first.resumeToken)
        mayRepeat.open()
        await #expect(throws: NetworkClient.Error.self) { try await first.value }
        let new = try #require(first.resumeToken)
        #expect(new.validator == "\"2\"" && new.partialFileName != old.partialFileName)
        expect(try directory.names(), [new.partialFileName])
        // Another node of the server, which has the old state of the resource.
        _ = try await client.download(request, to: file, resuming: old).value
        expect(try Data(contentsOf: file), Data(Self.content))
        expect(server.ranges, ["none", "bytes=100000-", "none"])
        // The bytes of the new state are not continued with the old one either.
        _ = try await client.download(request, to: file, resuming: new).value
        expect(try Data(contentsOf: file), Data(Self.content))
        expect(server.ranges.last, "bytes=50000-")
        expect(try directory.names(), ["file.bin"])
    }

    @Test(.spec(137), arguments: TransportUnderTest.all, ["identity", "Identity"])
    func aBodyWithoutACodingCanBeResumedAlthoughAFieldNamesThat(
        transport: TransportUnderTest,
        coding: String
    ) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let field = WireField(name: "Content-Encoding", value: coding)
        let fields = WireFields([WireField(name: "ETag", value: "\"1\""), field])
        let server = try ResourceServer { index in
            .init(content: Self.content, fields: fields, breaksAfter: index == 0 ? 100_000 : nil)
        }
        let client = try transport.client()
        let first = client.download(URLRequest(url: server.url), to: file, isResumable: true)
        await #expect(throws: NetworkClient.Error.self) { try await first.value }
        let token = try #require(first.resumeToken)
        expect(token.total, Self.content.count)
        _ = try await client.download(URLRequest(url: server.url), to: file, resuming: token).value
        expect(server.ranges, ["none", "bytes=100000-"])
        expect(try Data(contentsOf: file), Data(Self.content))
    }

    @Test func aDownloadRefusesAPartThatWasNotRequested() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let server = try LoopbackServer { _ in
            .respond(status: 206, headers: ["Content-Range": "bytes 0-4/10"], body: "hello")
        }
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await NetworkClient(logging: .off).download(URLRequest(url: server.url), to: file).value
        }
        expect(error?.reason, .malformedResponse)
        expect(try directory.names(), [])
    }

    @Test func anErrorForTheCallersOwnRangeStaysAnError() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let server = try ResourceServer { _ in .init(content: Self.content) }
        var request = URLRequest(url: server.url)
        request.setValue("bytes=300000-", forHTTPHeaderField: "Range")
        let left = try directory.file("left", "hello")
        let token = ResumeToken(partialFileName: left.lastPathComponent, validator: "\"1\"", total: nil)
        let download = NetworkClient(logging: .off).download(request, to: file, resuming: token)
        let error = await #expect(throws: NetworkClient.Error.self) { try await download.value }
        expect(error?.statusCode, 416)
    }

    @Test func aDownloadKeepsTheCallersOwnRange() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let server = try ResourceServer { _ in .init(content: Self.content) }
        var request = URLRequest(url: server.url)
        request.setValue("bytes=299990-", forHTTPHeaderField: "Range")
        let response = try await NetworkClient(logging: .off).download(request, to: file).value
        expect(response.statusCode, 206)
        expect(try Data(contentsOf: file), Data(Self.content.suffix(10)))
    }
}
