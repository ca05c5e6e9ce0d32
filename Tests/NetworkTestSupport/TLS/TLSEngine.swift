import Foundation

/// The shared state of a TLS server's threads, which outlives the server while the threads end.
final class TLSEngine: AcceptingServer {
    static let threadName = "TLSServer"

    let log = AwaitableValue(TLSServerLog())
    let configuration: TLSConfiguration
    let ending: TLSEnding
    /// Connects to the server behind, without TLS.
    let connectPlain: @Sendable () throws -> Socket
    /// The port, the same for 127.0.0.1 and, if the machine has IPv6, for ::1.
    let port: UInt16
    let listeners: [Socket]
    let stopping = Gate()

    /// - Throws: ``TLSFailure`` if OpenSSL is missing or the identity is invalid; ``SocketError``.
    init(
        _ configuration: TLSConfiguration,
        ending: TLSEnding = .closeNotify,
        connectPlain: @escaping @Sendable () throws -> Socket
    ) throws {
        // Each connection makes a session; an invalid configuration must fail here.
        _ = try TLSSession(configuration)
        listeners = try Self.listenOnOnePort()
        port = try listeners[0].port()
        self.connectPlain = connectPlain
        self.configuration = configuration
        self.ending = ending
    }

    func serve(_ socket: Socket, number: Int) {
        TLSConnection(client: socket, number: number, engine: self).serve()
    }

    /// Listens in both families, since `localhost` may be either, and no other process should respond there.
    private static func listenOnOnePort() throws -> [Socket] {
        let hasIPv6 = (try? Socket.bound(to: .ipv6)) != nil
        while true {
            let listener = try Socket.listening(on: .ipv4)
            guard hasIPv6 else { return [listener] }
            do {
                return [listener, try Socket.listening(on: .ipv6, port: listener.port())]
            } catch let error as SocketError where error.code == EADDRINUSE {
                // Another process uses the port in this family; the next port may be free in both.
            }
        }
    }
}
