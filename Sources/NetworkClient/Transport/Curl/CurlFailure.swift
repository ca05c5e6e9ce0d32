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

    /// What libcurl says, which names no more of the URL than the host, and of a proxy's address neither user nor
    /// password.
    let description: String

    /// The status with which a proxy refused to make a tunnel.
    let proxyStatus: Int?

    /// A transfer that is over.
    ///
    /// - Parameters:
    ///   - code: One of libcurl's results.
    ///   - handle: The handle of the transfer.
    ///   - hasSent: Whether the request, or a part of it, may have been sent before: a failure to connect once more
    ///     then leaves open what became of it.
    init(code: CInt, handle: CurlHandle, hasSent: Bool = false) {
        let text = handle.errorText
        let result = ccurl_result(UInt32(bitPattern: code))
        let tunnelStatus = handle.number(CCURL_INFO_TUNNEL_STATUS)
        let proxyRefused = result == CCURL_RESULT_PROXY || tunnelStatus != 0 && !(200...299).contains(tunnelStatus)
        let wasConnecting = Self.connectingResults.contains(result.rawValue) || proxyRefused
        var found = Finding(.connectionLost)
        if hasSent, wasConnecting {
            // Whatever it is called, something may have been sent.
        } else if text.hasPrefix("Unsupported proxy") {
            found = Finding(.unsupported, "libcurl does not understand the proxy's address")
        } else if proxyRefused {
            found = .proxyRefused(status: tunnelStatus)
        } else if wasConnecting, handle.lacksDescriptors || ccurl_has_descriptors() == 0 {
            found = Finding(.tooManyOpenFiles)
        } else {
            found = Finding(result, text, handle, hasSent: hasSent)
        }
        reason = found.reason
        security = found.security
        detail = found.detail
        proxyStatus = found.proxyStatus
        description = Self.description(of: code, Self.withoutCredentials(text))
    }

    /// An option that could not be set: libcurl, or the TLS library that it was built with, does not know it, or its
    /// value is invalid.
    init(optionRefused code: CInt) {
        let isUnknown = [CCURL_RESULT_NOT_BUILT_IN, CCURL_RESULT_UNKNOWN_OPTION].contains(
            ccurl_result(UInt32(bitPattern: code))
        )
        reason = isUnknown ? .unsupported : .invalidRequest
        security = nil
        detail = isUnknown ? "this libcurl does not know an option that is needed" : nil
        proxyStatus = nil
        description = Self.description(of: code, "")
    }

    private static func description(of code: CInt, _ text: String) -> String {
        text.isEmpty ? "libcurl error \(code)" : "\(text) (libcurl error \(code))"
    }

    /// libcurl quotes the address of a proxy that it does not understand.
    static func withoutCredentials(_ text: String) -> String {
        guard let at = text.lastIndex(of: "@") else {
            return text.hasPrefix("Unsupported proxy") ? "Unsupported proxy address" : text
        }
        let start = text.range(of: "://")?.upperBound ?? text.firstIndex(of: "'") ?? text.startIndex
        return start < at ? text[..<start] + "…" + text[at...] : "…" + text[at...]
    }

    private init(_ reason: TransportError.Reason, _ detail: String? = nil) {
        self.reason = reason
        self.detail = detail
        security = nil
        proxyStatus = nil
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
    static let closed = CurlFailure(.transportClosed)
    static let tooManyOpenFiles = CurlFailure(.tooManyOpenFiles)
    static let noEngine = CurlFailure(.other, "there is no memory or thread left for libcurl")
    static let outOfMemory = CurlFailure(.other, "libcurl has no memory")
    static let invalidLength = CurlFailure(.malformedResponse, "the answer does not state one length for its body")
    static let invalidLine = CurlFailure(.malformedResponse, "a line of the head or of the trailers is not a field")
    static let unknownTransferCoding = CurlFailure(
        .malformedResponse,
        "the body has a transfer coding that nobody asked for"
    )
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

    /// What a result means.
    private struct Finding {
        var reason: TransportError.Reason
        var security: TransportError.SecurityFailure?
        var detail: String?
        var proxyStatus: Int?

        init(_ reason: TransportError.Reason, _ detail: String? = nil) {
            self.reason = reason
            self.detail = detail
        }

        init(_ result: ccurl_result, _ text: String, _ handle: CurlHandle, hasSent: Bool) {
            let check = handle.number(CCURL_INFO_CERTIFICATE_CHECK)
            security = CurlFailure.security(of: result, text, certificateCheck: check, hasSent: hasSent)
            reason = security == nil ? CurlFailure.reason(of: result, text, handle, hasSent) : .secureConnectionFailed
            if result == CCURL_RESULT_UPLOAD_FAILED { detail = "HTTP/1.0 has no body whose length is not known" }
        }

        static func proxyRefused(status: Int) -> Finding {
            guard status != 0 else { return Finding(.proxyRefused) }
            var finding = Finding(.proxyRefused, "the proxy refused to connect, with status \(status)")
            finding.proxyStatus = status
            return finding
        }
    }

    private static func reason(
        of result: ccurl_result,
        _ text: String,
        _ handle: CurlHandle,
        _ hasSent: Bool
    ) -> TransportError.Reason {
        switch result {
        case CCURL_RESULT_PROXY_NOT_RESOLVED, CCURL_RESULT_HOST_NOT_RESOLVED: .nameNotResolved
        case CCURL_RESULT_NOT_CONNECTED: reasonOfConnecting(handle.number(CCURL_INFO_SYSTEM_ERROR))
        case CCURL_RESULT_TIMED_OUT: .timedOut
        case CCURL_RESULT_PARTIAL, CCURL_RESULT_NO_REPLY, CCURL_RESULT_NOT_SENT: .connectionLost
        case CCURL_RESULT_HTTP2, CCURL_RESULT_HTTP2_STREAM: .connectionLost
        // There is one result for a reset, for chunks that are none, and for more header lines than libcurl allows.
        case CCURL_RESULT_NOT_RECEIVED: isAboutContent(text) ? .malformedResponse : .connectionLost
        case CCURL_RESULT_STRANGE_REPLY: .malformedResponse
        case CCURL_RESULT_BAD_CONTENT_ENCODING, CCURL_RESULT_TOO_LARGE: .malformedResponse
        // A line of a head that is too long, in older versions.
        case CCURL_RESULT_NOT_WRITTEN, CCURL_RESULT_OUT_OF_MEMORY: .malformedResponse
        case CCURL_RESULT_NOT_REWOUND: .bodyNotReplayable
        case CCURL_RESULT_UPLOAD_FAILED: .unsupported
        // Of a scheme, or of a version of HTTP that the server speaks.
        case CCURL_RESULT_UNSUPPORTED_PROTOCOL: hasSent ? .malformedResponse : .unsupported
        // Of the request's own, or of a line that the server sent.
        case CCURL_RESULT_MALFORMED_URL, CCURL_RESULT_BAD_ARGUMENT: hasSent ? .malformedResponse : .invalidRequest
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
        case EMFILE, ENFILE: .tooManyOpenFiles
        default: .connectionRefused
        }
    }

    /// What a transfer ends with before it has a connection, beside a failure of TLS.
    private static let connectingResults: Set<UInt32> = secureResults.union(
        [
            CCURL_RESULT_PROXY_NOT_RESOLVED, CCURL_RESULT_HOST_NOT_RESOLVED, CCURL_RESULT_NOT_CONNECTED,
            CCURL_RESULT_PROXY,
        ].map(\.rawValue)
    )

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
