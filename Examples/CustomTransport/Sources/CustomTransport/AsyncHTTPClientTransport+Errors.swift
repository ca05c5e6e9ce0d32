import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import NetworkClient

extension AsyncHTTPClientTransport {
    /// Returns the error that callers get: retries, circuit breakers and the log decide by its reason.
    static func error(_ error: any Error, _ request: URLRequest) -> any Error {
        switch error {
        case is CancellationError, is TransportError: return error
        case let error as HTTPClientError where error == .cancelled && Task.isCancelled: return CancellationError()
        default:
            let security = securityFailure(error)
            let reason = security == nil ? reason(error) : .secureConnectionFailed
            return TransportError(reason, request: request, securityFailure: security, underlying: error)
        }
    }

    private static func reason(_ error: any Error) -> TransportError.Reason {
        switch error {
        case let error as HTTPClientError: reason(error)
        case let error as NIOConnectionError: reason(error)
        case let error as IOError: reason(ofSystemError: error.errnoCode)
        case ChannelError.connectTimeout: .timedOut
        case is ChannelError, NIOSSLError.uncleanShutdown: .connectionLost
        case HTTPParserError.invalidEOFState: .connectionLost
        case is HTTPParserError, is NIOHTTPDecompression.DecompressionError: .malformedResponse
        case is NIOHTTPDecompression.ExtraDecompressionError: .malformedResponse
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: .secureConnectionFailed
        default: .other
        }
    }

    private static func reason(_ error: HTTPClientError) -> TransportError.Reason {
        switch error {
        case .remoteConnectionClosed, .uncleanShutdown, .cancelled, .requestStreamCancelled: .connectionLost
        case .connectTimeout, .tlsHandshakeTimeout, .httpProxyHandshakeTimeout, .socksHandshakeTimeout: .timedOut
        case .readTimeout, .writeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout: .timedOut
        case .proxyAuthenticationRequired, .invalidProxyResponse: .proxyRefused
        case .invalidURL, .emptyHost, .emptyScheme, .traceRequestWithBody: .invalidRequest
        case .bodyLengthMismatch: .bodyUnreadable
        case .alreadyShutdown: .transportClosed
        default: .other
        }
    }

    /// The failure of a connection to any of the host's addresses.
    private static func reason(_ error: NIOConnectionError) -> TransportError.Reason {
        guard let failure = error.connectionErrors.last else { return .nameNotResolved }
        return reason(failure.error)
    }

    private static func reason(ofSystemError code: CInt) -> TransportError.Reason {
        switch code {
        case ECONNREFUSED: .connectionRefused
        case ENETUNREACH, ENETDOWN, EHOSTUNREACH: .offline
        case ETIMEDOUT: .timedOut
        case EMFILE, ENFILE: .tooManyOpenFiles
        default: .connectionLost
        }
    }

    private static func securityFailure(_ error: any Error) -> TransportError.SecurityFailure? {
        switch error {
        case let error as NIOSSLExtraError where error == .failedToValidateHostname: .wrongHost
        case NIOSSLError.handshakeFailed(let error) where "\(error)".contains("CERTIFICATE_VERIFY_FAILED"):
            .untrustedCertificate
        default: nil
        }
    }
}
