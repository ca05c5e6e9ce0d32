import Foundation
import NetworkTestSupport

/// A client that speaks TLS but knows nothing of HTTP: writes what it is told and reads what comes.
final class TLSClient {
    let socket: Socket
    private let session: TLSSession

    init(
        _ server: TLSServer,
        host: String = "localhost",
        on loopback: Loopback = .ipv4,
        identity: TLSIdentity? = nil,
        trustRoots: URL? = TLSFixtures.root,
        versions: ClosedRange<TLSVersion> = .tls10 ... .tls13
    ) throws {
        session = try TLSSession(
            TLSConfiguration(.client(host: host), identity: identity, trustRoots: trustRoots, versions: versions)
        )
        socket = try Socket.connected(to: server.port, on: loopback)
        // Only a guard: a test that would hang fails.
        socket.setReceiveTimeout(seconds: 10)
    }

    /// - Throws: ``TLSFailure``, whose alert has been sent.
    func shakeHands() throws {
        do {
            while try !session.shakeHands() {
                try socket.sendAll(session.takeOutgoing())
                let bytes = try socket.receive()
                guard !bytes.isEmpty else { throw TLSFailure.disconnected }
                session.putReceived(bytes)
            }
        } catch {
            try? socket.sendAll(session.takeOutgoing())
            throw error
        }
        try socket.sendAll(session.takeOutgoing())
    }

    /// What it sends first, and which is not sent here.
    func makeHello() throws -> [UInt8] {
        _ = try session.shakeHands()
        return session.takeOutgoing()
    }

    func send(_ bytes: some WireBytes) throws {
        try session.write(bytes.wireBytes)
        try socket.sendAll(session.takeOutgoing())
    }

    /// A request without body.
    func get(_ target: String = "/", headers: String = "") throws {
        try send("GET \(target) HTTP/1.1\r\nHost: test\r\n\(headers)\r\n")
    }

    func sendCloseNotify() throws {
        session.sendCloseNotify()
        try socket.sendAll(session.takeOutgoing())
    }

    /// Reads at least as many bytes as `expected` has; they are compared as text.
    func read(_ expected: String) throws -> Bool {
        let (bytes, _) = try read(until: { $0 >= expected.utf8.count })
        return String(decoding: bytes, as: UTF8.self) == expected
    }

    /// Reads until the server has ended, and says whether it has said so under TLS, too.
    func readToEnd() throws -> (text: String, hasCloseNotify: Bool) {
        let (bytes, hasCloseNotify) = try read(until: { _ in false })
        return (String(decoding: bytes, as: UTF8.self), hasCloseNotify)
    }

    private func read(until isEnough: (Int) -> Bool) throws -> (bytes: [UInt8], hasCloseNotify: Bool) {
        var all: [UInt8] = []
        while true {
            let (bytes, isEnd) = try session.read()
            all += bytes
            if isEnd || isEnough(all.count) { return (all, isEnd) }
            let more = try socket.receive()
            if more.isEmpty { return (all, false) }
            session.putReceived(more)
        }
    }
}
