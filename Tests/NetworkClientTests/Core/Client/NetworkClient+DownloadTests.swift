import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Downloads, and the files that they leave.
struct NetworkClientDownloadTests {
    private static let content = [UInt8]((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

    @Test(.spec(127, 134), arguments: TransportUnderTest.all)
    func aDownloadWritesTheBytesAndReportsItsProgress(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let server = try LoopbackServer { _ in .respond(headers: ["X-A": "1"], body: Self.content) }
        let download = try transport.client().download(URLRequest(url: server.url), to: file)
        var seen: [TransferProgress] = []
        for await progress in download.progress { seen.append(progress) }
        let response = try await download.value
        expectAll((response.item, response["X-A"], response.statusCode), (file, "1", 200))
        expect(try Data(contentsOf: file), Data(Self.content))
        expect(try directory.names(), ["file.bin"])
        expect(seen.first?.fraction, 0)
        expect(seen.last?.fraction, 1)
        expect(seen.map(\.completed), seen.map(\.completed).sorted())
        #expect(seen.allSatisfy { $0.total == Self.content.count })
        expect(download.resumeToken, nil)
    }

    @Test(.spec(128), arguments: TransportUnderTest.all)
    func theProgressOfADownloadOfUnknownLengthHasNoTotal(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let server = try LoopbackServer { _ in .chunked(["hello", "world"]) }
        let download = try transport.client().download(URLRequest(url: server.url), to: file)
        var seen: [TransferProgress] = []
        for await progress in download.progress { seen.append(progress) }
        _ = try await download.value
        expect(seen.first, TransferProgress(completed: 0, total: nil))
        expect(seen.last, TransferProgress(completed: 10, total: nil))
        #expect(seen.allSatisfy { $0.fraction == nil })
        expect(try Data(contentsOf: file), Data("helloworld".utf8))
    }

    @Test(arguments: TransportUnderTest.all)
    func aDownloadOfAnEmptyBodyWritesAnEmptyFile(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let server = try LoopbackServer { _ in .respond() }
        let download = try transport.client().download(URLRequest(url: server.url), to: file)
        _ = try await download.value
        expect(try Data(contentsOf: file), Data())
        var last: TransferProgress?
        for await progress in download.progress { last = progress }
        expect(last?.fraction, 1)
    }

    @Test(.spec(129), arguments: TransportUnderTest.all)
    func aDownloadOfAStatusThatIsNotAcceptedLeavesNoFile(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("file.bin", "old")
        let long = [UInt8](repeating: 7, count: 3 << 20)
        let server = try LoopbackServer(routes: [
            "/short": .respond(status: 404, body: "none"), "/long": .respond(status: 500, body: long),
        ])
        let client = try transport.client()
        for (path, status, body) in [("/short", 404, Data("none".utf8)), ("/long", 500, Data(long.prefix(1 << 20)))] {
            let download = client.download(URLRequest(url: server.url(path)), to: file)
            await #expect {
                try await download.value
            } throws: { error in
                guard case NetworkClient.Error.apiError(let response, let data) = error else { return false }
                return response.statusCode == status && data == body
            }
        }
        expect(try directory.names(), ["file.bin"])
        expect(try Data(contentsOf: file), Data("old".utf8))
    }

    @Test(arguments: TransportUnderTest.all)
    func aCompleteDownloadReplacesTheDestination(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("file.bin", "old")
        let hasLooked = Gate()
        let server = try LoopbackServer { _ in
            [.respond(length: .stated(3), body: "n"), .wait(hasLooked), .send("ew")]
        }
        let download = try transport.client().download(URLRequest(url: server.url), to: file)
        var iterator = download.progress.makeAsyncIterator()
        _ = await iterator.next()
        expect(try Data(contentsOf: file), Data("old".utf8))
        hasLooked.open()
        _ = try await download.value
        expect(try Data(contentsOf: file), Data("new".utf8))
        expect(try directory.names(), ["file.bin"])
    }

    @Test(arguments: TransportUnderTest.all)
    func aDownloadThatFailsLeavesNoFile(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let server = try ResourceServer { _ in .init(content: Self.content, breaksAfter: 1_000_000) }
        let download = try transport.client().download(URLRequest(url: server.url), to: file)
        let error = await #expect(throws: NetworkClient.Error.self) { try await download.value }
        expect(error?.reason, .connectionLost)
        expect(download.resumeToken, nil)
        expect(try directory.names(), [])
    }

    @Test(.spec(133), arguments: TransportUnderTest.all)
    func aDownloadThatIsStartedTwiceIsSentTwice(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let server = try LoopbackServer { _ in .respond(body: "hello") }
        let client = try transport.client()
        let request = URLRequest(url: server.url).withInstanceCaching()
        let downloads = ["a", "b"].map { name in
            client.download(request, to: directory.url.appendingPathComponent(name))
        }
        for download in downloads {
            let file = try #require(await download.value.item)
            expect(try Data(contentsOf: file), Data("hello".utf8))
        }
        expect(server.requestCount, 2)
    }

    @Test(.spec(131), arguments: TransportUnderTest.all)
    func aDownloadPassesTheInterceptors(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let server = try LoopbackServer(routes: ["/a": .redirect(to: "/b"), "/b": .respond(body: "hello")])
        let client = try transport.client(interceptors: [HeadersInterceptor([.custom(name: "X-Seen", value: "yes")])])
        _ = try await client.download(URLRequest(url: server.url("/a")), to: file).value
        expect(server.requests.map { $0.value(forHeader: "X-Seen") }, ["yes", "yes"])
        #expect(server.requests.allSatisfy { $0.value(forHeader: "Accept-Encoding") == "identity" })
        expect(try Data(contentsOf: file), Data("hello".utf8))
    }

    /// Supplies the response, before or after it has sent the request.
    private func answering(sends: Bool) -> ClosureInterceptor {
        ClosureInterceptor { request, next in
            if sends { _ = try? await next(request) }
            return (Data("its own".utf8), .made())
        }
    }

    @Test(arguments: TransportUnderTest.all, [true, false])
    func aDownloadWritesTheResponseOfAnInterceptor(transport: TransportUnderTest, sends: Bool) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let server = try ResourceServer { _ in .init(content: Self.content, breaksAfter: 1_000_000) }
        let client = try transport.client(interceptors: [answering(sends: sends)])
        _ = try await client.download(URLRequest(url: server.url), to: file).value
        expect(try Data(contentsOf: file), Data("its own".utf8))
        expect(try directory.names(), ["file.bin"])
    }

    @Test func aDownloadThatCannotBeWrittenReportsIt() async throws {
        let directory = try TemporaryDirectory()
        let server = try LoopbackServer { _ in .respond(body: "hello") }
        let client = NetworkClient(logging: .off)
        let file = try directory.file("a file", "")
        let places = [
            (
                directory.url.appendingPathComponent("missing/file.bin"),
                "the folder '\(directory.url.path)/missing' of the destination does not exist"
            ),
            (URL(fileURLWithPath: "/proc/file.bin"), "the folder '/proc' of the destination cannot hold files"),
            (file.appendingPathComponent("file.bin"), "the folder of the destination is a file"),
            (
                directory.url.appendingPathComponent(String(repeating: "a", count: 300)),
                "the name of the destination is too long"
            ),
            (url("https://example.com/file.bin"), "the destination is not a file URL"),
            (directory.url, "the destination is a folder"),
        ]
        for (place, detail) in places {
            let error = await #expect(throws: NetworkClient.Error.self) {
                try await client.download(URLRequest(url: server.url), to: place).value
            }
            expect(error?.reason, .fileNotWritten)
            expect(error?.errorDescription, "The request failed: \(detail).")
        }
        expect(server.requestCount, 0)
        expect(try directory.names(), ["a file"])
    }
}
