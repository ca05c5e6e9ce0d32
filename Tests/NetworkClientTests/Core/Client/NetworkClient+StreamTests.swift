import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Calls whose responses are read while they are received.
struct NetworkClientStreamTests {
    @Test(arguments: TransportUnderTest.all)
    func theStreamedBodyOfAnErrorIsBounded(transport: TransportUnderTest) async throws {
        let long = [UInt8](repeating: 7, count: 3 << 20)
        let server = try LoopbackServer(routes: [
            "/short": .respond(status: 404, body: "none"), "/long": .respond(status: 500, body: long),
        ])
        let client = try transport.client()
        for (path, status, body) in [("/short", 404, Data("none".utf8)), ("/long", 500, Data(long.prefix(1 << 20)))] {
            await #expect {
                try await client.stream(URLRequest(url: server.url(path)))
            } throws: { error in
                guard case NetworkClient.Error.apiError(let response, let data) = error else { return false }
                return response.statusCode == status && data == body
            }
        }
        let error = await #expect(throws: NetworkClient.Error.self) {
            let request = URLRequest(url: server.url("/long"))
            _ = try await client.stream(request, options: CallOptions(bodyLimit: 4 << 20))
        }
        expect(error?.data?.count, 3 << 20)
    }

    @Test(.spec(131), arguments: TransportUnderTest.all)
    func aStreamedResponsePassesTheInterceptorsAsAHead(transport: TransportUnderTest) async throws {
        let seen = Recorder<String>()
        let server = try LoopbackServer { _ in .respond(headers: ["X-A": "1"], body: "hello") }
        let client = try transport.client(interceptors: [watcher(seen: seen), watcher(seen: seen)])
        let response = try await client.stream(URLRequest(url: server.url))
        expect(response["x-a"], "1")
        expect(try await response.item.text(), "hello")
        expect(seen.values, ["200 0", "200 0"])
        expect(server.requests.first?.value(forHeader: "X-Seen"), "yes")
    }

    private func watcher(seen: Recorder<String>) -> ClosureInterceptor {
        ClosureInterceptor { request, next in
            var request = request
            request.setValue("yes", forHTTPHeaderField: "X-Seen")
            let result = try await next(request)
            seen.record("\(result.response.statusCode) \(result.data.count)")
            return result
        }
    }

    @Test func anInterceptorMayReplaceAStreamedBody() async throws {
        let server = try LoopbackServer { _ in .respond(body: "hello") }
        let client = NetworkClient(interceptors: [Self.replacing], logging: .off)
        let response = try await client.stream(URLRequest(url: server.url))
        expect(try await response.item.text(), "replaced")
    }

    private static let replacing = ClosureInterceptor { request, next in
        (Data("replaced".utf8), try await next(request).response)
    }

    /// One connection is enough, since the body of the first response is given up for the second.
    @Test(arguments: TransportUnderTest.all)
    func aStreamedBodyIsThatOfTheLastResponse(transport: TransportUnderTest) async throws {
        let hasClosed = Gate()
        let server = try LoopbackServer { request in
            guard request.value(forHeader: "X-Index") == "0" else { return .respond(body: "second") }
            return [.respond(length: .omitted, body: "first"), .awaitPeerClose(then: hasClosed)]
        }
        let client = NetworkClient(
            transport: try transport.transport(hasOneConnection: true),
            interceptors: [Self.twice],
            logging: .off
        )
        let response = try await withDeadline { try await client.stream(URLRequest(url: server.url)) }
        expect(try await response.item.text(), "second")
        try await withDeadline { try await hasClosed.wait() }
    }

    private static let twice = ClosureInterceptor { request, next in
        var first = request
        first.setValue("0", forHTTPHeaderField: "X-Index")
        _ = try await next(first)
        return try await next(request)
    }

    /// An empty body has no coding, whatever its head states.
    @Test(arguments: TransportUnderTest.all)
    func anEmptyStreamedBodyIsEmptyWhateverItsCoding(transport: TransportUnderTest) async throws {
        let fields: WireFields = ["Content-Encoding": "rot13", "Location": "/there"]
        let server = try LoopbackServer(routes: [
            "/empty": .respond(status: 204, headers: fields), "/redirect": .respond(status: 302, headers: fields),
            "/there": .respond(body: "there"), "/error": .respond(status: 404, headers: fields),
        ])
        let client = try transport.client()
        let empty = try await client.stream(URLRequest(url: server.url("/empty")))
        expect(try await empty.item.data(), Data())
        let redirected = try await client.stream(URLRequest(url: server.url("/redirect")))
        expect(try await redirected.item.text(), "there")
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await client.stream(URLRequest(url: server.url("/error")))
        }
        expect(error?.statusCode, 404)
    }

    @Test(arguments: TransportUnderTest.all)
    func aCompressedStreamEndsImmediatelyWhenItIsCancelled(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in
            .respond(headers: ["Content-Encoding": "gzip"], body: Gzip.bomb(decodedLength: 64 << 20))
        }
        let response = try await transport.client().stream(URLRequest(url: server.url))
        var iterator = response.item.makeAsyncIterator()
        #expect(try await iterator.next() != nil)
        response.item.cancel()
        await #expect(throws: CancellationError.self) { try await iterator.next() }
    }

    @Test(arguments: TransportUnderTest.all)
    func aStreamedResponseDoesNotKeepTheBodyOfTheRequest(transport: TransportUnderTest) async throws {
        let released = Gate()
        let server = try LoopbackServer { _ in .respond(body: "hello") }
        let client = try transport.client()
        let response = try await {
            let length = 1 << 16
            let bytes = UnsafeMutableRawPointer.allocate(byteCount: length, alignment: 1)
            bytes.initializeMemory(as: UInt8.self, repeating: 7, count: length)
            var request = URLRequest(url: server.url)
            request.method = .post
            request.httpBody = Data(
                bytesNoCopy: bytes,
                count: length,
                deallocator: .custom { bytes, _ in
                    bytes.deallocate()
                    released.open()
                }
            )
            return try await client.stream(request)
        }()
        expect(try await response.item.text(), "hello")
        try await withDeadline("the release of the request's body") { try await released.wait() }
        withExtendedLifetime(response) {}
    }

    @Test(arguments: TransportUnderTest.all, [-1, 0, 3])
    func theStreamedBodyOfAnErrorIsCutAtTheLimit(transport: TransportUnderTest, limit: Int) async throws {
        let server = try LoopbackServer { _ in .respond(status: 404, body: "hello") }
        let client = try transport.client()
        await #expect {
            try await client.stream(URLRequest(url: server.url), options: CallOptions(bodyLimit: limit))
        } throws: { error in
            guard case NetworkClient.Error.apiError(_, let data) = error else { return false }
            return data == Data("hello".utf8.prefix(max(0, limit)))
        }
    }

    @Test(arguments: TransportUnderTest.all)
    func aFailureInTheStreamedBodyOfAnErrorIsAnErrorOfTheLibrary(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in
            [.send("HTTP/1.1 500 No\r\nContent-Length: 10\r\n\r\nhello"), .closeWrite]
        }
        let client = try transport.client()
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await client.stream(URLRequest(url: server.url))
        }
        expect(error?.reason, .connectionLost)
    }

    @Test func aCustomTransportMayStreamABody() async throws {
        let transport = ClosureTransport { _, _ in
            let (chunks, continuation) = AsyncStream<Data>.makeStream()
            for text in ["one ", "two ", "three"] { continuation.yield(Data(text.utf8)) }
            continuation.finish()
            return TransportResponse(response: .made(), chunks: chunks)
        }
        let client = NetworkClient(transport: transport, logging: .off)
        let request = URLRequest(url: url("http://example.com"))
        let response = try await client.stream(request)
        expect(try await response.item.text(), "one two three")
        let whole: NetworkClient.Response<String> = try await client.fetch(request: request)
        expect(whole.item, "one two three")
        expect(await client.outcome(of: request, options: CallOptions(bodyLimit: 5)), .failed(.bodyTooLarge))
    }

    @Test func aCompleteBodyCanBeReadAsAStream() async throws {
        let client = NetworkClient(transport: ClosureTransport(json: #"{"id":1,"name":"a"}"#), logging: .off)
        let response = try await client.stream(URLRequest(url: url("http://example.com")))
        let values: [String: Value] = try await response.item.decoded()
        expect(values, ["id": .number(1), "name": .text("a")])
    }

    private enum Value: Decodable, Equatable {
        case number(Int)
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }
}
