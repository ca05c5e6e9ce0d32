#if os(Linux)
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct CurlTransportTests {
    @Test func theDescriptionContainsTheVersionOfLibcurl() throws {
        let text = try CurlTransport().description
        #expect(text.hasPrefix("CurlTransport (libcurl ") && text.hasSuffix(")"))
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete, .head, .options, .query])
    func theMethodIsSent(method: HTTPMethod) async throws {
        let server = try LoopbackServer { _ in .respond(headers: ["Content-Length": "0"]) }
        let client = NetworkClient(transport: try CurlTransport(), logging: .off)
        try await client.fetch(request: URLRequest.build().method(method, url: server.url).noBody().build())
        let request = try #require(server.requests.first)
        #expect(request.method == method.rawValue)
        let hasLength = [.post, .put, .patch].contains(method)
        #expect(request.framing == (hasLength ? .contentLength(0) : .none))
        #expect(request.value(forHeader: "Content-Type") == nil)
    }

    @Test(arguments: CodedText.all)
    func theCodingsThatWereAskedForAreDecoded(coded: CodedText) async throws {
        let server = try LoopbackServer { request in
            let accepted = request.value(forHeader: "Accept-Encoding") ?? ""
            let codings = coded.coding.split(separator: ", ")
            guard codings.allSatisfy(accepted.split(separator: ", ").contains) else {
                return .respond(body: CodedText.text)
            }
            return .respond(headers: ["Content-Encoding": coded.coding], body: coded.bytes)
        }
        let client = NetworkClient(transport: try CurlTransport(), logging: .off)
        let response: NetworkClient.Response<String> = try await client.fetch(request: URLRequest(url: server.url))
        #expect(response.item == CodedText.text)
        let sent = try #require(server.requests.first)
        #expect(sent.value(forHeader: "Accept-Encoding") == ContentCoding.accepted)
    }

    /// libcurl's own limit, from 8.3 on, is a little higher.
    @Test func aHeadThatIsTooLongIsNamedAsSuch() async throws {
        let line = "X-A: \(String(repeating: "x", count: 60_000))\r\n"
        let server = try LoopbackServer { _ in
            [.send("HTTP/1.1 200 OK\r\n\(String(repeating: line, count: 6))\r\n"), .close]
        }
        let client = NetworkClient(transport: try CurlTransport(), logging: .off)
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(request: URLRequest(url: server.url))
        }
        #expect(error?.description.contains("the heads of the response have more than 300000 bytes") == true)
    }

    /// A short body has come whole, and of a coded one no decoded bytes are left.
    @Test(arguments: [1 << 16, 1 << 21], [true, false])
    func cancellingABodyThatWasReadToItsEndChangesNothing(count: Int, isCoded: Bool) async throws {
        let text = String(repeating: "x", count: count)
        let server = try LoopbackServer { _ in
            isCoded ? .respond(headers: ["Content-Encoding": "gzip"], body: Gzip.stored(text)) : .respond(body: text)
        }
        let client = NetworkClient(transport: try CurlTransport(), logging: .off)
        let body = try await client.stream(URLRequest(url: server.url)).item
        var (iterator, received) = (body.makeAsyncIterator(), 0)
        while let chunk = try await iterator.next() { received += chunk.count }
        body.cancel()
        #expect(try await iterator.next() == nil)
        #expect(received == count)
    }

    /// libcurl gives up after the sixth connection.
    @Test func aRequestIsSentOverANewConnectionWhenAllKeptOnesAreDead() async throws {
        let haveCome = Gate()
        let server = try LoopbackServer { request in
            guard request.indexOnConnection == 0 else { return [.close] }
            return request.path == "/first" ? [.wait(haveCome), .respond()] : .respond(body: "second")
        }
        let client = NetworkClient(transport: try CurlTransport(), logging: .off)
        let first = URLRequest(url: server.url("/first"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<32 { group.addTask { try await client.fetch(request: first) } }
            try await server.waitForRequests(count: 32)
            haveCome.open()
            try await group.waitForAll()
        }
        let second = URLRequest(url: server.url("/second"))
        let response: NetworkClient.Response<String> = try await client.fetch(request: second)
        #expect(response.item == "second")
    }

    @Test func aRequestMaySetItsOwnAcceptEncoding() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = NetworkClient(transport: try CurlTransport(), logging: .off)
        var request = URLRequest(url: server.url)
        request.setValue("identity", forHTTPHeaderField: "accept-encoding")
        try await client.fetch(request: request)
        let sent = try #require(server.requests.first)
        #expect(sent.headers.filter { $0.name.lowercased() == "accept-encoding" }.map(\.value) == ["identity"])
    }

    /// The requests are sent one after the other, so that they use the same handle of libcurl.
    @Test func eachRequestSendsItsOwnFieldsOnly() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = NetworkClient(transport: try CurlTransport(), logging: .off)
        let plain = URLRequest(url: server.url)
        var marked = plain
        marked.setValue("1", forHTTPHeaderField: "X-Mark")
        var other = plain
        other.setValue("2", forHTTPHeaderField: "X-Mark")
        var post = marked
        post.httpMethod = "POST"
        let requests = [plain, marked, marked, plain, other, post, marked, plain]
        for request in requests { try await client.fetch(request: request) }
        let marks = ["", "1", "1", "", "2", "1", "1", ""]
        #expect(server.requests.map { $0.value(forHeader: "X-Mark") ?? "" } == marks)
        #expect(server.requests.allSatisfy { $0.value(forHeader: "Accept-Encoding") == ContentCoding.accepted })
        #expect(server.requests.map(\.method) == requests.map { $0.httpMethod ?? "" })
        // Before 7.80, a POST has a connection of its own.
        #expect(server.connectionCount == (CurlLibrary.reportsConnections ? 1 : 2))
    }

    /// Two spellings of one text are equal to Swift (UAX #15), and are two values to a server.
    @Test func theBytesOfEachFieldValueAreSent() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = NetworkClient(transport: try CurlTransport(), logging: .off)
        let names = ["caf\u{E9}", "cafe\u{301}", "caf\u{E9}", "a\u{323}\u{307}", "a\u{307}\u{323}"]
        for name in names {
            var request = URLRequest(url: server.url)
            request.allHTTPHeaderFields = ["X-Name": name]
            try await client.fetch(request: request)
        }
        let sent = server.requests.map { Array(($0.value(forHeader: "X-Name") ?? "").utf8) }
        #expect(sent == names.map { Array($0.utf8) })
    }

    /// The server has received the request when it ends, so it may have processed it.
    @Test(.spec(105), arguments: ["GET", "PUT", "POST"])
    func aRequestThatWasSentIsNeverReportedAsUnsent(method: String) async throws {
        let server = try LoopbackServer { request in request.path == "/first" ? .respond() : [.awaitPeerClose()] }
        let client = NetworkClient(transport: try CurlTransport(), logging: .off)
        try await client.fetch(request: URLRequest(url: server.url("/first")))
        var request = URLRequest(url: server.url("/second"))
        request.httpMethod = method
        let (second, outcome) = (request, AwaitableValue<Outcome?>(nil))
        Task { [outcome] in
            let result = await client.outcome(of: second)
            outcome.update { $0 = result }
        }
        try await server.waitForRequests(count: 2)
        server.stop()
        #expect(try await outcome.wait { $0 } == .failed(.connectionLost))
    }

    /// A program may have any name.
    @Test(arguments: [("swift-test", "swift-test"), ("my app\r\nX: y", "my_app__X:_y"), ("é", "__"), ("", "program")])
    func theUserAgentContainsAValidProductName(name: String, product: String) {
        #expect(CurlTransfer.product(name) == product.replacingOccurrences(of: ":", with: "_"))
    }

    /// Or else every request would fail.
    @Test func aTransportIsNotCreatedWithASettingThatLibcurlRefuses() {
        let address = "http://" + String(repeating: "a", count: 9_000_000)
        let error = #expect(throws: TransportError.self) {
            try CurlTransport(configuration: .init(proxy: .server(url(address))))
        }
        #expect(error?.reason == .unsupported)
        #expect(error?.description.contains("does not support an option of the configuration") == true)
    }

    /// On libcurl 7.83 to 8.0 a handle that has received a header field frees memory twice at such a line.
    @Test(.spec(176)) func aHeadWhoseFirstFieldLineBeginsWithASpaceNeverEndsTheProcess() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/folded": .send("HTTP/1.1 200 OK\r\n folded: x\r\nContent-Length: 2\r\n\r\nok")
            case "/tab": .send("HTTP/1.1 200 OK\r\n\tfolded: x\r\nContent-Length: 2\r\n\r\nok")
            case "/redirect": .respond(status: 302, headers: ["Location": "/folded"])
            default: .respond(body: "ok")
            }
        }
        let client = NetworkClient(transport: try CurlTransport(), logging: .off)
        let paths = ["/plain", "/folded", "/plain", "/redirect", "/folded", "/tab", "/redirect", "/tab", "/plain"]
        for path in paths + paths {
            let outcome = await client.outcome(of: URLRequest(url: server.url(path)))
            // Some versions refuse such a head, and some pass the line on.
            if case .failed = outcome, path != "/plain" { continue }
            #expect(outcome == .answered(200, "ok"), "\(path)")
        }
    }

    /// A transport without a client refuses the URLs that a client refuses.
    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "dict://127.0.0.1/"])
    func noProtocolButHTTPIsUsed(place: String) async throws {
        let transport = try CurlTransport()
        await #expect(throws: TransportError.self) {
            try await transport.send(URLRequest(url: url(place)), options: TransportOptions())
        }
    }
}
#endif
