package import Foundation

/// A server that adds TLS to a ``LoopbackServer``, on a separate port, so that all scripts can be played under TLS.
///
/// ```swift
/// let plain = try LoopbackServer { _ in .json("1") }
/// let server = try TLSServer(before: plain, identity: TLSFixtures.expired)
/// // … send something to server.url("/items"), trusting TLSFixtures.root …
/// let handshake = try await server.handshake(at: 0)
/// ```
/// Every connection is a full handshake (sessions aren't resumed) and, if that succeeds, one connection to the server
/// behind. The server has separate threads and never blocks threads of Swift's pool. All threads have ended and all
/// descriptors are closed when ``stop()`` returns or the server is released.
package final class TLSServer: Sendable {
    /// Whether the server works on this machine: Linux with OpenSSL 1.1.1 or later.
    package static let isAvailable = TLSSession.isAvailable

    /// `https://localhost` and the port; ``url(_:host:)`` returns URLs with other hosts.
    package let url: URL
    /// The port, the same for 127.0.0.1 and, if the machine has IPv6, for ::1.
    package let port: UInt16
    /// The server behind, which lives as long as this one.
    package let plain: LoopbackServer
    private let engine: TLSEngine

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - plain: The server behind, which must listen on IPv4.
    ///   - identity: The certificate and the key of the server.
    ///   - versions: The supported versions; before TLS 1.2, the client may have to permit weak ciphers as well.
    ///   - clients: Whether clients are asked for a certificate.
    ///   - ending: The end of a client's connection when the server behind closes its connection.
    /// - Throws: ``TLSFailure`` if OpenSSL is missing or the identity is invalid; ``SocketError``.
    package init(
        before plain: LoopbackServer,
        identity: TLSIdentity = TLSFixtures.localhost,
        versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        clients: TLSClients = .anonymous,
        ending: TLSEnding = .closeNotify
    ) throws {
        let configuration = TLSConfiguration(
            .server(demandsCertificate: clients == .certified),
            identity: identity,
            trustRoots: clients == .anonymous ? nil : TLSFixtures.root,
            versions: versions
        )
        let plainPort = plain.port
        engine = try TLSEngine(configuration, ending: ending) { try Socket.connected(to: plainPort) }
        port = engine.port
        guard let url = URL(string: "https://localhost:\(port)") else { throw URLError(.badURL) }
        self.url = url
        self.plain = plain
        try engine.start()
    }

    deinit {
        engine.stop()
    }

    /// Returns the URL of a path and query, which must already be escaped.
    ///
    /// - Parameters:
    ///   - path: The path, which begins with a slash, or nothing.
    ///   - host: A name of this machine or a loopback address, `[::1]` in brackets.
    /// - Returns: The address.
    package func url(_ path: String, host: String = "localhost") -> URL {
        guard let url = URL(string: "https://\(host):\(port)\(path)") else {
            preconditionFailure("Not a path: \(path)")
        }
        return url
    }

    /// The results of all handshakes, in the order of their ends.
    package var handshakes: [TLSHandshake] {
        engine.log.read { $0.handshakes }
    }

    /// Waits for the end of a handshake by its number, from 0.
    ///
    /// - Throws: `CancellationError`, as soon as the task is cancelled; ``ServerStopped``.
    package func handshake(at index: Int) async throws -> TLSHandshake {
        try await engine.log.wait { log in
            if log.handshakes.count > index { return log.handshakes[index] }
            if log.isStopped { throw ServerStopped(waitingFor: "handshake \(index)") }
            return nil
        }
    }

    /// Ends all connections, and returns when all threads have ended and all descriptors are closed.
    package func stop() {
        engine.stop()
    }
}

/// The history and the connections of a TLS server.
struct TLSServerLog: ConnectionLog {
    var handshakes: [TLSHandshake] = []

    private var sockets: [Int: [Socket]] = [:]
    private var nextNumber = 0
    private(set) var isStopped = false
    var runningThreads = 1

    mutating func open(_ client: Socket) -> Int? {
        guard !isStopped else { return nil }
        defer { nextNumber += 1 }
        sockets[nextNumber] = [client]
        runningThreads += 1
        return nextNumber
    }

    /// Adds a connection; false after the server has stopped.
    mutating func attach(_ plain: Socket, to connection: Int) -> Bool {
        guard !isStopped else { return false }
        sockets[connection]?.append(plain)
        return true
    }

    mutating func close(_ connection: Int) {
        sockets[connection] = nil
    }

    mutating func stop() -> [Socket] {
        isStopped = true
        return sockets.values.flatMap { $0 }
    }
}

/// The result of one connection's handshake, as seen by the server.
package struct TLSHandshake: Sendable, Equatable {
    /// The negotiated version; nil if the handshake failed.
    package var version: TLSVersion?
    /// The host that the client requested (RFC 6066, section 3); nil for an address, which isn't sent.
    package var serverName: String?
    /// The protocol selected by ALPN; nil if the client didn't offer the server's protocol.
    package var applicationProtocol: String?
    /// The name in the client's certificate, in the format of RFC 4514; nil without one, or if the handshake failed.
    package var clientSubject: String?
    /// The failure of the handshake; nil if it succeeded.
    package var failure: TLSFailure?

    package init(
        version: TLSVersion? = nil,
        serverName: String? = nil,
        applicationProtocol: String? = nil,
        clientSubject: String? = nil,
        failure: TLSFailure? = nil
    ) {
        self.version = version
        self.serverName = serverName
        self.applicationProtocol = applicationProtocol
        self.clientSubject = clientSubject
        self.failure = failure
    }
}

/// The ways in which a TLS server ends a connection.
package enum TLSEnding: Sendable {
    /// Sends `close_notify`, then closes (RFC 8446, section 6.1).
    case closeNotify
    /// Closes without `close_notify`, as an attacker could: the client can't know whether bytes are missing.
    case truncation
}

/// The clients that a TLS server accepts.
package enum TLSClients: Sendable {
    /// All clients, without a request for a certificate.
    case anonymous
    /// Clients without a certificate, or with one that ``TLSFixtures/root`` has signed.
    case asked
    /// Clients with a certificate that ``TLSFixtures/root`` has signed.
    case certified
}
