import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// A gibibyte, and thousands of calls and downloads.
struct BulkTests {
    private static let lengths =
        TransportUnderTest.all.map { ($0, 32 << 20) }
        + TransportUnderTest.all(without: .hasOneQueueForAll).map { ($0, 1 << 30) }

    @Test(.spec(59), arguments: lengths)
    func aLargeFileIsStreamedWithItsLength(transport: TransportUnderTest, length: Int) async throws {
        let directory = try TemporaryDirectory()
        let server = try LoopbackServer(recording: .withoutBodies) { _ in .respond() }
        let file = try directory.sparseFile("zeros.bin", length: UInt64(length))
        let request = try URLRequest.post(url: server.url)
            .bodyMultipart(boundary: try MultipartBoundary("B")) { try $0.add(key: "f", file: .init(file: file)) }
            .build()
        try await transport.client().fetch(request: request)
        let received = try await server.request(at: 0)
        let head = "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"zeros.bin\"\r\n"
        let around = head + "Content-Type: application/octet-stream\r\n\r\n\r\n--B--\r\n"
        #expect(received.framing == .contentLength(around.utf8.count + length))
        #expect(received.bodyLength == around.utf8.count + length)
    }

    @Test(.spec(125)) func tenThousandCallsInARowLeaveNothingBehind() async throws {
        let transport = ClosureTransport { request in
            switch request.url?.path {
            case "/error": (Data(), HTTPURLResponse.made(500))
            case "/lost": throw TransportError(.connectionLost, request: request)
            default: (Data("1".utf8), HTTPURLResponse.made())
            }
        }
        let client = NetworkClient(transport: transport, logging: .off)
        let requests = ["/", "/error", "/lost"].map { URLRequest(url: url("https://h\($0)")) }
        for index in 0..<10_000 {
            let request = requests[index % 3]
            let call = Task {
                try await client.fetch(request: index.isMultiple(of: 2) ? request.withInstanceCaching() : request)
            }
            if index.isMultiple(of: 5) { call.cancel() }
            _ = try? await call.value
        }
        #expect(client.calls.count == 0)
        #expect(client.sharing.exchangeCount == 0)
        #expect(client.sharing.waiterCount == 0)
    }

    @Test(.spec(125), arguments: TransportUnderTest.all)
    func thousandsOfExchangesLeaveNothingBehind(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer(recording: .countsOnly) { request in
            request.path == "/error" ? .respond(status: 500) : .json("1")
        }
        let client = try transport.client()
        let shared = URLRequest(url: server.url).withInstanceCaching()
        let failing = URLRequest(url: server.url("/error"))
        // Several rows at once, since each of them waits for threads that other tests use.
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for index in 0..<250 {
                        _ = try? await client.fetch(request: index.isMultiple(of: 2) ? shared : failing)
                    }
                }
            }
        }
        #expect(client.calls.count == 0)
        #expect(client.sharing.exchangeCount == 0)
        #expect(server.connectionCount < 500, "connections are used again")
        if let session = client.transport as? URLSessionTransport {
            while session.delegate.exchangeCount > 0 { await Task.yield() }
        }
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
        let download = client.download(URLRequest(url: server.url), to: file)
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
