import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Bodies that are read while they are received.
struct ResponseBodyTests {
    /// More bytes than the buffers of two sockets and of the library hold together.
    private static let longLength = 64 << 20

    private static func long(then steps: Script...) -> Script {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(longLength)\r\n\r\n"
        return Script([.send(head), .repeat([UInt8](repeating: 7, count: 1 << 16), count: longLength >> 16)] + steps)
    }

    @Test(.spec(138), arguments: TransportUnderTest.all)
    func chunksAreReadWhileTheServerSends(transport: TransportUnderTest) async throws {
        let hasRead = Gate()
        let server = try LoopbackServer { _ in
            [.respond(length: .stated(10), body: "hello"), .wait(hasRead), .send("world")]
        }
        let response = try await transport.client().stream(URLRequest(url: server.url))
        expect(response.statusCode, 200)
        expect(response.item.expectedLength, 10)
        var iterator = response.item.makeAsyncIterator()
        expect(try await iterator.next(), Data("hello".utf8))
        hasRead.open()
        expect(try await iterator.next(), Data("world".utf8))
        expect(try await iterator.next(), nil)
        expect(try await iterator.next(), nil)
    }

    @Test(.spec(138), arguments: TransportUnderTest.all)
    func aStreamedBodyIsReadToItsLastByte(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in Self.long() }
        let response = try await transport.client().stream(URLRequest(url: server.url))
        var count = 0
        for try await chunk in response.item {
            expect(chunk, Data(repeating: 7, count: chunk.count))
            count += chunk.count
        }
        expect(count, Self.longLength)
    }

    @Test(.spec(138), arguments: TransportUnderTest.all(without: .cannotMakeTheServerWait))
    func theServerWaitsForTheReaderOfAStreamedBody(transport: TransportUnderTest) async throws {
        let isSent = Gate()
        let server = try LoopbackServer { request in
            request.target == "/" ? Self.long(then: .open(isSent)) : [.respond(body: "small")]
        }
        let client = try transport.client()
        let response = try await client.stream(URLRequest(url: server.url))
        let other = URLRequest(url: server.url("/small"))
        var count = 0
        for try await chunk in response.item {
            // Other calls give the client time to receive more than it should of this body.
            if count == 0 { for _ in 0..<300 { _ = try await client.fetch(request: other) } }
            count += chunk.count
            // The other 48 MB are more than the buffers of the system (up to 36 MB) and of the client hold.
            if count < Self.longLength / 4 { #expect(!isSent.isOpen) }
        }
        expect(count, Self.longLength)
    }

    @Test(.spec(138), arguments: TransportUnderTest.all)
    func leavingTheLoopStopsAStreamedBody(transport: TransportUnderTest) async throws {
        let hasClosed = Gate()
        let server = try LoopbackServer { _ in
            [.respond(length: .omitted, body: "hello"), .awaitPeerClose(then: hasClosed)]
        }
        let response = try await transport.client().stream(URLRequest(url: server.url))
        for try await chunk in response.item {
            expect(chunk, Data("hello".utf8))
            break
        }
        try await withDeadline { try await hasClosed.wait() }
        withExtendedLifetime(response) {}
    }

    @Test(arguments: TransportUnderTest.all)
    func releasingAStreamedBodyStopsIt(transport: TransportUnderTest) async throws {
        let hasClosed = Gate()
        let server = try LoopbackServer { _ in
            [.respond(length: .omitted, body: "hello"), .awaitPeerClose(then: hasClosed)]
        }
        let client = try transport.client()
        _ = try await client.stream(URLRequest(url: server.url))
        try await withDeadline { try await hasClosed.wait() }
        expect(client.calls.count, 0)
    }

    @Test(.spec(138), arguments: TransportUnderTest.all)
    func cancellingTheReadingTaskEndsAStreamedBody(transport: TransportUnderTest) async throws {
        let (hasRead, hasClosed) = (Gate(), Gate())
        let server = try LoopbackServer { _ in
            [.respond(length: .omitted, body: "hello"), .awaitPeerClose(then: hasClosed)]
        }
        let client = try transport.client()
        let task = Task {
            let response = try await client.stream(URLRequest(url: server.url))
            for try await _ in response.item { hasRead.open() }
        }
        try await withDeadline { try await hasRead.wait() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await task.value } }
        try await withDeadline { try await hasClosed.wait() }
    }

    @Test(arguments: TransportUnderTest.all)
    func cancelAllEndsAStreamedBody(transport: TransportUnderTest) async throws {
        let hasClosed = Gate()
        let server = try LoopbackServer { _ in
            [.respond(length: .omitted, body: "hello"), .awaitPeerClose(then: hasClosed)]
        }
        let client = try transport.client()
        let response = try await client.stream(URLRequest(url: server.url))
        var iterator = response.item.makeAsyncIterator()
        #expect(try await iterator.next() != nil)
        client.cancelAll()
        await #expect(throws: CancellationError.self) { try await iterator.next() }
        try await withDeadline { try await hasClosed.wait() }
        expect(client.calls.count, 0)
    }

    /// Whether the body has been received by then makes no difference.
    @Test(arguments: TransportUnderTest.all)
    func aStreamedBodyThatIsCompleteEndsWithCancelAllToo(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond(body: "hello") }
        let client = try transport.client()
        let response = try await client.stream(URLRequest(url: server.url))
        client.cancelAll()
        await #expect(throws: CancellationError.self) { try await response.item.text() }
    }

    @Test(arguments: TransportUnderTest.all)
    func aStreamedBodyCanBeReadOnce(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond(body: "hello") }
        let response = try await transport.client().stream(URLRequest(url: server.url))
        expect(try await response.item.text(), "hello")
        await #expect(throws: NetworkClient.Error.self) { try await response.item.text() }
    }

    @Test(arguments: TransportUnderTest.all)
    func aStreamedBodyReturnsItsBytesBeforeItsError(transport: TransportUnderTest) async throws {
        let hasRead = Gate()
        let server = try LoopbackServer { _ in
            [.respond(length: .stated(10), body: "hello"), .wait(hasRead), .reset]
        }
        let response = try await transport.client().stream(URLRequest(url: server.url))
        var iterator = response.item.makeAsyncIterator()
        expect(try await iterator.next(), Data("hello".utf8))
        hasRead.open()
        let error = await #expect(throws: NetworkClient.Error.self) { try await iterator.next() }
        expect(error?.reason, .connectionLost)
    }

    @Test(arguments: TransportUnderTest.all)
    func aStreamedCallFollowsRedirects(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer(routes: ["/a": .redirect(to: "/b"), "/b": .respond(body: "there")])
        let response = try await transport.client().stream(URLRequest(url: server.url("/a")))
        expect(try await response.item.text(), "there")
        expect(response.metrics?.redirects, 1)
        expect(server.connectionCount, 1)
    }

    @Test(arguments: TransportUnderTest.all)
    func aStreamedBodyThatWasReadLeavesItsConnectionToTheNextCall(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond(body: "hello") }
        let client = try transport.client()
        for _ in 0..<5 {
            let response = try await client.stream(URLRequest(url: server.url))
            expect(try await response.item.text(), "hello")
        }
        expect(server.connectionCount, 1)
    }

    @Test(arguments: TransportUnderTest.all)
    func aStreamedBodyIsDecodedWhileItIsRead(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer(routes: [
            "/text": .respond(headers: ["Content-Encoding": "gzip"], body: CodedText.gzip.bytes),
            "/bomb": .respond(headers: ["Content-Encoding": "gzip"], body: Gzip.bomb(decodedLength: 64 << 20)),
        ])
        let client = try transport.client()
        let response = try await client.stream(URLRequest(url: server.url("/text")))
        expect(response.item.expectedLength, nil)
        expect(try await response.item.text(), CodedText.text)
        let bomb = try await client.stream(URLRequest(url: server.url("/bomb")))
        let error = await #expect(throws: NetworkClient.Error.self) { try await bomb.item.data(limit: 1 << 20) }
        expect(error?.reason, .bodyTooLarge)
    }

    private struct Item: Decodable, Equatable {
        let firstName: String
    }

    @Test(.spec(192), arguments: TransportUnderTest.all)
    func jsonOfAStreamedBodyIsReadByTheDecoderOfTheCallOrTheClient(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .json(#"{"first_name": "a", "firstName": "b"}"#) }
        let request = URLRequest(url: server.url)
        let snakeCase = DefaultDecoder(keyDecodingStrategy: .convertFromSnakeCase)
        func name(_ client: NetworkClient, _ options: CallOptions = CallOptions()) async throws -> String {
            try await client.stream(request, options: options).item.decoded(as: Item.self).firstName
        }
        expect(try await name(transport.client(decoder: snakeCase)), "a")
        expect(try await name(transport.client()), "b")
        expect(try await name(transport.client(), CallOptions(decoder: snakeCase)), "a")
        expect(try await name(transport.client(decoder: snakeCase), CallOptions(decoder: .default)), "b")
        let body = try await transport.client(decoder: snakeCase).stream(request).item
        expect(try await body.decoded(as: Item.self, by: .default), Item(firstName: "b"))
    }

    @Test(.spec(192, 66), arguments: TransportUnderTest.all)
    func textOfAStreamedBodyIsReadInTheCharsetOfTheResponse(transport: TransportUnderTest) async throws {
        func plain(_ bytes: [UInt8], _ charset: String) -> Script {
            .respond(headers: ["Content-Type": "text/plain; charset=\(charset)"], body: bytes)
        }
        let server = try LoopbackServer(routes: [
            "/latin1": plain([0x63, 0xE9], "iso-8859-1"), "/utf16": plain([0x63, 0, 0xE9, 0], "utf-16le"),
            "/none": .respond(headers: ["Content-Type": "text/plain"], body: "\u{FEFF}cé"),
            "/literal": .json("\"cé\""), "/invalid": plain([0x63, 0xFF], "utf-8"),
            "/unknown": plain([0x63], "x-nonsense"),
        ])
        let client = try transport.client()
        func text(_ path: String) async throws -> String {
            try await client.stream(URLRequest(url: server.url(path))).item.text()
        }
        for path in ["/latin1", "/utf16", "/none"] { expect(try await text(path), "cé", "\(path)") }
        expect(try await text("/literal"), "\"cé\"")
        expect(try await text("/invalid"), "c\u{FFFD}")
        await #expect {
            try await text("/unknown")
        } throws: { error in
            if case NetworkClient.Error.decodingError = error { true } else { false }
        }
    }

    /// The time in which the body is not read does not count as the server's.
    @Test(.spec(114), arguments: TransportUnderTest.all)
    func aStreamedBodyDoesNotTimeOutWhileItIsNotRead(transport: TransportUnderTest) async throws {
        let (client, silent) = try await transport.connected { [.awaitPeerClose()] }
        let server = try LoopbackServer { _ in Self.long() }
        let options = CallOptions(idleTimeout: 3)
        let response = try await client.stream(URLRequest(url: server.url), options: options)
        var iterator = response.item.makeAsyncIterator()
        var count = try await iterator.next()?.count ?? 0
        // Another call shows that this time has passed.
        expect(await client.outcome(of: URLRequest(url: silent.url), options: options), .failed(.timedOut))
        while let chunk = try await iterator.next() { count += chunk.count }
        expect(count, Self.longLength)
    }

    @Test(.spec(114), arguments: TransportUnderTest.all)
    func aStreamedBodyTimesOutIfTheServerStalls(transport: TransportUnderTest) async throws {
        let (client, server) = try await transport.connected {
            [.respond(length: .stated(10), body: "hello"), .awaitPeerClose()]
        }
        // Long enough for the head to be received on a busy machine.
        let options = CallOptions(idleTimeout: 3)
        let response = try await client.stream(URLRequest(url: server.url), options: options)
        let error = await #expect(throws: NetworkClient.Error.self) { try await response.item.data() }
        expect(error?.reason, .timedOut)
    }
}

extension NetworkClient.Error {
    /// The reason of a failed exchange; nil for any other error.
    var reason: TransportError.Reason? {
        guard case .requestError(let error) = self else { return nil }
        return error.reason
    }
}
