import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The log of downloads, of streams and of calls with progress, whose bodies come after their heads.
struct LoggedTransfersTests {
    @Test(.spec(191), arguments: TransportUnderTest.all)
    func aDownloadIsLoggedRequestByRequestWithItsRanges(transport: TransportUnderTest) async throws {
        let stream = RecordingStream()
        let folder = try TemporaryDirectory()
        let server = try LoopbackServer { request in
            let isFirst = request.value(forHeader: "Range") == nil
            return isFirst
                ? [
                    .send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\nabc"),
                    .close,
                ]
                : .respond(status: 206, headers: ["ETag": "\"1\"", "Content-Range": "bytes 3-5/6"], body: "def")
        }
        let again = ClosureInterceptor { request, next in
            do { return try await next(request) } catch { return try await next(request) }
        }
        let client = try LoggedWireTests.client(transport, stream, [.status, .headers], interceptors: [again])
        _ = try await client.download(
            URLRequest(url: server.url("/a")),
            to: folder.url.appendingPathComponent("file")
        ).value
        let records = stream.messages
        try #require(records.count == 4)
        #expect(records[0].contains("Accept-Encoding: identity") && !records[0].contains("Range"))
        #expect(records[1].hasPrefix("GET \(server.url("/a")) failed after "))
        #expect(records[2].hasPrefix("GET \(server.url("/a")) (attempt 2)\n"))
        #expect(records[2].contains("Range: bytes=3-\n") || records[2].hasSuffix("Range: bytes=3-"))
        #expect(records[3].hasPrefix("GET \(server.url("/a")) → 206 in "))
    }

    /// Responses to the request for the last part of a download, and the ends of their records.
    private static let refusals: [(Script, String)] = [
        (.respond(status: 401, body: "expired"), " → 401"),
        (.redirect(to: "ftp://h/b"), "was redirected to a URL with the scheme 'ftp', which is not HTTP: 'ftp://h/b'."),
    ]

    @Test(.spec(191), arguments: TransportUnderTest.all, refusals.indices)
    func aFailureOfALaterRequestOfADownloadIsLoggedOnce(transport: TransportUnderTest, index: Int) async throws {
        let (refusal, end) = Self.refusals[index]
        let stream = RecordingStream()
        let folder = try TemporaryDirectory()
        let server = try LoopbackServer { request in
            switch request.value(forHeader: "Range") {
            case nil: [.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 9\r\n\r\nabc"), .close]
            case "bytes=3-":
                .respond(status: 206, headers: ["ETag": "\"1\"", "Content-Range": "bytes 3-5/9"], body: "def")
            default: refusal
            }
        }
        let client = try LoggedWireTests.client(transport, stream, interceptors: [PersistentInterceptor()])
        let download = client.download(
            URLRequest(url: server.url("/a")),
            to: folder.url.appendingPathComponent("file")
        )
        await #expect(throws: NetworkClient.Error.self) { try await download.value }
        let records = stream.messagesWithoutDuration
        let parts = records.filter { $0.contains(" → 206") }
        let failures = records.filter { $0.contains(end) }
        expectAll((parts.count, failures.count), (1, 1), "\(records)")
    }

    @Test(arguments: TransportUnderTest.all)
    func aBodyThatIsReadWithProgressIsLoggedLikeAnyOther(transport: TransportUnderTest) async throws {
        let stream = RecordingStream()
        let text = String(repeating: "x", count: 100_000)
        let server = try LoopbackServer { _ in .respond(headers: ["Content-Type": "text/plain"], body: text) }
        let client = try LoggedWireTests.client(transport, stream, .full)
        let request = URLRequest(url: server.url("/a"))
        try await client.fetch(request: request, options: CallOptions { $0.progress = { _ in } })
        try await client.fetch(request: request)
        try #require(stream.messages.count == 4)
        let bodies = [1, 3].map { stream.messages[$0].components(separatedBy: "\n").suffix(2) }
        expect(bodies[0], bodies[1])
        expect(bodies[0].last, "  … 95904 more bytes")
    }

    @Test func onlyTheBeginningOfALongBodyIsLoggedAndAllOfItCounted() async throws {
        let stream = RecordingStream()
        let folder = try TemporaryDirectory()
        let chunk = Data(repeating: UInt8(ascii: "x"), count: 1 << 18)
        let transport = ClosureTransport { _, _ in
            let chunks = AsyncStream<Data> { chunks in
                for _ in 0..<12 { chunks.yield(chunk) }
                chunks.finish()
            }
            return TransportResponse(response: .made(200, headers: ["Content-Type": "text/plain"]), chunks: chunks)
        }
        let client = NetworkClient(
            transport: transport,
            logging: DefaultLogger(logStream: stream, responseLevel: .body)
        )
        let request = URLRequest(url: url("http://h/"))
        _ = try await client.download(request, to: folder.url.appendingPathComponent("file")).value
        expect(stream.messages.first?.hasSuffix("  … \(12 * chunk.count - 4096) more bytes"), true)
        expect(stream.messages.count, 1)
    }

    @Test(arguments: TransportUnderTest.all)
    func aStreamIsLoggedWithItsHeadAndAgainIfItsBodyFails(transport: TransportUnderTest) async throws {
        let stream = RecordingStream()
        let gate = Gate()
        let server = try LoopbackServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .wait(gate), .close]
        }
        let client = try LoggedWireTests.client(transport, stream)
        let body = try await client.stream(URLRequest(url: server.url("/a"))).item
        let line = "GET \(server.url("/a"))"
        expect(stream.messagesWithoutDuration, ["\(line) → 200"])
        gate.open()
        await #expect(throws: NetworkClient.Error.self) { for try await _ in body {} }
        expect(stream.messages.count, 2)
        expect(stream.messagesWithoutDuration.last?.hasPrefix("\(line) failed: "), true)
    }

    /// A reader of a body that fails by itself, with the bytes and the type for which it does.
    struct Reader: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let type: String
        let body: String
        let read: @Sendable (NetworkClient, URLRequest) async throws -> Void

        static let all: [Reader] = [
            Reader(testDescription: "a text beyond its limit", type: "text/plain", body: "abcdef") {
                _ = try await $0.stream($1).item.text(limit: 3)
            },
            Reader(testDescription: "a body that is not JSON", type: "application/json", body: "x") {
                let _: Int = try await $0.stream($1).item.decoded()
            },
            Reader(testDescription: "a value that is not JSON", type: "application/jsonl", body: "1\nx\n") {
                for try await _ in try await $0.stream($1).item.values(of: Int.self) {}
            },
            Reader(testDescription: "events of another type", type: "application/json", body: "[]") {
                for try await _ in $0.events($1) {}
            },
            Reader(testDescription: "events without their end", type: "text/event-stream", body: "data: 1\n\n") {
                for try await _ in $0.events($1).values(of: Int.self, until: "[DONE]") {}
            },
        ]
    }

    @Test(.spec(153, 191), arguments: TransportUnderTest.all, Reader.all)
    func aFailureOfAReaderIsInTheLogTheReportAndTheError(transport: TransportUnderTest, reader: Reader) async throws {
        let (stream, reports) = (RecordingStream(), Locked<[CallReport]>([]))
        let count = Locked(0)
        let server = try LoopbackServer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1 ? .close : .respond(headers: ["Content-Type": reader.type], body: reader.body)
        }
        let observed = NetworkClient.Configuration(observer: { report in reports.withLock { $0.append(report) } })
        for configuration in [NetworkClient.Configuration(), observed] {
            // The first call is sent again after a lost connection, which is in the log, too.
            let attempts = count.withLock { $0 == 0 ? 2 : 1 }
            let interceptors = attempts == 2 ? [PersistentInterceptor()] : []
            let client = try LoggedWireTests.client(
                transport,
                stream,
                interceptors: interceptors,
                configuration: configuration
            )
            let error = await #expect(throws: NetworkClient.Error.self) {
                try await reader.read(client, .post(url: server.url("/a")).noBody().build())
            }
            let (line, mark) = ("POST \(server.url("/a"))", attempts == 2 ? " (attempt 2)" : "")
            expect(
                stream.messagesWithoutDuration.suffix(2),
                ["\(line) → 200\(mark)", "\(line) failed\(mark): \(error?.description ?? "")"]
            )
            expect(error?.journey?.attempts, attempts)
            let ends = error?.journey?.steps.map(\.kind).filter { [.response, .failure].contains($0) }
            expect(ends, attempts == 2 ? [.failure, .response, .failure] : [.response, .failure])
        }
        try await eventually("the report") { reports.withLock { !$0.isEmpty } }
        let report = reports.withLock { $0[0] }
        #expect(report.error != nil && report.journey.steps.contains { $0.kind == .failure })
    }

    @Test(arguments: TransportUnderTest.all)
    func aStreamThatIsReadOrLeftIsLoggedOnce(transport: TransportUnderTest) async throws {
        let stream = RecordingStream()
        let server = try LoopbackServer { _ in .respond(body: "abc") }
        let client = try LoggedWireTests.client(transport, stream)
        let request = URLRequest(url: server.url("/a"))
        for try await _ in try await client.stream(request).item {}
        _ = try await client.stream(request)
        expect(stream.messagesWithoutDuration, Array(repeating: "GET \(server.url("/a")) → 200", count: 2))
    }

    @Test(arguments: TransportUnderTest.all)
    func theErrorOfAStreamIsLoggedWithItsBody(transport: TransportUnderTest) async throws {
        let stream = RecordingStream()
        let server = try LoopbackServer { _ in
            .respond(status: 500, headers: ["Content-Type": "text/plain"], body: "out of order")
        }
        let client = try LoggedWireTests.client(transport, stream, .body)
        _ = try? await client.stream(URLRequest(url: server.url("/a")))
        expect(stream.messagesWithoutDuration.last, "GET \(server.url("/a")) → 500\n  out of order")
    }
}
