package import Foundation

/// Puts TLS before a ``LoopbackServer``, on a port of its own, so that all scripts of that one can be played under it.
///
/// ```swift
/// let plain = try LoopbackServer { _ in .json("1") }
/// let server = try TLSServer(before: plain, identity: TLSFixtures.expired)
/// // … send something to server.url("/items"), trusting TLSFixtures.root …
/// let handshake = try await server.handshake(at: 0)
/// ```
/// Every connection is a full handshake (none is resumed) and, if that succeeds, one connection to the other server,
/// which does not hear of clients whose handshake fails. It blocks threads of its own and none of Swift's; they and all
/// descriptors are gone when ``stop()`` returns or the server is released.
package final class TLSServer: Sendable {
    /// Whether the machine has what this needs: Linux with OpenSSL 1.1.1 or later.
    package static let isAvailable = TLSSession.isAvailable

    /// `https://localhost` and the port; ``url(_:host:)`` knows other hosts.
    package let url: URL
    /// The same for 127.0.0.1 and, where the machine has IPv6, for ::1.
    package let port: UInt16
    /// The server behind it, which lives as long as this one.
    package let plain: LoopbackServer
    private let engine: TLSEngine

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - plain: The server behind it, one that listens on IPv4.
    ///   - identity: What it shows.
    ///   - versions: What it speaks; for what is older than TLS 1.2, the client may have to allow weak ciphers, too.
    ///   - clients: Whether it asks clients for a certificate.
    ///   - ending: What a client gets to see when the server behind closes a connection.
    /// - Throws: ``TLSFailure`` if there is no OpenSSL or the identity is none; ``SocketError``.
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

    /// The address of a path and query, which must be valid in a URL as they are.
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

    /// What came of every handshake, in the order in which they ended.
    package var handshakes: [TLSHandshake] {
        engine.log.read { $0.handshakes }
    }

    /// Waits until a handshake is over, the first being 0.
    ///
    /// - Throws: `CancellationError`, as soon as the task is cancelled; ``ServerStopped``.
    package func handshake(at index: Int) async throws -> TLSHandshake {
        try await engine.log.wait { log in
            if log.handshakes.count > index { return log.handshakes[index] }
            if log.isStopped { throw ServerStopped(waitingFor: "handshake \(index)") }
            return nil
        }
    }

    /// Ends every connection, and returns when all threads are done and all descriptors closed.
    package func stop() {
        engine.stop()
    }
}

/// All that a TLS server knows of its past and of its connections.
struct TLSServerLog: Sendable {
    var handshakes: [TLSHandshake] = []

    private var sockets: [Int: [Socket]] = [:]
    private var nextNumber = 0
    private(set) var isStopped = false
    /// The one that accepts and those of the connections.
    private(set) var runningThreads = 1

    /// The number for a new connection, nil if it came too late.
    mutating func open(_ client: Socket) -> Int? {
        guard !isStopped else { return nil }
        defer { nextNumber += 1 }
        sockets[nextNumber] = [client]
        runningThreads += 1
        return nextNumber
    }

    /// False if it came too late.
    mutating func attach(_ plain: Socket, to connection: Int) -> Bool {
        guard !isStopped else { return false }
        sockets[connection]?.append(plain)
        return true
    }

    mutating func close(_ connection: Int) {
        sockets[connection] = nil
    }

    mutating func threadEnded() {
        runningThreads -= 1
    }

    /// From now on no connection is opened; returns the sockets of those that are, to be shut down.
    mutating func stop() -> [Socket] {
        isStopped = true
        return sockets.values.flatMap { $0 }
    }
}

/// What came of one connection's handshake, seen from the server.
package struct TLSHandshake: Sendable, Equatable {
    /// What both sides agreed on; nil if the handshake failed.
    package var version: TLSVersion?
    /// The host that the client asked for (RFC 6066, section 3); nil for an address, which is not asked for.
    package var serverName: String?
    /// What both sides agreed on by ALPN; nil if the client didn't offer what the server
    /// speaks.
    package var applicationProtocol: String?
    /// The name in the client's certificate as RFC 4514 writes it; nil if it showed none, or the handshake failed.
    package var clientSubject: String?
    /// Nil if the handshake succeeded, whatever became of the connection afterwards.
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

/// How a TLS server ends a connection.
package enum TLSEnding: Sendable {
    /// Says so under TLS, then closes (RFC 8446, section 6.1).
    case closeNotify
    /// Only closes, as somebody in between could do: the client cannot know that nothing is missing.
    case truncation
}

/// Whom a TLS server lets in.
package enum TLSClients: Sendable {
    /// Everybody, without asking for a certificate.
    case anonymous
    /// Those who show no certificate, and those who show one that ``TLSFixtures/root`` has signed.
    case asked
    /// Only those who show a certificate that ``TLSFixtures/root`` has signed.
    case certified
}
