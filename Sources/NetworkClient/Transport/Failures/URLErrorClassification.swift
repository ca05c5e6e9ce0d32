/// Converts errors of URLSession into errors of the library.
///
/// On Linux, many of them have the same code and differ only in libcurl's text.
enum URLErrorClassification {
    /// How much of a response was received; this is more reliable than a text that changes between libcurl versions.
    enum Progress {
        case nothing
        /// The head, and perhaps a part of the body.
        case head
        /// The head, and a part of the body that is shorter than the length that the head states.
        case partOfBody
    }

    /// Returns the library's error for an error; errors of the library are returned unchanged.
    static func classify(
        _ error: any Error,
        _ request: URLRequest,
        after progress: Progress = .nothing
    ) -> any Error {
        if error is TransportError || error is CancellationError { return error }
        if let error = error as? URLError { return failure(error, request, progress) }
        let foreign = error as NSError
        if let status = proxyFailures[foreign.code], foreign.domain == "kCFErrorDomainCFNetwork" {
            let status = status.map { HTTPStatus(rawValue: $0) }
            return TransportError(.proxyRefused, request: request, proxyStatus: status, underlying: error)
        }
        return TransportError(.other, request: request, underlying: error)
    }

    /// Returns the library's error for an error of another URLSession, used by the caller or a custom transport.
    static func classify(_ error: URLError, _ url: URL?) -> TransportError {
        failure(error, url.map { URLRequest(url: $0) }, .nothing)
    }

    /// Keeps only the code and the text of URLSession's error, since its other values contain the URL with password and
    /// query.
    private static func failure(_ error: URLError, _ request: URLRequest?, _ progress: Progress) -> TransportError {
        let text = error.localizedDescription
        let underlying = URLError(error.code, userInfo: [NSLocalizedDescriptionKey: text])
        if let status = proxyStatus(in: text) {
            return TransportError(
                .proxyRefused,
                request: request,
                detail: "the proxy refused to connect, with status \(status)",
                proxyStatus: HTTPStatus(rawValue: status),
                underlying: underlying
            )
        }
        let reason = reason(of: error, progress)
        return TransportError(
            reason,
            request: request,
            securityFailure: reason == .secureConnectionFailed ? securityFailures[error.code] : nil,
            underlying: underlying
        )
    }

    /// The codes of CFNetwork on Apple platforms for a proxy that does not connect to the server, and the proxy's
    /// status if the code implies it.
    private static let proxyFailures: [Int: Int?] = [306: nil, 307: 407, 310: nil]

    /// Finds the status in libcurl's text about a proxy that refused: "CONNECT tunnel failed, response 407", and before
    /// 7.85 "Received HTTP code 407 from proxy after CONNECT".
    private static func proxyStatus(in text: String) -> Int? {
        guard text.contains("CONNECT") else { return nil }
        return text.split { !$0.isNumber }.lazy.compactMap { Int($0) }.first { 100...999 ~= $0 }
    }

    private static func reason(of error: URLError, _ progress: Progress) -> TransportError.Reason {
        let text = error.localizedDescription.lowercased()
        // On Linux, a connection that is closed without a response has the code for an invalid response.
        if error.code == .badServerResponse, text.contains("empty reply") { return .connectionLost }
        if let reason = reasons[error.code] { return reason }
        let reason = texts.first { text.contains($0.part) }?.reason
        switch progress {
        case .nothing: return reason ?? .other
        case .partOfBody: return .connectionLost
        // The TLS handshake succeeded before the head, so a TLS error means a lost connection.
        case .head: return reason == .secureConnectionFailed ? .connectionLost : reason ?? .malformedResponse
        }
    }

    private static let reasons: [URLError.Code: TransportError.Reason] = {
        let codes: [(TransportError.Reason, [URLError.Code])] = [
            (.timedOut, [.timedOut]),
            (.offline, [.notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive]),
            (.nameNotResolved, [.cannotFindHost, .dnsLookupFailed]),
            (.connectionRefused, [.cannotConnectToHost]),
            (.connectionLost, [.networkConnectionLost, .backgroundSessionWasDisconnected]),
            (.unsupported, [.backgroundSessionInUseByAnotherProcess, .backgroundSessionRequiresSharedContainer]),
            (.malformedResponse, [.badServerResponse, .cannotParseResponse, .zeroByteResource, .resourceUnavailable]),
            (.malformedResponse, [.cannotDecodeRawData, .cannotDecodeContentData, .unsupportedURL]),
            (.secureConnectionFailed, [.secureConnectionFailed, .appTransportSecurityRequiresSecureConnection]),
            (.secureConnectionFailed, [.serverCertificateHasBadDate, .serverCertificateNotYetValid]),
            (.secureConnectionFailed, [.serverCertificateUntrusted, .serverCertificateHasUnknownRoot]),
            (.secureConnectionFailed, [.clientCertificateRejected, .clientCertificateRequired]),
            // When the library cancels, the exchange has ended before URLSession reports this code. The other cause is
            // a delegate that refused a server's certificate.
            (.secureConnectionFailed, [.cancelled, .userCancelledAuthentication]),
            (.bodyNotReplayable, [.requestBodyStreamExhausted]),
            (.invalidRequest, [.badURL]),
        ]
        let pairs = codes.flatMap { reason, codes in codes.map { ($0, reason) } }
        return Dictionary(pairs) { first, _ in first }
    }()

    /// The codes for one part of TLS; `serverCertificateUntrusted` is also used for a certificate of another host.
    private static let securityFailures: [URLError.Code: TransportError.SecurityFailure] = [
        .serverCertificateHasBadDate: .expiredCertificate,
        .serverCertificateNotYetValid: .prematureCertificate,
        .serverCertificateHasUnknownRoot: .untrustedCertificate,
        .clientCertificateRejected: .clientCertificate,
        .clientCertificateRequired: .clientCertificate,
    ]

    /// Parts of libcurl's texts; the first one found decides.
    private static let texts: [(part: String, reason: TransportError.Reason)] = [
        ("ssl", .secureConnectionFailed),
        ("certificate", .secureConnectionFailed),
        ("transfer closed", .connectionLost),
        // From libcurl 8.12 on.
        ("end of response with", .connectionLost),
        // For HTTP/2.
        ("not closed cleanly", .connectionLost),
        ("connection reset", .connectionLost),
        ("recv failure", .connectionLost),
        ("send failure", .connectionLost),
        // FoundationNetworking refuses a line of the head.
        ("failed writing", .malformedResponse),
        ("failure writing", .malformedResponse),
        ("content-length", .malformedResponse),
        // A line of the head is too long: libcurl runs "out of memory" up to 8.11; later, its buffer "grew larger".
        ("out of memory", .malformedResponse),
        ("grew larger", .malformedResponse),
        // libcurl 7.83 to 8.0, for a first line of the head that begins with a space.
        ("bad argument", .malformedResponse),
        // On a reused connection, for which the code is less specific than on a new one.
        ("status line", .malformedResponse),
        ("server reply", .malformedResponse),
        ("http/0.9", .malformedResponse),
        ("header", .malformedResponse),
        ("chunk", .malformedResponse),
        ("encoding", .malformedResponse),
        ("unsupported protocol", .malformedResponse),
        ("resolve", .nameNotResolved),
        ("unreachable", .offline),
        ("refused", .connectionRefused),
        ("timed out", .timedOut),
    ]
}
