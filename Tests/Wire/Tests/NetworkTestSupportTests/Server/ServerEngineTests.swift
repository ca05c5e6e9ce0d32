import Foundation
import NetworkTestSupport
import Testing

struct ServerEngineTests {
    /// What a connection can be doing when its server stops.
    enum Occupation: CaseIterable {
        case nothing, readingAHead, readingABody, waiting, watchingThePeer, awaitingClose, sending

        var script: Script {
            switch self {
            case .nothing, .readingAHead, .readingABody: .respond()
            case .waiting: [.wait(Gate())]
            case .watchingThePeer: [.wait(Gate(), orPeerClose: true)]
            case .awaitingClose: [.awaitPeerClose(then: nil)]
            case .sending: [.repeat("0123456789", count: 1_000_000_000)]
            }
        }

        var bytes: String {
            switch self {
            case .nothing: ""
            case .readingAHead: "GET / HTTP/1.1\r\nHo"
            case .readingABody: "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n1"
            default: "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
            }
        }
    }

    @Test(arguments: Occupation.allCases)
    func aServerStopsWhateverItsConnectionsAreDoing(_ occupation: Occupation) async throws {
        let server = try LoopbackServer { _ in occupation.script }
        let client = try RawClient(server)
        try client.send(occupation.bytes)
        try await withDeadline { try await server.waitForOpenConnections(1) }
        if occupation.bytes.contains("\r\n\r\n") {
            try await withDeadline { try await server.waitForHeads(count: 1) }
        }
        try await withDeadline("the server to stop") { server.stop() }
        #expect(try client.readToEnd().allSatisfy(\.isNumber))
    }

    /// The second is the beginning of a client's first message, the third isn't one.
    @Test(
        .enabled(if: TLSConfiguration.isAvailable, "there is no OpenSSL here"),
        arguments: [[], [0x16, 3, 1, 2, 0, 1], Array("GET / HTTP/1.1\r\n\r\n".utf8)] as [[UInt8]]
    )
    func aServerWithTLSStopsWhateverItsClientsHaveSent(bytes: [UInt8]) async throws {
        let server = try LoopbackServer(tls: TLSConfiguration()) { _ in .respond() }
        let client = try RawClient(server)
        try client.send(bytes)
        try await withDeadline { try await server.waitForOpenConnections(1) }
        try await withDeadline("the server to stop") { server.stop() }
        #expect(server.connectionCount == 0)
    }

    @Test func aServerStopsWhenItIsReleased() throws {
        var server: LoopbackServer? = try LoopbackServer { _ in .respond() }
        let client = try RawClient(#require(server))
        try client.get()
        #expect(try client.read("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
        server = nil
        #expect(try client.readToEnd().isEmpty)
    }

    @Test(.enabled(if: ProcessFacts.now().openDescriptors != nil, "nothing is known on this platform"))
    func aStoppedServerLeavesNeitherDescriptorsNorThreads() async throws {
        let before = ProcessFacts.now()
        for _ in 0..<500 {
            let server = try LoopbackServer { _ in [.wait(Gate(), orPeerClose: true)] }
            let client = try RawClient(server)
            try client.get()
            server.stop()
        }
        // A leak would be one or more for each of 500, for ever; what other tests hold at the same time, they give
        // back.
        let descriptors = try #require(before.openDescriptors) + 400
        let threads = try #require(before.threads) + 400
        try await withDeadline("descriptors and threads to be given back") {
            while true {
                let after = ProcessFacts.now()
                if (after.openDescriptors ?? 0) < descriptors, (after.threads ?? 0) < threads { return }
                await Task.yield()
            }
        }
    }
}
