import Foundation
import NetworkTestSupport
import Testing

@Suite(.enabled(if: TLSServer.isAvailable, "there is no OpenSSL here"))
struct TLSEngineTests {
    /// How far a client has come, when it leaves or the server stops.
    enum Moment: CaseIterable {
        case connected, halfAHello, aHello, noTLS, refused, agreed, waiting, sending

        var script: Script {
            self == .sending ? [.repeat("0123456789", count: 1_000_000_000)] : [.wait(Gate(), orPeerClose: true)]
        }

        func reach(_ client: TLSClient) throws {
            switch self {
            case .connected: break
            case .halfAHello: try client.socket.sendAll(Array(client.makeHello().prefix(40)))
            case .aHello: try client.socket.sendAll(client.makeHello())
            case .noTLS: try client.socket.sendAll("GET / HTTP/1.1\r\nHost: h\r\n\r\n".wireBytes)
            case .refused: #expect(throws: TLSFailure.self) { try client.shakeHands() }
            case .agreed: try client.shakeHands()
            case .waiting, .sending:
                try client.shakeHands()
                try client.get()
            }
        }

        func trustRoots() -> URL {
            self == .refused ? TLSFixtures.selfSigned.certificates : TLSFixtures.root
        }
    }

    @Test(arguments: Moment.allCases) func aTLSServerStopsWhateverItsClientsAreDoing(_ moment: Moment) async throws {
        let server = try TLSServer(before: LoopbackServer { _ in moment.script })
        let client = try TLSClient(server, trustRoots: moment.trustRoots())
        try moment.reach(client)
        try await withDeadline("the server to stop") { server.stop() }
    }

    @Test(arguments: Moment.allCases, [true, false])
    func aTLSServerSurvivesClientsThatLeave(_ moment: Moment, byReset: Bool) async throws {
        let server = try TLSServer(before: LoopbackServer { $0.path == "/last" ? .respond() : moment.script })
        let client = try TLSClient(server, trustRoots: moment.trustRoots())
        try moment.reach(client)
        byReset ? client.socket.reset() : client.socket.closeNow()
        let handshake = try await withDeadline { try await server.handshake(at: 0) }
        #expect((handshake.failure == nil) == [.agreed, .waiting, .sending].contains(moment))
        let next = try TLSClient(server)
        try next.shakeHands()
        try next.get("/last", headers: "Connection: close\r\n")
        #expect(try next.readToEnd() == ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true))
        try await withDeadline { try await server.plain.waitForOpenConnections(0) }
    }

    @Test func aTLSServerStopsWhenItIsReleased() throws {
        var server: TLSServer? = try TLSServer(before: LoopbackServer { _ in .respond() })
        let client = try TLSClient(#require(server))
        try client.shakeHands()
        server = nil
        #expect(try client.readToEnd().text.isEmpty)
    }

    @Test func aTLSServerClosesItsConnectionsWhenTheServerBehindHasStopped() throws {
        let plain = try LoopbackServer { _ in .respond() }
        let server = try TLSServer(before: plain)
        plain.stop()
        let client = try TLSClient(server)
        try client.shakeHands()
        #expect(try client.readToEnd() == ("", false))
    }

    @Test(.enabled(if: ProcessFacts.now().openDescriptors != nil, "nothing is known on this platform"))
    func aStoppedTLSServerLeavesNeitherDescriptorsNorThreads() async throws {
        let before = ProcessFacts.now()
        for round in 0..<400 {
            let moment = Moment.allCases[round % Moment.allCases.count]
            let server = try TLSServer(before: LoopbackServer { _ in moment.script })
            let client = try TLSClient(server, trustRoots: moment.trustRoots())
            try moment.reach(client)
            server.stop()
        }
        // A leak would be one or more for each of 400, for ever; what other tests hold at the same time, they give
        // back.
        let descriptors = try #require(before.openDescriptors) + 300
        let threads = try #require(before.threads) + 300
        try await withDeadline(seconds: 120, "descriptors and threads to be given back") {
            while true {
                let after = ProcessFacts.now()
                if (after.openDescriptors ?? 0) < descriptors, (after.threads ?? 0) < threads { return }
                await Task.yield()
            }
        }
    }

    @Test func aTLSServerServesManyConcurrentClients() async throws {
        let server = try TLSServer(before: LoopbackServer { .respond(body: $0.path) })
        try await withDeadline(seconds: 30) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let client = try TLSClient(server)
                        try client.shakeHands()
                        try client.get("/\(number)", headers: "Connection: close\r\n")
                        #expect(try client.readToEnd().text.hasSuffix("\r\n\r\n/\(number)"))
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(server.handshakes.count == 20)
    }
}
