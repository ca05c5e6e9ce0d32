import Foundation
import HTTPTypes
import NetworkClient
import NetworkClientOpenAPI
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import OpenAPIRuntime
import Testing

struct NetworkClientTransportTests {
    private let reports = Recorder<CallReport>()

    private func transport(_ interceptors: any InterceptorProtocol...) -> NetworkClientTransport {
        NetworkClientTransport(
            client: NetworkClient(
                interceptors: interceptors,
                configuration: .init(time: TestClock(advancesItself: true), observer: { reports.record($0) })
            )
        )
    }

    private func request(_ method: HTTPRequest.Method = .get, _ path: String = "/items") -> HTTPRequest {
        HTTPRequest(method: method, scheme: nil, authority: nil, path: path)
    }

    @Test(.spec(232)) func aStatusIsReturnedAndThePathAndTheQueryStayByteByByte() async throws {
        let server = try LoopbackServer { _ in
            let fields: WireFields = ["Set-Cookie": "a=1", "X A": "no name", "X-A": "b\u{1}", "set-cookie": "c=2"]
            return .respond(status: 404, headers: fields, body: "none")
        }
        defer { server.stop() }
        let (response, body) = try await transport().send(
            request(.get, "/a%2Fb/%E2%82%AC?q=a+b%20c&q=&x"),
            body: nil,
            baseURL: server.url("/api"),
            operationID: "getItem"
        )
        #expect(response.status.code == 404)
        let fields = response.headerFields.filter { $0.name != .contentLength }
        let lines = [
            "Content-Type: application/octet-stream", "Set-Cookie: a=1", "X-A: b", "set-cookie: c=2",
        ]
        #expect(fields.map { "\($0.name.rawName): \($0.value)" } == lines)
        #expect(try await String(collecting: try #require(body), upTo: 9) == "none")
        #expect(server.requests.map(\.target) == ["/api/a%2Fb/%E2%82%AC?q=a+b%20c&q=&x"])
        #expect(reports.values.map(\.label) == ["getItem"])
    }

    @Test func aShortBodyIsSentAgain() async throws {
        let server = try LoopbackServer { .respond(status: $0.indexOnConnection == 0 ? 503 : 200, body: $0.body) }
        defer { server.stop() }
        let chunks = AsyncStream<ArraySlice<UInt8>> { continuation in
            for chunk in ["ab", "c"] { continuation.yield(ArraySlice(chunk.utf8)) }
            continuation.finish()
        }
        let (response, body) = try await transport(.retry()).send(
            request(.put),
            body: HTTPBody(chunks, length: .known(3)),
            baseURL: server.url(""),
            operationID: "putItem"
        )
        #expect(response.status.code == 200)
        #expect(try await String(collecting: try #require(body), upTo: 9) == "abc")
        #expect(server.requests.map(\.body) == [Data("abc".utf8), Data("abc".utf8)])
    }

    @Test func aLongBodyIsSentOnceWithItsLength() async throws {
        let server = try LoopbackServer { _ in .respond(status: 503) }
        defer { server.stop() }
        let bytes = [UInt8](repeating: 7, count: (1 << 20) + 1)
        let (response, _) = try await transport(.retry()).send(
            request(.put),
            body: HTTPBody(bytes),
            baseURL: server.url(""),
            operationID: "putItem"
        )
        #expect(response.status.code == 503)
        #expect(server.requests.map(\.bodyLength) == [bytes.count])
        #expect(
            server.requests[0].headers.first { $0.name.lowercased() == "content-length" }?.value == "\(bytes.count)"
        )
    }

    @Test func bodiesAreStreamedInBothDirections() async throws {
        let seen = Gate()
        let server = try LoopbackServer { request in
            [
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), .chunk(request.body),
                .wait(seen), .chunk("end"), .send("0\r\n\r\n"),
            ]
        }
        defer { server.stop() }
        let sent = Recorder<Int>()
        let chunks = AsyncThrowingStream<ArraySlice<UInt8>, any Error> {
            sent.record(1)
            // The first chunk is on its way before the last one exists.
            if sent.values.count == 2 { try await server.waitForHeads(count: 1) }
            return sent.values.count > 2 ? nil : [UInt8(ascii: "x")]
        }
        let (_, received) = try await transport().send(
            request(.patch),
            body: HTTPBody(chunks, length: .unknown),
            baseURL: server.url(""),
            operationID: "patch"
        )
        let body = try #require(received)
        #expect(body.length == .unknown)
        var texts: [String] = []
        for try await chunk in body {
            texts.append(String(decoding: chunk, as: UTF8.self))
            seen.open()
        }
        #expect(texts == ["xx", "end"])
        #expect(server.requests.map(\.method) == ["PATCH"])
    }

    @Test(arguments: [
        (HTTPRequest.Method.head, 200), (.get, 204), (.get, 304), (.head, 404),
    ])
    func aResponseThatNeverHasABodyHasNone(method: HTTPRequest.Method, status: Int) async throws {
        let server = try LoopbackServer { _ in .respond(status: status, length: .omitted) }
        defer { server.stop() }
        let (response, body) = try await transport().send(
            request(method),
            body: nil,
            baseURL: server.url(""),
            operationID: "none"
        )
        #expect(response.status.code == status)
        #expect(body == nil)
    }

    @Test func aBodyShorterThanItAnnouncesIsAnError() async throws {
        let server = try LoopbackServer { _ in .respond() }
        defer { server.stop() }
        await #expect(throws: BodySourceError.endedEarly(expectedLength: 3, actualLength: 2)) {
            _ = try await transport().send(
                request(.post),
                body: HTTPBody("ab", length: .known(3)),
                baseURL: server.url(""),
                operationID: "post"
            )
        }
        #expect(server.requestCount == 0)
    }

    /// The points at which a call can be cancelled.
    enum Moment: CaseIterable {
        case beforeTheCall, readingAShortBody, readingALongBody, waitingForTheHead, readingTheResponse
    }

    @Test(arguments: Moment.allCases) func aCallCanBeCancelledAtEveryPoint(moment: Moment) async throws {
        let (reached, never) = (Gate(open: moment == .beforeTheCall), Gate())
        let server = try LoopbackServer { _ in
            moment == .waitingForTheHead
                ? [.open(reached), .wait(never, orPeerClose: true)]
                : [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na"), .wait(never, orPeerClose: true)]
        }
        defer { server.stop() }
        let waiting = AsyncThrowingStream<ArraySlice<UInt8>, any Error> {
            reached.open()
            try await never.wait()
            return nil
        }
        let length: HTTPBody.Length? =
            switch moment {
            case .readingAShortBody: .known(9)
            case .readingALongBody: .unknown
            default: nil
            }
        let begin = Gate()
        let transport = transport()
        let task = Task {
            if moment == .beforeTheCall { try? await begin.wait() }
            let (_, body) = try await transport.send(
                request(.post),
                body: length.map { HTTPBody(waiting, length: $0) },
                baseURL: server.url(""),
                operationID: "cancelled"
            )
            for try await _ in try #require(body) { reached.open() }
        }
        try await reached.wait()
        task.cancel()
        begin.open()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
