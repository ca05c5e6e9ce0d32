import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Downloads that are stopped.
struct DownloadTests {
    enum Ending: CaseIterable {
        case cancel, cancelTheWaitingTask, dropTheHandle, cancelAll
    }

    @Test(.spec(132), arguments: TransportUnderTest.all, Ending.allCases)
    func aDownloadCanBeStopped(transport: TransportUnderTest, ending: Ending) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let hasClosed = Gate()
        let server = try LoopbackServer { _ in
            [.respond(length: .stated(10), body: "hello"), .awaitPeerClose(then: hasClosed)]
        }
        let client = try transport.client()
        var download: Download? = client.download(URLRequest(url: server.url), to: file)
        let updates = try #require(download).progress
        var iterator = updates.makeAsyncIterator()
        expect(await iterator.next()?.completed, 0)
        switch ending {
        case .cancel: download?.cancel()
        case .cancelAll: client.cancelAll()
        case .dropTheHandle: download = nil
        case .cancelTheWaitingTask:
            let task = Task { [download] in try await download?.value }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        if let download { await #expect(throws: CancellationError.self) { try await download.value } }
        try await withDeadline("the progress to end") { for await _ in updates {} }
        try await withDeadline("the connection to be closed") { try await hasClosed.wait() }
        try await directory.waitForNames([])
    }

    /// The task of the download may have begun or not.
    @Test(.spec(132), arguments: TransportUnderTest.all)
    func aDownloadCanBeStoppedRightAfterItsStart(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let server = try LoopbackServer { _ in [.awaitPeerClose()] }
        let client = try transport.client()
        for index in 0..<20 {
            let file = directory.url.appendingPathComponent("\(index)")
            let download = client.download(URLRequest(url: server.url), to: file)
            download.cancel()
            await #expect(throws: CancellationError.self) { try await download.value }
        }
        expect(try directory.names(), [])
        try await withDeadline { try await server.waitForOpenConnections(0) }
    }
}
