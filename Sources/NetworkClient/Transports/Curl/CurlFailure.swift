#if os(Linux)
import CCurl

/// A failure of a transfer, reported by libcurl or detected by this library.
struct CurlFailure: Error, Sendable, CustomStringConvertible {
    let reason: TransportError.Reason

    /// The part of TLS that failed; nil if TLS did not fail, or if libcurl does not say which part failed.
    private(set) var security: TransportError.SecurityFailure?

    /// The cause of a failure that this library detected; libcurl's own text may change between versions.
    var detail: String?

    /// libcurl's text, which contains only the host of the URL, and no credentials of a proxy.
    private(set) var description: String

    /// The status with which a proxy refused to open a tunnel.
    private(set) var proxyStatus: Int?

    /// The limit that passed, if the failure is a timeout of this library.
    private(set) var passedLimit: PassedLimit?

    /// Whether libcurl has failed before a part of the request can have been sent, and may not fail in another way.
    private(set) var isOfConnecting = false

    private init(_ reason: TransportError.Reason, _ detail: String? = nil) {
        self.reason = reason
        self.detail = detail
        description = detail ?? reason.description
    }

    /// Creates a failure from the result of a transfer.
    ///
    /// `hasSent` means that the request, or a part of it, may have been sent before. Then even after a failure to
    /// connect, the server may have processed it.
    init(_ result: ccurl_code, handle: CurlHandle, hasSent: Bool = false) {
        let text = handle.errorText
        let status = handle.number(CURLINFO_HTTP_CONNECTCODE)
        let proxyRefused = result == CURLE_PROXY || status != 0 && !(200...299).contains(status)
        let wasConnecting = Self.connectingResults.contains(result.rawValue) || proxyRefused
        if hasSent, wasConnecting {
            self.init(.connectionLost)
        } else if text.hasPrefix("Unsupported proxy") {
            self.init(.unsupported, "libcurl cannot parse the proxy's address")
        } else if proxyRefused {
            self.init(.proxyRefused, status == 0 ? nil : "the proxy refused to connect, with status \(status)")
            proxyStatus = status == 0 ? nil : status
        } else if wasConnecting || result == CURLE_ABORTED_BY_CALLBACK,
            handle.lacksDescriptors && handle.count(CURLINFO_CONNECT_TIME_T) == 0 || ccurl_has_descriptors(1) == 0
        {
            self.init(.tooManyOpenFiles)
        } else {
            let check = handle.number(CURLINFO_SSL_VERIFYRESULT)
            let security = Self.security(of: result, text, certificateCheck: check, hasSent: hasSent)
            self.init(
                security == nil ? Self.reason(of: result, text, handle, hasSent) : .secureConnectionFailed,
                Self.detail(of: result, text, security, check)
            )
            self.security = security
        }
        description = Self.description(of: result, Self.withoutCredentials(text))
        isOfConnecting = !hasSent && ![.nameNotResolved, .tooManyOpenFiles].contains(reason)
    }

    private static func detail(
        of result: ccurl_code,
        _ text: String,
        _ security: TransportError.SecurityFailure?,
        _ check: Int
    ) -> String? {
        switch result {
        case CURLE_PEER_FAILED_VERIFICATION where security == .untrustedCertificate: weakness(check)
        // What OpenSSL says of a response that is not TLS.
        case _ where security == .protocolVersion && text.lowercased().contains("wrong version"):
            "the server or its proxy did not respond with TLS; its URL may have to begin with http:"
        case CURLE_INTERFACE_FAILED: "the local address or interface of the transport is not available"
        case CURLE_UPLOAD_FAILED: "HTTP/1.0 cannot carry a body of unknown length"
        // libcurl has one code for certificate, key and password.
        case CURLE_SSL_CERTPROBLEM,
            CURLE_BAD_FUNCTION_ARGUMENT where security == .clientCertificate:
            "the client's certificate or its key cannot be read, or its password is wrong"
        default: nil
        }
    }

    /// Creates a failure from a refused option: libcurl or its TLS library does not know the option, or its value is
    /// invalid.
    init(optionRefused result: ccurl_code) {
        let isUnknown = [CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION].contains(result)
        self.init(
            isUnknown ? .unsupported : .invalidRequest,
            isUnknown ? "this libcurl does not know an option that is needed" : nil
        )
        description = Self.description(of: result, "")
    }

    private static func description(of result: ccurl_code, _ text: String) -> String {
        text.isEmpty ? "libcurl error \(result.rawValue)" : "\(text) (libcurl error \(result.rawValue))"
    }

    /// Removes the credentials from libcurl's text, which quotes an invalid proxy address.
    static func withoutCredentials(_ text: String) -> String {
        guard let at = text.lastIndex(of: "@") else {
            return text.hasPrefix("Unsupported proxy") ? "Unsupported proxy address" : text
        }
        let start = text.range(of: "://")?.upperBound ?? text.firstIndex(of: "'") ?? text.startIndex
        return start < at ? text[..<start] + "…" + text[at...] : "…" + text[at...]
    }

    /// Creates the failure of an exchange that has passed a limit.
    init(passed limit: PassedLimit) {
        self.init(.timedOut, limit.sentence)
        passedLimit = limit
    }

    static let connectionLost = CurlFailure(.connectionLost)
    static let streamRefused = CurlFailure(.connectionLost, "the server refused the request's HTTP/2 stream")
    static let unwatchable = CurlFailure(.other, "the system refuses to watch another socket")
    static let descriptorsClosed = CurlFailure(.other, "the descriptors of libcurl's engine were closed")
    static let forked = CurlFailure(
        .unsupported,
        "the process was forked after the transport was created, so its threads are missing"
    )
    static let closed = CurlFailure(.transportClosed)
    static let tooManyOpenFiles = CurlFailure(.tooManyOpenFiles)
    static let noEngine = CurlFailure(.other, "there is no memory or thread left for libcurl")
    static let outOfMemory = CurlFailure(.other, "libcurl has no memory")
    static let invalidLength = CurlFailure(.malformedResponse, BodyFraming.Problem.length)
    static let invalidLine = CurlFailure(.malformedResponse, "a line of the head or of the trailers is not a field")
    static let unknownTransferCoding = CurlFailure(.malformedResponse, BodyFraming.Problem.coding)
    static let incompleteHead = CurlFailure(.malformedResponse, "the head of the response breaks off")

    static let unknownCoding = CurlFailure(
        .malformedResponse,
        "the body has a content coding that the request did not ask for"
    )
    static let brokenContent = CurlFailure(.malformedResponse, "the body is invalid in its content coding")
    static let incompleteContent = CurlFailure(.malformedResponse, "the compressed body breaks off")
    static let invalidStatus = CurlFailure(.malformedResponse, "the status is not a number of three digits")

    static func hangingLookUp(seconds: Double) -> CurlFailure {
        CurlFailure(.nameNotResolved, "the look-up of the name has not ended within \(seconds.inWords)")
    }

    static func headTooLarge(limit: Int) -> CurlFailure {
        CurlFailure(.malformedResponse, "the heads of the response have more than \(limit) bytes")
    }

    static func bodyTooLarge(_ options: TransportOptions) -> CurlFailure {
        CurlFailure(.bodyTooLarge, TransportError(bodyOver: options).detail)
    }

    private static func reason(
        of result: ccurl_code,
        _ text: String,
        _ handle: CurlHandle,
        _ hasSent: Bool
    ) -> TransportError.Reason {
        switch result {
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST: .nameNotResolved
        case CURLE_INTERFACE_FAILED: .offline
        case CURLE_COULDNT_CONNECT, CURLE_QUIC_CONNECT_ERROR: reasonOfConnecting(handle.number(CURLINFO_OS_ERRNO))
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR: .connectionLost
        case CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3: .connectionLost
        // The code of a connection reset, an invalid chunk, and more header lines than libcurl allows.
        case CURLE_RECV_ERROR: isAboutContent(text) ? .malformedResponse : .connectionLost
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_TOO_LARGE: .malformedResponse
        // Older versions return these codes for a header line that is too long.
        case CURLE_WRITE_ERROR, CURLE_OUT_OF_MEMORY: .malformedResponse
        case CURLE_SEND_FAIL_REWIND: .bodyNotReplayable
        case CURLE_UPLOAD_FAILED: .unsupported
        // Either the scheme of the request or the HTTP version of the response is not supported.
        case CURLE_UNSUPPORTED_PROTOCOL: hasSent ? .malformedResponse : .unsupported
        // Either the URL of the request or a line of the response is malformed.
        case CURLE_URL_MALFORMAT: hasSent ? .malformedResponse : .invalidRequest
        // All options of the request were accepted before.
        case CURLE_BAD_FUNCTION_ARGUMENT: hasSent ? .malformedResponse : .connectionLost
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

    /// The results of a transfer that got no connection, including failures of TLS.
    private static let connectingResults: Set<UInt32> = secureResults.union(
        [CURLE_COULDNT_CONNECT, CURLE_QUIC_CONNECT_ERROR, CURLE_INTERFACE_FAILED, CURLE_PROXY].map(\.rawValue)
    ).union(LookUp.failures.map(\.rawValue))

    private static let secureResults: Set<UInt32> = Set(
        [
            CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION,
            CURLE_USE_SSL_FAILED, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_SHUTDOWN_FAILED,
            CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT,
        ].map(\.rawValue)
    )
}

extension CurlFailure {
    /// Returns the part of TLS that failed; nil if something else failed, or the part is unknown.
    ///
    /// `certificateCheck` is the result of OpenSSL's check of the certificate, 0 for a valid one or no check; libcurl's
    /// other TLS libraries report it only in the text.
    static func security(
        of result: ccurl_code,
        _ text: String,
        certificateCheck: Int,
        hasSent: Bool
    ) -> TransportError.SecurityFailure? {
        switch result {
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: .unpinnedKey
        case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CLIENTCERT: .clientCertificate
        case CURLE_SSL_CACERT_BADFILE: .trustRoots
        // From libcurl 8.16 on, this is the code for the client's key or its password.
        case CURLE_BAD_FUNCTION_ARGUMENT where !hasSent && isAboutKey(text): .clientCertificate
        case CURLE_PEER_FAILED_VERIFICATION: certificate(text.lowercased(), certificateCheck)
        case CURLE_SSL_CONNECT_ERROR, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            handshake(text.lowercased(), certificateCheck)
        default: nil
        }
    }

    private static func isAboutKey(_ text: String) -> Bool {
        text.contains("private key") || text.contains("client certificate") || text.contains("PEM file")
    }

    /// Returns what is wrong with an untrusted certificate, by OpenSSL's number; nil if its authority is not trusted.
    static func weakness(_ check: Int) -> String? {
        let untrusted = TransportError.SecurityFailure.untrustedCertificate.sentence
        return switch check {
        case 18: untrusted + ": it is signed by itself"
        case 20, 21: untrusted + ", or an intermediate certificate is missing"
        case 7, 68: "a signature in the server's certificates is wrong or too weak"
        case 66, 67: "a key in the server's certificates is too weak"
        case 79: "the server's certificate was issued with a certificate that may not issue others"
        case 26: "the server's certificate is not meant for servers"
        default: nil
        }
    }

    private static func certificate(_ text: String, _ check: Int) -> TransportError.SecurityFailure {
        switch check {
        // OpenSSL's X509_V_ERR constants. Over QUIC, libcurl's text does not name the host; it is 1 before that check.
        case 1 where !CurlLibrary.hasGnuTLS && text.hasPrefix("failed to connect"): return .wrongHost
        case 9: return .prematureCertificate
        case 10: return .expiredCertificate
        case 23: return .revokedCertificate
        case 62, 64: return .wrongHost
        default: break
        }
        if text.contains("subject name") || text.contains("does not match") { return .wrongHost }
        if text.contains("expired") || text.contains("expiration date has passed") { return .expiredCertificate }
        if text.contains("not yet valid") || text.contains("not activated") { return .prematureCertificate }
        return text.contains("revoked") ? .revokedCertificate : .untrustedCertificate
    }

    /// Recognises a TLS alert from the server by its text; in TLS 1.3, it arrives when the client reads.
    private static func handshake(_ text: String, _ check: Int) -> TransportError.SecurityFailure? {
        let isAbout = { (words: [String]) in words.contains { text.contains($0) } }
        if isAbout(["protocol version", "unsupported protocol", "no protocols available", "wrong version"]) {
            return .protocolVersion
        }
        let alerts = [
            "certificate required", "certificate is required", "bad certificate", "certificate is bad",
            "alert unknown ca", "alert certificate",
        ]
        return isAbout(alerts) ? .clientCertificate : nil
    }
}

extension TransportError {
    init(_ failure: CurlFailure, request: URLRequest) {
        if let limit = failure.passedLimit {
            self.init(passed: limit, request: request)
            return
        }
        self.init(
            failure.reason,
            request: request,
            detail: failure.detail,
            securityFailure: failure.security,
            proxyStatus: failure.proxyStatus.map { HTTPStatus(rawValue: $0) },
            underlying: failure
        )
    }
}
#endif
