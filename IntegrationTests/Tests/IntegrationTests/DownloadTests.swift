import Foundation
import NetworkClient
import Testing

@Suite(.server(.nginx), .server(.aiohttp), .timeLimit(.minutes(2)))
struct DownloadTests {
    private func target() throws -> URL {
        try ServerProcess.of(.aiohttp).folder.appendingPathComponent(UUID().uuidString)
    }

    /// Cancels a download when some bytes have arrived, and returns its token.
    private func interrupt(_ client: NetworkClient, _ url: URL, to target: URL) async throws -> ResumeToken? {
        let download = client.download(URLRequest.get(url: url).build(), to: target, isResumable: true)
        for await progress in download.progress where progress.completed > 0 { download.cancel() }
        await #expect(throws: CancellationError.self) { try await download.value }
        return download.resumeToken
    }

    @Test(arguments: [NginxPort.plain, .tls])
    func anInterruptedDownloadContinues(port: NginxPort) async throws {
        let client = try NetworkClient.forTests()
        let file = try target()
        let url = try port.url("/slow/file.bin")
        let token = try #require(try await interrupt(client, url, to: file))
        let request = URLRequest.get(url: try port.url("/file.bin")).build()
        let rest = try await client.download(request, to: file, resuming: token).value
        let original = try Data(contentsOf: ServerProcess.of(.nginx).folder.appendingPathComponent("file.bin"))
        #expect(rest.statusCode == 206 && rest["Content-Range"] != nil)
        #expect(try #require(rest.metrics?.bodyBytesReceived) < original.count)
        #expect(try Data(contentsOf: file) == original)
    }

    @Test(arguments: [NginxPort.plain, .tls])
    func aChangedFileIsDownloadedFromItsStart(port: NginxPort) async throws {
        let client = try NetworkClient.forTests()
        let name = "changing-\(port)"
        let original = try ServerProcess.of(.nginx).folder.appendingPathComponent(name)
        try Data(repeating: 1, count: 1 << 20).write(to: original)
        let file = try target()
        let token = try #require(try await interrupt(client, port.url("/slow/\(name)"), to: file))
        // nginx makes its tags of the length and the second of the last change.
        try Data(repeating: 2, count: (1 << 20) + 1).write(to: original)
        let request = URLRequest.get(url: try port.url("/\(name)")).build()
        let response = try await client.download(request, to: file, resuming: token).value
        #expect(response.statusCode == 200)
        #expect(try Data(contentsOf: file) == Data(contentsOf: original))
    }

    /// Parts of a coded body can't be joined, so a download asks for none.
    @Test func aServerThatCompressesSendsADownloadUnchanged() async throws {
        let client = try NetworkClient.forTests()
        let (file, other) = (try target(), try target())
        let token = try #require(try await interrupt(client, NginxPort.plain.url("/slow-coded/words.json"), to: file))
        let request = URLRequest.get(url: try NginxPort.tls.url("/coded/words.json")).build()
        #expect(try await client.download(request, to: file, resuming: token).value.statusCode == 206)
        let whole = try await client.download(request, to: other).value
        #expect(whole["Content-Encoding"] == nil)
        let words = try ServerProcess.of(.nginx).folder.appendingPathComponent("words.json")
        for copy in [file, other] { #expect(try Data(contentsOf: copy) == Data(contentsOf: words)) }
    }

    struct Cut: Sendable, CustomTestStringConvertible {
        let query: String
        let status: Int
        let ranges: [Bool]
        var version = "1"
        var testDescription: String { query }
    }

    /// aiohttp breaks off in the middle.
    @Test(
        arguments: [
            Cut(query: "times=0", status: 200, ranges: [false]),
            Cut(query: "times=1", status: 206, ranges: [false, true]),
            Cut(query: "times=2", status: 206, ranges: [false, true, true]),
            Cut(query: "times=1&weak=1", status: 200, ranges: [false, false]),
            Cut(query: "times=1&changes=1", status: 200, ranges: [false, true], version: "2"),
            Cut(query: "times=2&changes=1", status: 206, ranges: [false, true, true], version: "2"),
        ]
    )
    func aRetryAsksForTheMissingBytes(row: Cut) async throws {
        let client = try NetworkClient.forTests([.retry(RetryPolicy(backoff: Backoff(base: 0)))])
        let server = try ServerProcess.of(.aiohttp)
        let file = try target()
        let key = "\(UUID().uuidString)&size=3000000"
        let response = try await client.download(.get(url: server.url("/cut?\(row.query)&key=\(key)")), to: file).value
        let seen = try await client.fetch(.get(url: server.url("/seen?key=\(key)")), as: [[String: String]].self).item
        #expect(response.statusCode == row.status && response["ETag"]?.contains("\"\(row.version)\"") == true)
        #expect(seen.map { $0["Range"] != nil } == row.ranges, "\(seen)")
        let data = try Data(contentsOf: file)
        // A digest of 32 bytes, again and again.
        #expect(data.count == 3_000_000 && data[0..<32] == data[1_600_000..<1_600_032])
        #expect(data.suffix(32_000).prefix(24_000) == data.dropFirst(2_968_000).prefix(24_000))
    }
}
