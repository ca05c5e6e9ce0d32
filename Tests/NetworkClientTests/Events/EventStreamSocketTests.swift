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
        let stream = try transport.client().events(request: URLRequest(url: server.url))
        var ids: [String] = []
        for try await event in stream {
            ids.append(event.id)
            if ids.count == 2 { break }
        }
        expect(ids, ["1", "2"])
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
                for try await _ in client.events(request: URLRequest(url: server.url("/feed"))) { opens.yield() }
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
