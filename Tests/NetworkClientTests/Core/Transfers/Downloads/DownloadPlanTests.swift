import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The responses that a download writes, by their status.
struct DownloadPlanTests {
    private static let content = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

    /// Responses that are accepted and do not carry the resource.
    private static let others: [(status: Int, script: Script)] = [
        (201, .respond(status: 201, body: "created")), (202, .respond(status: 202, body: "wait")),
        (204, .respond(status: 204)), (205, .respond(status: 205)), (304, .respond(status: 304)),
        (302, .redirect(to: "/elsewhere")), (404, .respond(status: 404, body: "none")),
    ]
    private static let options = CallOptions(
        acceptedStatuses: .successful.and(302, 304, 404),
        redirects: .never
    )

    @Test(.spec(167), arguments: TransportUnderTest.all, others.indices)
    func aDownloadLeavesTheFileUnchangedForAResponseWithoutTheResource(
        transport: TransportUnderTest,
        index: Int
    ) async throws {
        let (status, script) = Self.others[index]
        let directory = try TemporaryDirectory()
        let file = try directory.file("file.bin", "old")
        let missing = directory.url.appendingPathComponent("missing.bin")
        let server = try LoopbackServer { _ in script }
        let client = try transport.client()
        for destination in [file, missing] {
            let request = URLRequest(url: server.url)
            let download = client.download(request, to: destination, options: Self.options)
            let response = try await download.value
            expectAll((response.statusCode, response.item), (status, nil))
            expect(download.resumeToken, nil)
        }
        expect(try directory.names(), ["file.bin"])
        expect(try Data(contentsOf: file), Data("old".utf8))
    }

    @Test(.spec(167), arguments: TransportUnderTest.all, others.indices)
    func aResumedDownloadKeepsItsBytesForAResponseWithoutTheResource(
        transport: TransportUnderTest,
        index: Int
    ) async throws {
        let (status, script) = Self.others[index]
        let directory = try TemporaryDirectory()
        let file = try directory.file("file.bin", "old")
        let server = try ResourceServer { index in
            guard index == 1 else { return .init(content: Self.content, breaksAfter: index == 0 ? 100_000 : nil) }
            return .init(content: Self.content, partial: { _ in script })
        }
        let request = URLRequest(url: server.url)
        let client = try transport.client()
        let broken = client.download(request, to: file, isResumable: true)
        await #expect(throws: NetworkClient.Error.self) { try await broken.value }
        let token = try #require(broken.resumeToken)
        let refused = client.download(request, to: file, resuming: token, options: Self.options)
        let response = try await refused.value
        expectAll((response.statusCode, response.item), (status, nil))
        expect(try Data(contentsOf: file), Data("old".utf8))
        expect(refused.resumeToken, token)
        let resumed = client.download(request, to: file, resuming: token)
        expect(try await resumed.value.item, file)
        expect(server.ranges, ["none", "bytes=100000-", "bytes=100000-"])
        expect(try Data(contentsOf: file), Data(Self.content))
        expect(try directory.names(), ["file.bin"])
    }

    @Test(.spec(167), arguments: TransportUnderTest.all)
    func aDownloadOfHEADWritesNothing(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("file.bin", "old")
        let server = try LoopbackServer { _ in .respond(body: Self.content) }
        var request = URLRequest(url: server.url)
        request.httpMethod = "HEAD"
        let response = try await transport.client().download(request, to: file).value
        expectAll((response.statusCode, response.item), (200, nil))
        expect(try Data(contentsOf: file), Data("old".utf8))
        expect(try directory.names(), ["file.bin"])
    }

    @Test(.spec(167), arguments: TransportUnderTest.all)
    func aDownloadWritesWhatAProxyHasTransformed(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let server = try LoopbackServer { _ in .respond(status: 203, headers: ["ETag": "\"1\""], body: "hello") }
        let response = try await transport.client().download(URLRequest(url: server.url), to: file).value
        expectAll((response.statusCode, response.item), (203, file))
        expect(try Data(contentsOf: file), Data("hello".utf8))
    }

    /// A transformed body has the validator of another one.
    @Test(.spec(168), arguments: TransportUnderTest.all)
    func aDownloadNeverContinuesWhatAProxyHasTransformed(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let server = try LoopbackServer { _ in
            [.respond(status: 203, headers: ["ETag": "\"1\""], length: .stated(10), body: "hello"), .closeWrite]
        }
        let client = try transport.client()
        let download = client.download(URLRequest(url: server.url), to: file, isResumable: true)
        await #expect(throws: NetworkClient.Error.self) { try await download.value }
        expect(download.resumeToken, nil)
        expect(try directory.names(), [])
    }

    /// Supplies the response, before or after it has sent the request.
    private func answering(status: Int, body: String = "", sends: Bool) -> ClosureInterceptor {
        ClosureInterceptor { request, next in
            if sends { _ = try await next(request) }
            return (Data(body.utf8), .made(status))
        }
    }

    @Test(.spec(167), arguments: [204, 206, 304, 416], [true, false])
    func aDownloadWritesNothingForAnInterceptorsResponseWithoutTheResource(status: Int, sends: Bool) async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("file.bin", "old")
        let server = try LoopbackServer { _ in .respond(status: 202, body: "wait") }
        let client = NetworkClient(interceptors: [answering(status: status, sends: sends)], logging: .off)
        let response = try await client.download(URLRequest(url: server.url), to: file).value
        expectAll((response.statusCode, response.item), (status, nil))
        expect(try Data(contentsOf: file), Data("old".utf8))
        expect(try directory.names(), ["file.bin"])
    }

    /// Like a cache that has the body of a resource that was not modified, or an interceptor with a substitute.
    @Test(arguments: TransportUnderTest.all, [200, 304])
    func aDownloadWritesTheBodyThatAnInterceptorSuppliesInPlaceOfTheServers(
        transport: TransportUnderTest,
        status: Int
    ) async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("file.bin", "old")
        let server = try LoopbackServer { _ in
            status == 304 ? .respond(status: 304) : .respond(headers: ["ETag": "\"1\""], body: "from the server")
        }
        let client = try transport.client(
            interceptors: [answering(status: 200, body: "cached", sends: true)],
            configuration: .init(acceptedStatuses: .successful.and(304))
        )
        let response = try await client.download(URLRequest(url: server.url), to: file).value
        expect(response.item, file)
        expect(try Data(contentsOf: file), Data("cached".utf8))
        expect(try directory.names(), ["file.bin"])
    }
}

struct ContentRangeTests {
    private static let readable: [(String, Range<Int>?, Int?)] = [
        ("bytes 0-4/5", 0..<5, 5), ("bytes 2-4/*", 2..<5, nil), ("BYTES 0-0/1", 0..<1, 1), ("bytes */5", nil, 5),
    ]

    @Test(arguments: readable)
    func aContentRangeIsParsed(text: String, range: Range<Int>?, total: Int?) throws {
        let part = try #require(ContentRange(text))
        expectAll((part.range, part.total), (range, total))
    }

    @Test(arguments: [
        "", "bytes", "bytes 0-4", "bytes 4-0/5", "bytes 0-5/5", "bytes */*", "lines 0-4/5", "bytes -4/5", "bytes 0-/5",
        "bytes 0-4/x", "bytes 0-9223372036854775808/*", "bytes 0-9223372036854775807/*", "bytes +0-4/5",
        "bytes 0 - 4/5",
    ])
    func anInvalidContentRangeIsRefused(text: String) {
        expect(ContentRange(text), nil)
    }
}
