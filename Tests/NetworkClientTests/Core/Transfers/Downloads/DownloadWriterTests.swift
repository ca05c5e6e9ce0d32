import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Downloads that take more than one exchange.
struct DownloadWriterTests {
    private static let content = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

    /// Responses that end a body whose length the server never states.
    private static let endings: [(String, Script)] = [
        ("416 with the length", .respond(status: 416, headers: ["Content-Range": "bytes */300000"])),
        ("416 without the length", .respond(status: 416)),
        ("an empty part", .respond(status: 206, headers: ["ETag": "\"1\""])),
        ("an empty range", .respond(status: 206, headers: ["Content-Range": "bytes 300000-299999/*"])),
        ("the length alone", .respond(status: 206, headers: ["Content-Range": "bytes */300000"])),
    ]

    /// A server that never states the length: it sends a third of the body, and then parts.
    private static func open(_ part: @escaping @Sendable (Int) -> Script) throws -> LoopbackServer {
        try LoopbackServer { request in
            guard let range = request.value(forHeader: "Range") else {
                let fields: WireFields = ["ETag": "\"1\"", "Transfer-Encoding": "chunked"]
                let head = Script.respond(headers: fields, length: .omitted)
                return [head, .chunk(Array(content[..<100_000])), .closeWrite]
            }
            return part(Int(range.dropFirst("bytes=".count).dropLast()) ?? 0)
        }
    }

    private static func part(_ start: Int, _ length: Int, total: String = "*") -> Script {
        let end = min(start + length, content.count)
        let fields: WireFields = ["ETag": "\"1\"", "Content-Range": "bytes \(start)-\(end - 1)/\(total)"]
        return .respond(status: 206, headers: fields, body: Array(content[start..<end]))
    }

    @Test(.spec(169), arguments: TransportUnderTest.all, endings.indices)
    func aDownloadOfUnknownLengthAsksForTheRestUntilTheServerHasNoMore(
        transport: TransportUnderTest,
        index: Int
    ) async throws {
        let (name, ending) = Self.endings[index]
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let server = try Self.open { start in start < 300_000 ? Self.part(start, 120_000) : ending }
        let client = try transport.client(interceptors: [PersistentInterceptor()])
        let download = client.download(URLRequest(url: server.url), to: file)
        var last: TransferProgress?
        for await progress in download.progress { last = progress }
        let response = try await download.value
        expectAll((response.statusCode, response.item), (206, file), "\(name)")
        expect(try Data(contentsOf: file), Data(Self.content), "\(name)")
        let ranges = server.requests.map { $0.value(forHeader: "Range") ?? "none" }
        expect(ranges, ["none", "bytes=100000-", "bytes=220000-", "bytes=300000-"], "\(name)")
        expect(last, TransferProgress(completed: 300_000, total: 300_000), "\(name)")
    }

    /// Responses to the request for the bytes after an open part that do not show the end of the resource.
    private static let noEndings: [(String, Script)] = [
        ("an error", .respond(status: 500)), ("no content", .respond(status: 204)),
        ("a part without bytes", .respond(status: 206, headers: ["Content-Range": "bytes 220000-220000/*"])),
        ("a lost connection", [.close]),
    ]

    @Test(.spec(169), arguments: TransportUnderTest.all, noEndings.indices)
    func aDownloadOfUnknownLengthNeverReplacesTheDestinationByAShortFile(transport: TransportUnderTest, index: Int)
        async throws
    {
        let (name, ending) = Self.noEndings[index]
        let directory = try TemporaryDirectory()
        let file = try directory.file("file.bin", "old")
        let server = try Self.open { start in start < 220_000 ? Self.part(start, 120_000) : ending }
        let client = try transport.client(interceptors: [PersistentInterceptor()])
        let download = client.download(URLRequest(url: server.url), to: file, isResumable: true)
        if index == 1 {
            expect(try await download.value.item, nil, "\(name)")
        } else {
            await #expect(throws: NetworkClient.Error.self, "\(name)") { try await download.value }
        }
        expect(try Data(contentsOf: file), Data("old".utf8), "\(name)")
        // All that was received can be continued.
        let token = try #require(download.resumeToken, "\(name)")
        let partial = directory.url.appendingPathComponent(token.partialFileName)
        expect(try Data(contentsOf: partial), Data(Self.content[..<220_000]), "\(name)")
    }

    @Test(.spec(169), arguments: TransportUnderTest.all, ["*", "300000"])
    func aServerThatSendsAByteAtATimeIsNotAskedWithoutEnd(transport: TransportUnderTest, total: String) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let server = try Self.open { start in Self.part(start, 1, total: total) }
        let client = try transport.client(interceptors: [PersistentInterceptor()])
        let download = client.download(URLRequest(url: server.url), to: file)
        let error = await #expect(throws: NetworkClient.Error.self) { try await download.value }
        expect(error?.reason, .malformedResponse)
        expect(error?.errorDescription?.hasSuffix("failed: the server sends the body in too many parts."), true)
        expect(server.requestCount, 102)
        expect(try directory.names(), [])
    }

    /// Adds the newest credential to each attempt, and sends a request again that was refused for its credential.
    private static let renewing = ClosureInterceptor { request, next in
        for credential in 1... {
            var request = request
            request.setValue("\(credential)", forHTTPHeaderField: "Authorization")
            do {
                return try await next(request)
            } catch let error as NetworkClient.Error where error.statusCode == 401 && credential < 5 {
                continue
            }
        }
        throw CancellationError()
    }

    @Test(.spec(137), arguments: TransportUnderTest.all)
    func aCredentialThatExpiresBetweenTwoPartsIsRenewedByTheInterceptors(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let server = try LoopbackServer { request in
            guard let range = request.value(forHeader: "Range") else {
                let third = Array(Self.content[..<100_000])
                return [.respond(headers: ["ETag": "\"1\""], length: .stated(300_000), body: third), .closeWrite]
            }
            let start = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
            // Each credential is good for one part.
            guard request.value(forHeader: "Authorization") == "\(start / 100_000 + 1)" else {
                return .respond(status: 401)
            }
            return Self.part(start, 100_000, total: "300000")
        }
        let client = try transport.client(interceptors: [PersistentInterceptor(), Self.renewing])
        let response = try await client.download(URLRequest(url: server.url), to: file).value
        expect(response.item, file)
        expect(try Data(contentsOf: file), Data(Self.content))
        let sent = server.requests.map { request in
            [request.value(forHeader: "Range") ?? "none", request.value(forHeader: "Authorization") ?? ""]
        }
        let parts = ["none", "bytes=100000-", "bytes=100000-", "bytes=200000-", "bytes=200000-"]
        expect(sent, zip(parts, ["1", "1", "2", "2", "3"]).map { [$0, $1] })
    }

    /// Sends parts, and records how many seconds each exchange may take.
    private struct PartsTransport: Transport {
        let limits = Recorder<(limit: Double, begin: Double, end: Double)>()
        let description = "parts"

        func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
            let time = SystemTimeSource()
            let begin = time.now
            // Waits until the clock has advanced, whatever its resolution.
            while time.now < begin + 0.001 { await Task.yield() }
            limits.record((try #require(options.exchangeTimeout), begin, time.now))
            let range = request.value(forHTTPHeaderField: "Range")
            let start = range.flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
            let part = Data(content[start..<(start + 100_000)])
            let headers = ["ETag": "\"1\"", "Content-Range": "bytes \(start)-\(start + 99_999)/300000"]
            let length = ["ETag": "\"1\"", "Content-Length": "300000"]
            let head = range == nil ? HTTPURLResponse.made(headers: length) : .made(206, headers: headers)
            return TransportResponse(response: head, data: part)
        }
    }

    @Test func theAttemptTimeoutOfADownloadIncludesTheRequestsForTheRest() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let transport = PartsTransport()
        let client = NetworkClient(transport: transport, logging: .off)
        let options = CallOptions(attemptTimeout: 1000)
        let request = URLRequest(url: url("https://example.com/file"))
        _ = try await client.download(request, to: file, options: options).value
        expect(try Data(contentsOf: file), Data(Self.content))
        let limits = transport.limits.values
        expect(limits.count, 3)
        for (one, next) in zip(limits, limits.dropFirst()) {
            #expect(next.limit <= one.limit - (one.end - one.begin))
        }
    }
}
