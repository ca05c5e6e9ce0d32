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
