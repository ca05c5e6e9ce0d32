import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The handles and loops that keep transfers going.
struct TransferTests {
    @Test(.spec(171), arguments: TransportUnderTest.all)
    func aLoopOverTheProgressOfADownloadThatNobodyKeepsRunsItToItsEnd(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let content = [UInt8](repeating: 7, count: 300_000)
        let server = try LoopbackServer { _ in .respond(body: content) }
        let client = try transport.client()
        let request = URLRequest(url: server.url)
        var last: TransferProgress?
        for await progress in client.download(request, to: file).progress { last = progress }
        expect(last?.fraction, 1)
        try await directory.waitForNames(["file.bin"])
        expect(try Data(contentsOf: file), Data(content))
    }

    @Test(.spec(171), arguments: TransportUnderTest.all)
    func aLoopOverTheProgressOfAnUploadThatNobodyKeepsRunsItToItsEnd(transport: TransportUnderTest) async throws {
        let mayEnd = Gate()
        let server = try LoopbackServer { _ in [.wait(mayEnd), .respond()] }
        let client = try transport.client()
        var request = URLRequest(url: server.url)
        request.httpMethod = "POST"
        request.httpBody = Data(repeating: 7, count: 300_000)
        var last: TransferProgress?
        for await progress in client.upload(request).progress {
            last = progress
            if progress.fraction == 1 { mayEnd.open() }
        }
        expect(last?.fraction, 1)
        expect(server.requests.map(\.body.count), [300_000])
    }

    @Test(.spec(171, 132), arguments: TransportUnderTest.all)
    func leavingALoopOverTheProgressOfADownloadThatNobodyKeepsStopsIt(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let hasClosed = Gate()
        let server = try LoopbackServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"), .awaitPeerClose(then: hasClosed)]
        }
        let client = try transport.client()
        for await _ in client.download(URLRequest(url: server.url), to: file).progress { break }
        try await withDeadline("the connection to be closed") { try await hasClosed.wait() }
        try await directory.waitForNames([])
    }

    /// A loop that began while the handle existed does not keep the transfer going.
    @Test(.spec(132), arguments: TransportUnderTest.all)
    func droppingTheHandleStopsADownloadWhoseProgressIsBeingShown(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let (isShown, hasClosed) = (Gate(), Gate())
        let server = try LoopbackServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"), .awaitPeerClose(then: hasClosed)]
        }
        var download: Download? = try transport.client().download(URLRequest(url: server.url), to: file)
        let updates = try #require(download?.progress)
        let display = Task { for await _ in updates { isShown.open() } }
        try await withDeadline { try await isShown.wait() }
        download = nil
        try await withDeadline("the connection to be closed") { try await hasClosed.wait() }
        try await withDeadline("the progress to end") { await display.value }
        #expect(download == nil)
    }

    @Test(arguments: TransportUnderTest.all)
    func aProgressThatIsKeptWithoutTheHandleKeepsTheDownloadGoing(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let mayEnd = Gate()
        let server = try LoopbackServer { _ in [.wait(mayEnd), .respond(body: "hello")] }
        let client = try transport.client()
        let updates = client.download(URLRequest(url: server.url), to: file).progress
        try await withDeadline { try await server.waitForHeads(count: 1) }
        mayEnd.open()
        for _ in 0..<2 {
            var last: TransferProgress?
            for await progress in updates { last = progress }
            expect(last?.fraction, 1)
        }
        try await directory.waitForNames(["file.bin"])
    }
}
