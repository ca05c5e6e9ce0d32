import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient
@testable import NetworkClientTesting

/// What a recorder writes of the exchanges of another transport, and what a stub transport replays of it.
struct HARRecorderTests {
    private static func script(_ request: NetworkTestSupport.RecordedRequest, _ flaky: Locked<Int>) -> Script {
        switch request.path {
        case "/json": .respond(headers: ["Content-Type": "application/json", "X-Tag": "a, b"], body: #"{"id": 1}"#)
        case "/gzip":
            .respond(
                headers: ["Content-Type": "application/json", "Content-Encoding": "gzip"],
                body: Gzip.stored(#"{"id": 2}"#)
            )
        case "/bytes": .respond(headers: ["Content-Type": "image/png"], body: [0x89, 0x50, 0xFF, 0x00])
        case "/gone": .respond(status: 204)
        case "/old": .redirect(to: "/json?page=1&q=a%20b")
        case "/missing": .json(#"{"message": "no such item"}"#, status: 404)
        case "/flaky":
            flaky.withLock { count in
                count += 1
                return count == 1 ? .respond(status: 503, headers: ["Retry-After": "0"]) : .json("[1]")
            }
        case "/orders": .json("[]", status: request.body.contains(UInt8(ascii: "1")) ? 201 : 409)
        case "/events": .chunked(["data: a\n\n", "id: 7\ndata: b\n\n"], headers: ["Content-Type": "text/event-stream"])
        default: .respond(headers: ["Content-Type": "text/plain"], body: "\(request.body.count > 0)")
        }
    }

    /// Makes the calls of a session, and returns what the caller gets of each.
    private func session(_ transport: any Transport, _ base: URL, _ file: URL) async throws -> [String] {
        let client = NetworkClient(transport: transport)
        func url(_ path: String) -> URL { NetworkTestSupport.url(base.absoluteString + path) }
        let requests = [
            URLRequest.get(url: url("/json?page=1&q=a+b")).build(), URLRequest.get(url: url("/gzip")).build(),
            URLRequest.get(url: url("/bytes")).build(), URLRequest.get(url: url("/empty")).build(),
            URLRequest.get(url: url("/gone")).build(), URLRequest.head(url: url("/json")).build(),
            URLRequest.get(url: url("/old")).build(), URLRequest.get(url: url("/missing")).build(),
            URLRequest.get(url: url("/flaky")).build(), URLRequest.get(url: url("/flaky")).build(),
            try URLRequest.post(url: url("/orders")).bodyJson(of: ["id": 1]).build(),
            try URLRequest.post(url: url("/orders")).bodyJson(of: ["id": 2]).build(),
            try URLRequest.post(url: url("/form")).bodyForm(params: ["a": "b c", "n": 1]).build(),
            URLRequest.post(url: url("/parts")).bodyMultipart { $0.add(key: "a", value: "b") }.build(),
            try URLRequest.put(url: url("/file")).bodyFile(at: file).build(),
            URLRequest.post(url: url("/stream")).bodyStream(ScriptedChunks([Data("x".utf8)])).build(),
        ]
        var results: [String] = []
        for request in requests {
            let options = CallOptions(acceptedStatuses: .all)
            let response: NetworkClient.Response<Data> = try await client.fetch(request: request, options: options)
            let fields = response.fields.filter { !["content-length", "connection"].contains($0.name.lowercased()) }
            let place = response.httpResponse.url?.absoluteString ?? ""
            let shown = fields.map { "\($0.name): \($0.value)" }.sorted()
            results.append("\(response.statusCode) \(place) \(shown) \(response.item.base64EncodedString())")
        }
        let error = await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: requests[7]) }
        results.append("\(String(describing: error))")
        for try await event in client.events(requests[0].with(url("/events"))).prefix(2) {
            results.append("\(event.id) \(event.data)")
        }
        return results
    }

    @Test(arguments: TransportUnderTest.all)
    func aRecordedSessionIsReplayedWithEqualResponses(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let file = try directory.file("a.txt", "Hello")
        let flaky = Locked(0)
        let server = try LoopbackServer { Self.script($0, flaky) }
        let recorder = HARRecorder(wrapping: try transport.transport())
        let live = try await session(recorder, server.url, file)
        let archive = try ValidArchive(recorder.archive)
        expect(archive.entries.count, server.requestCount)
        expect(live.count, 19)
        #expect(archive["request.url"].contains("\(server.url)/old"), "A redirect is an entry.")
        expect(archive["response.status"].filter { $0 == "503" }.count, 1)
        let replaying = try StubTransport(har: recorder.archive)
        expect(try await session(replaying, server.url, file), live)
        expect(replaying.unmatchedRequests.map(\.description), [])
        let texts = archive["request.postData.text"].compactMap(\.self)
        expect(texts, [#"{"id":1}"#, #"{"id":2}"#, "a=b+c&n=1", "", "Hello"])
        expect(archive["request.postData.params.0.value"].compactMap(\.self), ["b"])
    }

    @Test(arguments: TransportUnderTest.all)
    func aBodyThatTheCallerLeavesIsNotReplayedAsComplete(transport: TransportUnderTest) async throws {
        let hasClosed = Gate()
        let server = try LoopbackServer { _ in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .chunk("data: a\n\n"), .awaitPeerClose(then: hasClosed),
            ]
        }
        let recorder = HARRecorder(wrapping: try transport.transport())
        let request = URLRequest(url: server.url("/live"))
        let body = try await NetworkClient(transport: recorder).stream(request).item
        for try await chunk in body {
            expect(chunk, Data("data: a\n\n".utf8))
            let archive = try ValidArchive(recorder.archive)
            expect(archive["response.content.text"], ["data: a\n\n"])
            expect(archive["response._error"], ["the exchange has not ended"])
            body.cancel()
            // Before the idle timeout, which would close the connection too.
            try await withDeadline(seconds: 30, "the connection to close") { try await hasClosed.wait() }
            break
        }
        expect(try ValidArchive(recorder.archive)["response._error"], ["cancelled"])
        let client = NetworkClient(transport: try StubTransport(har: recorder.archive))
        let error = await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
        expect("\(String(describing: error))", contains: "has only the beginning of its response (cancelled)")
        var chunks = try await client.stream(request).item.makeAsyncIterator()
        expect(try await chunks.next(), Data("data: a\n\n".utf8))
        await #expect(throws: NetworkClient.Error.self) { try await chunks.next() }
    }

    @Test func aRedirectWhoseBodyTheClientLeftIsFollowed() async throws {
        let stub = StubTransport()
        let old = StubTransport.Response.chunks([Data("gone".utf8), Data("away".utf8)], status: 302)
        stub.on(.get("/old"), old.adding(header: .custom(name: "Location", value: "/new")))
        stub.on(.get("/new"), .text("new"))
        let recorder = HARRecorder(wrapping: stub)
        let request = URLRequest(url: url("https://h/old"))
        expect(try await NetworkClient(transport: recorder).stream(request).item.text(), "new")
        let client = NetworkClient(transport: try StubTransport(har: recorder.archive))
        expect(try await client.fetch(request: request, as: String.self).item, "new")
    }

    @Test func aFailureIsReplayedWithItsReason() async throws {
        let stub = StubTransport()
        stub.on(.get("/refused"), .failure(.connectionRefused))
        stub.on(.get("/broken"), .text("Hello").breakingOff(after: 4, with: .malformedResponse))
        stub.on(.get("/mended"), .failure(.timedOut), .text("a"))
        let recorder = HARRecorder(wrapping: stub)
        for path in ["refused", "broken", "mended", "mended"] {
            _ = try? await recorder.send(URLRequest(url: url("https://h/\(path)")), options: TransportOptions())
        }
        let streamed = TransportOptions(streamsBody: true)
        let live = try await recorder.send(URLRequest(url: url("https://h/broken?2")), options: streamed)
        await #expect(throws: TransportError.self) { try await live.body.channel.collect(limit: 9) }
        let archive = try ValidArchive(recorder.archive)
        expect(archive["response.status"], ["0", "0", "0", "200", "200"])
        expect(
            archive["response._reason"],
            ["connectionRefused", "malformedResponse", "timedOut", nil, "malformedResponse"]
        )
        expect(archive["response._error"][0], "The request to 'https://h/refused' failed: the connection was refused.")
        expect(archive["response.content.text"][4], "Hell")
        let replaying = try StubTransport(har: recorder.archive)
        for (path, reason) in [("refused", "connectionRefused"), ("broken?2", "malformedResponse")] {
            let request = URLRequest(url: url("https://h/\(path)"))
            let error = await #expect(throws: TransportError.self) {
                try await replaying.send(request, options: TransportOptions())
            }
            expect(error?.reason.description, reason)
        }
        let mended = try await replaying.send(URLRequest(url: url("https://h/mended")), options: TransportOptions())
        expect(mended.body.data, Data("a".utf8))
    }

    @Test func entriesAreInTheOrderOfTheirBeginning() async throws {
        let (first, second) = (Gate(), Gate())
        let recorder = HARRecorder(
            wrapping: ClosureTransport { request in
                if request.url?.path == "/first" {
                    first.open()
                    try await second.wait()
                }
                return (Data(), .made())
            }
        )
        async let slow = recorder.send(URLRequest(url: url("https://h/first")), options: TransportOptions())
        try await first.wait()
        _ = try await recorder.send(URLRequest(url: url("https://h/second")), options: TransportOptions())
        let archive = try ValidArchive(recorder.archive)
        expect(archive["request.url"], ["https://h/first", "https://h/second"])
        expect(archive["response._error"], ["the exchange has not ended", nil])
        second.open()
        _ = try await slow
        expect(try ValidArchive(recorder.archive)["response._error"], [nil, nil])
    }

    @Test func aThousandExchangesAtOnceAreAllRecorded() async throws {
        let recorder = HARRecorder(wrapping: ClosureTransport(json: "[]"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    let request = URLRequest(url: url("https://h/\(number)"))
                    _ = try await recorder.send(request, options: TransportOptions())
                }
            }
            try await group.waitForAll()
        }
        let urls = Set(try ValidArchive(recorder.archive)["request.url"])
        expect(urls.count, 1_000)
    }

    @Test func theClientBehavesAsWithTheWrappedTransport() async throws {
        let session = URLSessionConfiguration.ephemeral
        session.httpAdditionalHeaders = ["X-Team": "a"]
        let wrapped = URLSessionTransport(session: URLSession(configuration: session))
        defer { wrapped.shutDown() }
        let recorder = HARRecorder(wrapping: wrapped)
        expect(recorder.defaults.headers, ["X-Team": "a"])
        expect(recorder.defaults.keepsState, wrapped.defaults.keepsState)
        expect(recorder.description, "HARRecorder(\(wrapped))")
        // The body is read once, so that its progress is that of the upload.
        let (opened, source) = (Locked(0), Locked(0))
        for (count, transport) in [
            (opened, StubTransport(otherwise: .status(200)) as any Transport),
            (source, HARRecorder(wrapping: StubTransport(otherwise: .status(200)))),
        ] {
            var request = URLRequest(url: url("https://h/"))
            request.httpMethod = "POST"
            request.httpBodyStream = BodyInputStream(source: CountedSource(count: count))
            try await NetworkClient(transport: transport).fetch(request: request)
        }
        expect(source.withLock { $0 }, opened.withLock { $0 })
    }

    private struct CountedSource: BodySource {
        let count: Locked<Int>
        var length: Int { 3 }

        func open() throws -> any BodyReader {
            count.withLock { $0 += 1 }
            return DataBodySource(Data("abc".utf8)).open()
        }
    }

    @Test func theTimesAreThoseOfTheMetrics() async throws {
        var metrics = TransportMetrics(total: 0.5)
        (metrics.nameLookup, metrics.connect, metrics.secureConnection, metrics.firstByte) = (0.01, 0.02, 0.03, 0.4)
        (metrics.httpVersion, metrics.bodyBytesReceived) = ("HTTP/2", 7)
        var wild = TransportMetrics(total: .nan)
        (wild.connect, wild.firstByte) = (.infinity, -1)
        let all = [metrics, wild]
        let recorder = HARRecorder(
            wrapping: ClosureTransport { request, _ in
                TransportResponse(response: .made(), metrics: all[request.url?.path == "/" ? 0 : 1])
            }
        )
        for path in ["", "wild"] {
            _ = try await recorder.send(URLRequest(url: url("https://h/\(path)")), options: TransportOptions())
        }
        let archive = try ValidArchive(recorder.archive)
        let times = ["dns", "connect", "ssl", "wait", "receive"].map { archive["timings.\($0)"][0] }
        expect(times, ["10", "50", "30", "340", "100"])
        expect(
            [archive["time"][0], archive["response.httpVersion"][0], archive["response.bodySize"][0]],
            ["500", "HTTP/2", "7"]
        )
    }
}

extension URLRequest {
    fileprivate func with(_ url: URL) -> URLRequest {
        var request = self
        request.url = url
        return request
    }
}
