import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct EventStreamSocketTests {
    /// Two connections, of which the second is left.
    @Test(.spec(222, 223, 224), arguments: TransportUnderTest.all)
    func leavingTheLoopClosesTheConnection(transport: TransportUnderTest) async throws {
        let hasClosed = Gate()
        let server = try LoopbackServer { request in
            let id = request.value(forHeader: "Last-Event-ID")
            let event = "retry: 0\nid: \(id == nil ? 1 : 2)\ndata: x\n\n"
            let head = Script.respond(headers: ["Content-Type": "text/event-stream"], length: .omitted, body: event)
            return [head, id == nil ? .close : .awaitPeerClose(then: hasClosed)]
        }
        let stream = try transport.client().events(URLRequest(url: server.url))
        var ids: [String] = []
        for try await event in stream {
            ids.append(event.id)
            if ids.count == 2 { break }
        }
        expect(ids, ["1", "2"])
        try await withDeadline { try await hasClosed.wait() }
    }

    /// The connection is reset within an event; the next one falls silent; the token of the third one has expired.
    @Test(.spec(222, 223, 224), arguments: TransportUnderTest.all)
    func aStreamOutlivesResetsSilenceAndAnExpiredToken(transport: TransportUnderTest) async throws {
        let hasRead = Gate()
        let server = try LoopbackServer { request in
            let respond = Script.respond(headers: ["Content-Type": "text/event-stream"], length: .omitted, body: "")
            let isNew = request.value(forHeader: "Authorization") == "Bearer new"
            switch request.value(forHeader: "Last-Event-ID") {
            case nil: return [respond, .send("id: 1\ndata: a\n\ndata: lost"), .wait(hasRead), .reset]
            case "1": return [respond, .send("id: 2\ndata: b\n\n"), .awaitPeerClose()]
            default:
                guard isNew else { return .respond(status: 401) }
                return [respond, .send("id: 3\ndata: c\n\n"), .close]
            }
        }
        let store = InMemoryCredentialStore(AccessToken("old"))
        let bearer = AuthenticationScheme.bearer(store: store) { _ in AccessToken("new") }
        let client = try transport.client(interceptors: [.authentication(bearer, origins: [server.url])])
        var reconnection = Reconnection.standard
        (reconnection.initialDelay, reconnection.idleTimeout) = (0.1, 0.3)
        var data: [String] = []
        for try await event in client.events(URLRequest(url: server.url), reconnecting: reconnection) {
            data.append(event.data)
            hasRead.open()
            if event.id == "3" { break }
        }
        expect(data, ["a", "b", "c"])
    }

    /// Streams that end at each byte, with the end event or without it.
    @Test(.spec(253), arguments: TransportUnderTest.all, [true, false])
    func noStreamThatEndsAtAnyByteLooksComplete(transport: TransportUnderTest, hasEnd: Bool) async throws {
        let events = (0..<(hasEnd ? 8 : 9)).map { "id: \($0)\ndata: {\"word\":\"no\"}\n\n" }.joined()
        let text = events + (hasEnd ? "event: stop\ndata: {}\n\n" : "")
        let server = try LoopbackServer { request in
            let body = String(text.prefix(Int(request.path.dropFirst()) ?? 0))
            return [
                .respond(headers: ["Content-Type": "text/event-stream"], length: .omitted, body: body), .close,
            ]
        }
        let client = try transport.client()
        var once = Reconnection.standard
        once.maximumAttempts = 0
        let count = text.utf8.count
        #expect(count >= 200)
        for method in ["GET", "POST"] {
            for length in (count - 200)...count {
                var request = URLRequest(url: server.url("/\(length)"))
                request.httpMethod = method
                let values = client.events(request, reconnecting: once)
                    .values(of: [String: String].self, until: .event("stop"))
                var (words, reason): (Int, TransportError.Reason?) = (0, nil)
                do {
                    for try await _ in values { words += 1 }
                } catch let error as NetworkClient.Error {
                    reason = error.transportReason
                }
                expect(reason, hasEnd && length == count ? nil : .endedEarly, "\(method) \(length)")
                expect(words, text.prefix(length).components(separatedBy: "no\"}\n\n").count - 1)
            }
        }
    }

    @Test(.spec(255), arguments: TransportUnderTest.all)
    func aServerThatSaysNothingIsLeft(transport: TransportUnderTest) async throws {
        let hasClosed = Gate()
        let server = try LoopbackServer { _ in
            let head = Script.respond(headers: ["Content-Type": "text/event-stream"], length: .omitted, body: "")
            return [head, .send("data: a\n\n: ping\n\n"), .awaitPeerClose(then: hasClosed)]
        }
        var reconnection = Reconnection.never
        reconnection.eventTimeout = 0.3
        var iterator = try transport.client().events(URLRequest(url: server.url), reconnecting: reconnection)
            .makeAsyncIterator()
        expect(try await iterator.next()?.data, "a")
        let error = await #expect(throws: NetworkClient.Error.self) { try await iterator.next() }
        expect(error?.description, contains: "no event for its event timeout of 0.3 s")
        try await withDeadline { try await hasClosed.wait() }
    }

    /// With 128 connections to a host.
    @Test(.spec(224)) func callsGoOnBesideAHundredStreams() async throws {
        let end = Gate()
        let server = try LoopbackServer { request in
            guard request.target == "/feed" else { return .respond(body: "ok") }
            return [
                .respond(headers: ["Content-Type": "text/event-stream"], length: .omitted, body: "data: x\n\n"),
                .wait(end, orPeerClose: true),
            ]
        }
        let client = NetworkClient(logging: .off)
        let (opened, opens) = AsyncStream.makeStream(of: Void.self)
        let readers = (0..<100).map { _ in
            Task {
                for try await _ in client.events(URLRequest(url: server.url("/feed"))) { opens.yield() }
            }
        }
        var openings = opened.makeAsyncIterator()
        for _ in readers { await openings.next() }
        try await withThrowingTaskGroup(of: Int.self) { calls in
            for _ in 0..<100 {
                calls.addTask { try await client.fetch(request: URLRequest(url: server.url("/"))).statusCode }
            }
            for try await status in calls { expect(status, 200) }
        }
        client.cancelAll()
        for reader in readers { await #expect(throws: CancellationError.self) { try await reader.value } }
        expect(client.calls.count, 0)
    }
}
