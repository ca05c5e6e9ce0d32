#if os(Linux)
import CCurl
import Foundation

/// What libcurl says of a transfer that failed, or what was found wrong with one.
struct CurlFailure: Error, Sendable, CustomStringConvertible {
    let reason: TransportError.Reason

    /// Which part of TLS failed, if that was it and libcurl says so.
    let security: TransportError.SecurityFailure?

    /// More about the failure, where it was found here; libcurl's own text may change from one version to the next.
    let detail: String?

    /// What libcurl says, which names no more of the URL than the host.
    let description: String

    init(code: CInt, handle: CurlHandle) {
        let text = handle.errorText
        let result = ccurl_result(UInt32(bitPattern: code))
        security = Self.security(of: result, text, certificateCheck: handle.number(CCURL_INFO_CERTIFICATE_CHECK))
        reason = security == nil ? Self.reason(of: result, text, handle) : .secureConnectionFailed
        detail = nil
        description = text.isEmpty ? "libcurl error \(code)" : "\(text) (libcurl error \(code))"
    }

    private init(_ reason: TransportError.Reason, _ detail: String? = nil) {
        self.reason = reason
        self.detail = detail
        security = nil
        description = detail ?? reason.description
    }

    static let timedOut = CurlFailure(.timedOut)
    static let connectionLost = CurlFailure(.connectionLost)
    static let unwatchable = CurlFailure(.other, "the system refuses to watch another socket")
    static let descriptorsClosed = CurlFailure(.other, "the descriptors of libcurl's engine were closed")
    static let forked = CurlFailure(
        .unsupported,
        "the process was forked after the transport was made, whose threads the child does not have"
    )
    static let outOfMemory = CurlFailure(.other, "libcurl has no memory")
    static let invalidLength = CurlFailure(.malformedResponse, "the answer does not state one length for its body")
    static let incompleteHead = CurlFailure(.malformedResponse, "the head of the answer breaks off")

    static let unknownCoding = CurlFailure(.malformedResponse, "the body has a content coding that nobody asked for")
    static let brokenContent = CurlFailure(.malformedResponse, "the body is not of its content coding")
    static let incompleteContent = CurlFailure(.malformedResponse, "the compressed body breaks off")
    static let invalidStatus = CurlFailure(.malformedResponse, "the status is not a number of three digits")

    static func headTooLarge(limit: Int) -> CurlFailure {
        CurlFailure(.malformedResponse, "the heads of the answer have more than \(limit) bytes")
    }

    static func bodyTooLarge(limit: Int) -> CurlFailure {
        CurlFailure(.bodyTooLarge, "the body is longer than \(limit) bytes")
    }

    private static func reason(of result: ccurl_result, _ text: String, _ handle: CurlHandle) -> TransportError.Reason {
        switch result {
        case CCURL_RESULT_PROXY_NOT_RESOLVED, CCURL_RESULT_HOST_NOT_RESOLVED: .nameNotResolved
        case CCURL_RESULT_NOT_CONNECTED: reasonOfConnecting(handle.number(CCURL_INFO_SYSTEM_ERROR))
        case CCURL_RESULT_TIMED_OUT: .timedOut
        case CCURL_RESULT_PARTIAL, CCURL_RESULT_NO_REPLY, CCURL_RESULT_NOT_SENT: .connectionLost
        case CCURL_RESULT_HTTP2, CCURL_RESULT_HTTP2_STREAM: .connectionLost
        // There is one result for a reset, for chunks that are none, and for more header lines than libcurl allows.
        case CCURL_RESULT_NOT_RECEIVED: isAboutContent(text) ? .malformedResponse : .connectionLost
        case CCURL_RESULT_UNSUPPORTED_PROTOCOL, CCURL_RESULT_STRANGE_REPLY: .malformedResponse
        case CCURL_RESULT_BAD_CONTENT_ENCODING, CCURL_RESULT_TOO_LARGE: .malformedResponse
        // A line of a head that is too long, in older versions.
        case CCURL_RESULT_NOT_WRITTEN, CCURL_RESULT_OUT_OF_MEMORY: .malformedResponse
        case CCURL_RESULT_NOT_REWOUND: .bodyNotReplayable
        case CCURL_RESULT_MALFORMED_URL, CCURL_RESULT_BAD_ARGUMENT: .invalidRequest
        default: secureResults.contains(result.rawValue) ? .secureConnectionFailed : .other
        }
    }

    private static func isAboutContent(_ text: String) -> Bool {
        text.contains("chunk") || text.contains("header")
    }

    private static func reasonOfConnecting(_ systemError: Int) -> TransportError.Reason {
        switch Int32(clamping: systemError) {
        case ENETUNREACH, ENETDOWN, EHOSTUNREACH: .offline
        case ETIMEDOUT: .timedOut
        default: .connectionRefused
        }
    }

    private static let secureResults: Set<UInt32> = Set(
        [
            CCURL_RESULT_TLS_NOT_AGREED, CCURL_RESULT_TLS_ENGINE_MISSING, CCURL_RESULT_TLS_ENGINE_FAILED,
            CCURL_RESULT_CLIENT_CERTIFICATE, CCURL_RESULT_CIPHER, CCURL_RESULT_SERVER_CERTIFICATE,
            CCURL_RESULT_TLS_REQUIRED, CCURL_RESULT_TRUST_ROOTS, CCURL_RESULT_TLS_NOT_SHUT_DOWN,
            CCURL_RESULT_REVOCATION_LIST, CCURL_RESULT_ISSUER, CCURL_RESULT_PINNED_KEY,
            CCURL_RESULT_CERTIFICATE_STATUS, CCURL_RESULT_CLIENT_CERTIFICATE_REQUIRED,
        ].map(\.rawValue)
    )
}
#endif
