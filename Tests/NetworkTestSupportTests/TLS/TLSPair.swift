import Foundation
import NetworkTestSupport

/// Both sides of a TLS connection, in one thread and without a socket.
struct TLSPair {
    let client: TLSSession
    let server: TLSSession

    init(client: TLSConfiguration, server: TLSConfiguration) throws(TLSFailure) {
        self.client = try TLSSession(client)
        self.server = try TLSSession(server)
    }

    /// A client that trusts the root of the tests, and a server with an identity.
    init(_ identity: TLSIdentity, host: String = "localhost", trustRoots: URL? = TLSFixtures.root) throws(TLSFailure) {
        try self.init(
            client: TLSConfiguration(.client(host: host), trustRoots: trustRoots),
            server: TLSConfiguration(.server(demandsCertificate: false), identity: identity)
        )
    }

    /// What each side has against the other; nil on both once they have agreed.
    func shakeHands() -> (client: TLSFailure?, server: TLSFailure?) {
        var failures: (client: TLSFailure?, server: TLSFailure?) = (nil, nil)
        var clientIsDone = false
        var serverIsDone = false
        // Two round trips are the most that any version needs.
        for _ in 0..<4 {
            if !clientIsDone { clientIsDone = Self.goOn(client, &failures.client) }
            server.putReceived(client.takeOutgoing())
            if !serverIsDone { serverIsDone = Self.goOn(server, &failures.server) }
            client.putReceived(server.takeOutgoing())
        }
        return failures
    }

    private static func goOn(_ session: TLSSession, _ failure: inout TLSFailure?) -> Bool {
        do {
            return try session.shakeHands()
        } catch {
            failure = error
            return true
        }
    }
}
