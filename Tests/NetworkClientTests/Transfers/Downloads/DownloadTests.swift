import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Downloads that are stopped, and many at once.
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
        var download: Download? = client.download(request: URLRequest(url: server.url), to: file)
        let updates = try #require(download).progress
        var iterator = updates.makeAsyncIterator()
        #expect(await iterator.next()?.completed == 0)
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
            let download = client.download(request: URLRequest(url: server.url), to: file)
            download.cancel()
            await #expect(throws: CancellationError.self) { try await download.value }
        }
        #expect(try directory.names() == [])
        try await withDeadline { try await server.waitForOpenConnections(0) }
    }

    @Test(.spec(136), arguments: TransportUnderTest.all)
    func aThousandDownloadsLeaveNoConnectionNoFileAndNoDescriptorBehind(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let body = [UInt8](repeating: 7, count: 100_000)
        let server = try LoopbackServer(recording: .countsOnly) { _ in .respond(body: body) }
        let before = Self.openFilesExceptSockets()
        do {
            let client = try transport.client()
            await Turns.run(1_000) { index in await Self.run(index, client, server, directory) }
        }
        try await withDeadline { try await server.waitForOpenConnections(0) }
        try await directory.waitForNames([])
        // The server has counted the sockets. Of the others, one left by every tenth would be a hundred; what other
        // tests hold at that time, they give back.
        #if os(Linux)
        let limit = try #require(before).count + 100
        let folder = directory.url.resolvingSymlinksInPath().path + "/"
        try await withDeadline("descriptors to be given back") {
            while let open = Self.openFilesExceptSockets(),
                open.count > limit || open.contains(where: { $0.hasPrefix(folder) })
            {
                await Task.yield()
            }
        }
        #endif
    }

    private static func openFilesExceptSockets() -> [String]? {
        ProcessFacts.openFiles()?.filter { !$0.hasPrefix("socket:") }
    }

    /// A third of the downloads are cancelled at any moment.
    private static func run(
        _ index: Int,
        _ client: NetworkClient,
        _ server: LoopbackServer,
        _ directory: TemporaryDirectory
    ) async {
        let file = directory.url.appendingPathComponent("\(index)")
        let download = client.download(request: URLRequest(url: server.url), to: file)
        if index % 3 == 0 {
            if index % 2 == 0 {
                var iterator = download.progress.makeAsyncIterator()
                _ = await iterator.next()
            }
            download.cancel()
        }
        do {
            let response = try await download.value
            #expect(try Data(contentsOf: try #require(response.item)).count == 100_000)
        } catch {
            #expect(error is CancellationError && index % 3 == 0)
        }
        try? FileManager.default.removeItem(at: file)
    }
}
