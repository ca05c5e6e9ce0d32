import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What an error of URLSession means.
///
/// On Linux many of them share one code and differ in libcurl's text only.
enum URLErrorClassification {
    /// The failure as the library has it; its own errors stay as they are.
    static func classify(_ error: any Error, _ request: URLRequest) -> any Error {
        if error is TransportError || error is NetworkClient.Error || error is CancellationError { return error }
        guard let error = error as? URLError else { return TransportError(.other, request: request, underlying: error) }
        return failure(error, request)
    }

    /// The failure as callers get it.
    static func wrap(_ error: URLError, _ url: URL?) -> NetworkClient.Error {
        .requestError(type: failure(error, url.map { URLRequest(url: $0) }))
    }

    /// Of what URLSession says the code and the text are kept: the rest holds the URL, password and query included.
    private static func failure(_ error: URLError, _ request: URLRequest?) -> TransportError {
        let underlying = URLError(error.code, userInfo: [NSLocalizedDescriptionKey: error.localizedDescription])
        return TransportError(reason(of: error), request: request, underlying: underlying)
    }

    private static func reason(of error: URLError) -> TransportError.Reason {
        let text = error.localizedDescription
        // On Linux a connection that is closed without an answer is called a bad one.
        if error.code == .badServerResponse, text.lowercased().contains("empty reply") { return .connectionLost }
        return reasons[error.code] ?? reason(ofText: text)
    }

    private static let reasons: [URLError.Code: TransportError.Reason] = [
        .timedOut: .timedOut,
        .notConnectedToInternet: .offline,
        .dataNotAllowed: .offline,
        .internationalRoamingOff: .offline,
        .cannotFindHost: .nameNotResolved,
        .dnsLookupFailed: .nameNotResolved,
        .cannotConnectToHost: .connectionRefused,
        .networkConnectionLost: .connectionLost,
        .badServerResponse: .malformedResponse,
        .cannotParseResponse: .malformedResponse,
        .cannotDecodeRawData: .malformedResponse,
        .cannotDecodeContentData: .malformedResponse,
        .zeroByteResource: .malformedResponse,
        .secureConnectionFailed: .secureConnectionFailed,
        .serverCertificateHasBadDate: .secureConnectionFailed,
        .serverCertificateUntrusted: .secureConnectionFailed,
        .serverCertificateHasUnknownRoot: .secureConnectionFailed,
        .serverCertificateNotYetValid: .secureConnectionFailed,
        .clientCertificateRejected: .secureConnectionFailed,
        .clientCertificateRequired: .secureConnectionFailed,
        .appTransportSecurityRequiresSecureConnection: .secureConnectionFailed,
        // Cancellations of the library's own are over before URLSession reports them; what is left is a delegate that
        // refused a server's certificate.
        .cancelled: .secureConnectionFailed,
        .userCancelledAuthentication: .secureConnectionFailed,
        .requestBodyStreamExhausted: .bodyNotReplayable,
        .badURL: .invalidRequest,
        .unsupportedURL: .malformedResponse,
    ]

    /// The first part of libcurl's text that is found decides.
    private static func reason(ofText text: String) -> TransportError.Reason {
        let text = text.lowercased()
        return texts.first { text.contains($0.part) }?.reason ?? .other
    }

    private static let texts: [(part: String, reason: TransportError.Reason)] = [
        ("ssl", .secureConnectionFailed),
        ("certificate", .secureConnectionFailed),
        ("transfer closed", .connectionLost),
        ("connection reset", .connectionLost),
        ("recv failure", .connectionLost),
        ("send failure", .connectionLost),
        ("failed writing", .malformedResponse),
        ("content-length", .malformedResponse),
        ("out of memory", .malformedResponse),
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
