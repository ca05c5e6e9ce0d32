import Foundation
import NetworkClient
import Testing

/// aiohttp on a port and, on Linux, on a Unix domain socket.
@Suite(.server(.aiohttp), .timeLimit(.minutes(2)))
struct AiohttpTests {
    /// A request as the server received it.
    struct Echo: Decodable, Sendable {
        let method: String
        let target: String
        let fields: [[String]]
        let body: String
    }

    /// A client, and a base URL at which it reaches the server.
    struct Place: Sendable {
        let client: NetworkClient
        let url: URL
        /// Keeps the process.
        let server: ServerProcess

        init(isSocket: Bool) async throws {
            #if os(Linux)
            if isSocket {
                server = try await ServerProcess.start(.aiohttp, ["server.sock"])
                let path = server.folder.appendingPathComponent("server.sock").path
                client = NetworkClient(transport: try CurlTransport(configuration: .init(unixSocket: path)))
                url = try URL(http: "http://docker")
                return
            }
            #endif
            server = try ServerProcess.of(.aiohttp)
            client = try .forTests()
            url = try server.url("")
        }

        func url(_ path: String) -> URL { URL(string: url.absoluteString + path) ?? url }
    }

    #if os(Linux)
    static let kinds = [false, true]
    #else
    static let kinds = [false]
    #endif

    @Test(arguments: kinds)
    func manyCallsAtOnceArriveUnchanged(isSocket: Bool) async throws {
        let place = try await Place(isSocket: isSocket)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let request = URLRequest.post(url: place.url("/a%2Fb?n=\(number)")).bodyText("text \(number)")
                        .build()
                    let echo = try await place.client.fetch(request: request, as: Echo.self).item
                    #expect(
                        echo.method == "POST" && echo.target == "/a%2Fb?n=\(number)" && echo.body == "text \(number)"
                    )
                    #expect(isSocket == echo.fields.contains { $0 == ["Host", "docker"] })
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(arguments: kinds)
    func aLineIsReadAsSoonAsItsEndHasArrived(isSocket: Bool) async throws {
        let place = try await Place(isSocket: isSocket)
        let key = UUID().uuidString
        // The first piece goes out when the gate opens, and the head with it.
        try await place.client.fetch(.get(url: place.url("/open?key=\(key)")))
        var lines = try await place.client.stream(.get(url: place.url("/lines?key=\(key)"))).item.lines
            .makeAsyncIterator()
        // The lines that each piece of `aiohttp_server.py` completes.
        let pieces = [["+OK"], [":1000"], ["$6"], [], ["nével"], [], ["*0"]]
        for (number, complete) in pieces.enumerated() {
            if number > 0 { try await place.client.fetch(.get(url: place.url("/open?key=\(key)"))) }
            for line in complete { #expect(try await lines.next() == line) }
        }
        #expect(try await lines.next() == "last")
        #expect(try await lines.next() == nil)
    }

    @Test(arguments: kinds)
    func eventsGoOnBehindTheLastOne(isSocket: Bool) async throws {
        let place = try await Place(isSocket: isSocket)
        var events: [ServerSentEvent] = []
        for try await event in place.client.events(.get(url: place.url("/events"))) {
            events.append(event)
            if events.count == 8 { break }
        }
        #expect(events.map(\.id) == (1...8).map(String.init) && events.last?.data == "event 8")
    }

    @Test(arguments: kinds)
    func aReaderThatStopsMakesTheServerWait(isSocket: Bool) async throws {
        let place = try await Place(isSocket: isSocket)
        let key = UUID().uuidString
        let response = try await place.client.stream(.get(url: place.url("/drip?key=\(key)")))
        var chunks = response.item.makeAsyncIterator()
        _ = try await chunks.next()
        var sent = 0
        for _ in 0..<100 {
            sent = try await place.client.fetch(.get(url: place.url("/seen?key=\(key)")), as: Int.self).item
        }
        #expect(sent < 512, "\(sent) of 1024 pieces were sent")
        response.item.cancel()
    }

    #if os(Linux)
    @Test func aBodyGoesOnAfterTheHeadOfTheResponse() async throws {
        let place = try await Place(isSocket: false)
        try await place.client.expectEcho(from: place.url("/duplex"))
    }
    #endif

    struct Received: Decodable, Sendable {
        let count: Int
        let framing: String
    }

    @Test(arguments: kinds)
    func bodiesOfEveryKindArriveWhole(isSocket: Bool) async throws {
        let place = try await Place(isSocket: isSocket)
        let file = place.server.folder.appendingPathComponent(UUID().uuidString)
        try Data(count: 5_000_000).write(to: file)
        let chunks = AsyncStream<Data> { stream in
            for size in [0, 1, 70_000, 3_000_000] { stream.yield(Data(count: size)) }
            stream.finish()
        }
        let url = place.url("/upload")
        let redirected = place.url("/redirect?status=307&to=/upload")
        let rows: [(URLRequest, Int, String)] = [
            (URLRequest.post(url: url).noBody().build(), 0, "0"),
            (URLRequest.post(url: url).bodyData(Data(count: 2_000_000)).build(), 2_000_000, "2000000"),
            (try URLRequest.put(url: url).bodyFile(at: file).build(), 5_000_000, "5000000"),
            (try URLRequest.put(url: redirected).bodyFile(at: file).build(), 5_000_000, "5000000"),
            (URLRequest.post(url: url).bodyStream(chunks).build(), 3_070_001, "chunked"),
        ]
        for (request, count, framing) in rows {
            let received = try await place.client.fetch(request: request, as: Received.self).item
            #expect(received.count == count && received.framing == framing)
        }
    }

    /// aiohttp decodes the bodies of requests.
    @Test(arguments: [RequestCoding.gzip, .deflate])
    func compressedBodiesAreDecodedByTheServer(coding: RequestCoding) async throws {
        let server = try ServerProcess.of(.aiohttp)
        let client = try NetworkClient.forTests([.compression(coding)])
        let text = String(repeating: "Every word is repeated. ", count: 100_000)
        let file = server.folder.appendingPathComponent(UUID().uuidString + ".txt")
        try Data(text.utf8).write(to: file)
        let echo = try await client.fetch(.post(url: server.url("/echo")).bodyText(text), as: Echo.self).item
        #expect(echo.body == text && echo.fields.contains { $0 == ["Content-Encoding", "\(coding)"] })
        for path in ["/upload", "/redirect?status=307&to=/upload"] {
            let request = try URLRequest.put(url: server.url(path)).bodyFile(at: file).build()
            let received = try await client.fetch(request: request, as: Received.self).item
            let length = try #require(Int(received.framing))
            #expect(received.count == text.utf8.count && length < text.utf8.count / 10)
        }
    }

    @Test(arguments: kinds)
    func aServerThatDoesNotReadTheBodyStillGetsToSpeak(isSocket: Bool) async throws {
        let place = try await Place(isSocket: isSocket)
        let request = URLRequest.post(url: place.url("/unread")).bodyData(Data(count: 30_000_000)).build()
        let error = try await failure { try await place.client.fetch(request: request) }
        #expect(error.statusCode == 413, "\(error)")
    }

    #if os(Linux)
    @Test func aSocketIsNotLeft() async throws {
        let (place, other) = (try await Place(isSocket: true), try ServerProcess.of(.aiohttp).url("/there"))
        let inside = try await place.client.fetch(.get(url: place.url("/redirect?status=302&to=/here")), as: Echo.self)
        #expect(inside.item.target == "/here")
        let outside = place.url("/redirect?status=302&to=\(other.absoluteString)")
        let error = try await failure { try await place.client.fetch(.get(url: outside)) }
        guard case .requestError(let failure) = error else { throw error }
        #expect(failure.reason == .redirectRefused)
    }
    #endif
}
