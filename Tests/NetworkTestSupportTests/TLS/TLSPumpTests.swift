import Foundation
import NetworkTestSupport
import Testing

@Suite(.enabled(if: TLSServer.isAvailable, "there is no OpenSSL here"))
struct TLSPumpTests {
    private static let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"

    private func connect(
        ending: TLSEnding = .closeNotify,
        _ handler: @escaping @Sendable (RecordedRequest) -> Script
    ) throws -> (server: TLSServer, client: TLSClient) {
        let server = try TLSServer(before: LoopbackServer(handler: handler), ending: ending)
        let client = try TLSClient(server)
        try client.shakeHands()
        return (server, client)
    }

    @Test(arguments: [(TLSEnding.closeNotify, true), (.truncation, false)])
    func aTLSServerEndsWithOrWithoutCloseNotify(ending: TLSEnding, hasCloseNotify: Bool) async throws {
        let (server, client) = try connect(ending: ending) { _ in [.send(Self.head + "part"), .close] }
        try client.get()
        #expect(try client.readToEnd() == (Self.head + "part", hasCloseNotify))
        withExtendedLifetime(server) {}
    }

    @Test func aTLSServerForwardsAReset() async throws {
        let (server, client) = try connect { _ in [.send(Self.head), .wait(Gate(open: true)), .reset] }
        try client.get()
        #expect(throws: SocketError(call: "recv", code: ECONNRESET)) { try client.readToEnd() }
        withExtendedLifetime(server) {}
    }

    @Test func aTLSServerForwardsLargeBodiesInBothDirections() async throws {
        let (server, client) = try connect { request in
            [.send(Self.head), .repeat("0123456789", count: request.bodyLength / 10), .close]
        }
        try client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4000000\r\n\r\n")
        for _ in 0..<4 {
            try client.send([UInt8](repeating: 7, count: 1_000_000))
        }
        let (text, hasCloseNotify) = try client.readToEnd()
        #expect(text.utf8.count == Self.head.utf8.count + 4_000_000)
        #expect(text.hasSuffix("0123456789") && hasCloseNotify)
        #expect(server.plain.requests.first?.body == Data(repeating: 7, count: 4_000_000))
    }

    @Test func aTLSServerHoldsBackAServerWhoseClientDoesNotRead() async throws {
        let (server, client) = try connect { _ in [.repeat("0123456789", count: 100_000_000)] }
        try client.get()
        try await withDeadline { try await server.plain.waitForHeads(count: 1) }
        // What others do takes long enough for a server that has no back pressure to send more than sockets can hold.
        for _ in 0..<100 {
            try TLSClient(server).shakeHands()
        }
        #expect(server.plain.bytesSent < 60_000_000)
        client.socket.reset()
        try await withDeadline { try await server.plain.waitForOpenConnections(0) }
    }

    @Test func aTLSServerRespondsToAClientThatHasEndedItsDirection() async throws {
        let (server, client) = try connect { _ in [.awaitPeerClose(), .send(Self.head + "late")] }
        try client.get()
        try client.sendCloseNotify()
        #expect(try client.readToEnd() == (Self.head + "late", true))
        withExtendedLifetime(server) {}
    }

    @Test(arguments: [true, false]) func aServerBehindTLSLearnsThatAClientIsGone(byReset: Bool) async throws {
        let seen = Gate()
        let (server, client) = try connect { _ in [.awaitPeerClose(then: seen)] }
        try client.get()
        try await withDeadline { try await server.plain.waitForHeads(count: 1) }
        byReset ? client.socket.reset() : client.socket.closeNow()
        try await withDeadline { try await seen.wait() }
        try await withDeadline { try await server.plain.waitForOpenConnections(0) }
    }

    @Test func aTLSServerAlertsAClientThatSendsPlainBytesAfterItsHandshake() async throws {
        let (server, client) = try connect { _ in .respond() }
        try client.socket.sendAll("GET / HTTP/1.1\r\nHost: h\r\n\r\n".wireBytes)
        #expect(throws: TLSFailure.self) { try client.readToEnd() }
        try await withDeadline { try await server.plain.waitForOpenConnections(0) }
        #expect(server.plain.requests.isEmpty)
    }
}
