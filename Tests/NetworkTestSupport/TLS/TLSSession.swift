import CTLS
import Foundation

/// One side of a TLS connection without a socket: bytes from the peer are put in, bytes for the peer are taken out.
///
/// A session is used by one thread. After each call, the bytes of ``takeOutgoing()`` must be sent, also after an error,
/// which may have produced an alert.
package final class TLSSession {
    /// Whether a usable OpenSSL was found.
    package static let isAvailable = ctls_load() == 1

    private let session: OpaquePointer

    /// - Throws: ``TLSFailure`` if a file of the configuration is invalid.
    package init(_ configuration: TLSConfiguration) throws(TLSFailure) {
        guard Self.isAvailable else { throw .unavailable }
        var failure = ctls_failure()
        guard let session = configuration.makeSession(&failure) else { throw TLSFailure(failure) }
        self.session = session
    }

    deinit {
        ctls_session_free(session)
    }

    /// Continues the handshake; false if more bytes of the peer are needed.
    package func shakeHands() throws(TLSFailure) -> Bool {
        var failure = ctls_failure()
        switch ctls_session_shake_hands(session, &failure) {
        case CTLS_DONE: return true
        case CTLS_NEEDS_BYTES: return false
        default: throw TLSFailure(failure)
        }
    }

    /// Decrypts all received bytes.
    ///
    /// - Returns: The decrypted bytes, and whether the peer has sent `close_notify`.
    package func read() throws(TLSFailure) -> (bytes: [UInt8], isEnd: Bool) {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            var count = 0
            var failure = ctls_failure()
            switch ctls_session_read(session, &piece, piece.count, &count, &failure) {
            case CTLS_DONE: bytes += piece[..<count]
            case CTLS_NEEDS_BYTES: return (bytes, false)
            case CTLS_CLOSED: return (bytes, true)
            default: throw TLSFailure(failure)
            }
        }
    }

    /// Encrypts bytes after the handshake.
    package func write(_ bytes: [UInt8]) throws(TLSFailure) {
        var failure = ctls_failure()
        guard ctls_session_write(session, bytes, bytes.count, &failure) == CTLS_DONE else { throw TLSFailure(failure) }
    }

    /// Sends `close_notify`; the peer may still send (RFC 8446, section 6.1).
    package func sendCloseNotify() {
        ctls_session_close(session)
    }

    package func putReceived(_ bytes: [UInt8]) {
        ctls_session_put_received(session, bytes, bytes.count)
    }

    package func takeOutgoing() -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 * 1024)
        while case let count = ctls_session_take_outgoing(session, &piece, piece.count), count > 0 {
            bytes += piece[..<count]
        }
        return bytes
    }

    /// The negotiated parameters after the handshake.
    package func describeHandshake() -> TLSHandshake {
        var subject = [CChar](repeating: 0, count: 512)
        ctls_session_peer_subject(session, &subject, Int32(subject.count))
        let name = subject.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
        return TLSHandshake(
            version: TLSVersion(rawValue: Int(ctls_session_version(session))),
            serverName: serverName,
            applicationProtocol: applicationProtocol,
            clientSubject: name == "" ? nil : name
        )
    }

    /// The requested host; on a server known after the client's first message.
    package var serverName: String? {
        ctls_session_server_name(session).map { String(cString: $0) }
    }

    private var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        ctls_session_application_protocol(session, &name, &length)
        guard let name, length > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }
}

extension TLSFailure {
    fileprivate init(_ failure: ctls_failure) {
        let reason = String(cString: failure.reason)
        if failure.alert >= 0 {
            self = .alert(Int(failure.alert))
        } else if failure.untrusted != 0 {
            self = .untrusted(Int(failure.untrusted), reason: reason)
        } else {
            self = .library(reason)
        }
    }
}

/// The reason why a TLS session couldn't be created, or has failed.
package enum TLSFailure: Error, Equatable, CustomStringConvertible {
    /// The machine has no OpenSSL 1.1.1 or later.
    case unavailable
    /// The peer closed the connection during the handshake, without an alert.
    case disconnected
    /// The peer sent an alert of this number (RFC 8446, section 6.2), such as 48 for an unknown certificate authority.
    case alert(Int)
    /// The peer's certificate isn't trusted; the code is OpenSSL's `X509_V_ERR`, the reason is its text.
    case untrusted(Int, reason: String)
    /// Any other failure, with OpenSSL's text.
    case library(String)

    package var description: String {
        switch self {
        case .unavailable: "There is no OpenSSL here."
        case .disconnected: "The peer broke off the handshake."
        case .alert(let number): "The peer sent alert \(number)."
        case .untrusted(let code, let reason): "The peer's certificate is not trusted: \(reason) (\(code))."
        case .library(let reason): "OpenSSL: \(reason)."
        }
    }
}
