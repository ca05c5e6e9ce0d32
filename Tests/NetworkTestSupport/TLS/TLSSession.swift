import CTLS
import Foundation
@testable import NetworkUtilities

/// The server's side of a TLS connection without a socket: received bytes are put in, bytes to send are taken out.
///
/// After each call, the bytes of ``takeOutgoing()`` must be sent, also after an error, which may produce an alert.
final class TLSSession: Sendable {
    /// Whether a usable OpenSSL was found.
    static let isAvailable = ctls_load() == 1

    private let session: Locked<OpaquePointer>
    private let omitsCloseNotify: Bool

    /// - Throws: ``TLSFailure`` if OpenSSL is missing, or a file of the configuration is invalid.
    init(_ configuration: TLSConfiguration) throws {
        guard Self.isAvailable else { throw TLSFailure(reason: "There is no OpenSSL here.") }
        guard let session = configuration.makeSession() else {
            throw TLSFailure(reason: "OpenSSL refuses \(configuration.identity.certificates.path).")
        }
        self.session = Locked(session)
        omitsCloseNotify = configuration.omitsCloseNotify
    }

    deinit {
        session.withLock { ctls_session_free($0) }
    }

    /// Continues the handshake; false if more bytes of the client are needed.
    func shakeHands() throws -> Bool {
        let progress = session.withLock { ctls_session_shake_hands($0) }
        guard progress == CTLS_DONE || progress == CTLS_NEEDS_BYTES else {
            throw TLSFailure(reason: "The handshake failed.")
        }
        return progress == CTLS_DONE
    }

    /// Decrypts all received bytes.
    ///
    /// - Returns: The decrypted bytes, and whether the client has sent `close_notify`.
    func read() throws -> (bytes: [UInt8], isEnd: Bool) {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            var count = 0
            switch session.withLock({ ctls_session_read($0, &piece, piece.count, &count) }) {
            case CTLS_DONE: bytes += piece[..<count]
            case CTLS_NEEDS_BYTES: return (bytes, false)
            case CTLS_CLOSED: return (bytes, true)
            default: throw TLSFailure(reason: "The client has sent an alert or invalid bytes.")
            }
        }
    }

    /// Encrypts bytes after the handshake.
    func write(_ bytes: [UInt8]) throws {
        guard session.withLock({ ctls_session_write($0, bytes, bytes.count) }) == CTLS_DONE else {
            throw TLSFailure(reason: "The session has ended.")
        }
    }

    /// Produces `close_notify`, once, unless the configuration omits it; the client may still send.
    func end() {
        if !omitsCloseNotify { session.withLock { ctls_session_end($0) } }
    }

    func putReceived(_ bytes: [UInt8]) {
        session.withLock { ctls_session_put_received($0, bytes, bytes.count) }
    }

    func takeOutgoing() -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 * 1024)
        while case let count = session.withLock({ ctls_session_take_outgoing($0, &piece, piece.count) }), count > 0 {
            bytes += piece[..<count]
        }
        return bytes
    }

    /// The result of the handshake.
    var handshake: TLSHandshake {
        var subject = [CChar](repeating: 0, count: 512)
        return session.withLock { session in
            ctls_session_client_subject(session, &subject, Int32(subject.count))
            let name = subject.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
            return TLSHandshake(
                version: TLSVersion(rawValue: Int(ctls_session_version(session))),
                isResumed: ctls_session_is_resumed(session) == 1,
                clientSubject: name == "" ? nil : name
            )
        }
    }
}

/// The result of a successful handshake, as seen by the server.
package struct TLSHandshake: Sendable {
    /// The negotiated version.
    package let version: TLSVersion?
    /// Whether it continues the session of an earlier connection.
    package let isResumed: Bool
    /// The name in the client's certificate, in the format of RFC 4514; nil without one.
    package let clientSubject: String?
}

/// The reason why a TLS session couldn't be created, or has failed.
struct TLSFailure: Error {
    let reason: String
}
