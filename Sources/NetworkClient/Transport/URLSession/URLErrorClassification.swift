import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What an error of URLSession means.
///
/// On Linux many of them share one code and differ in libcurl's text only.
enum URLErrorClassification {
    /// A ``TransportError``, or `CancellationError`; anything that is no URL error stays as it is.
    static func classify(_ error: any Error, _ request: URLRequest) -> any Error {
        guard let error = error as? URLError else { return error }
        if error.code == .cancelled { return CancellationError() }
        return TransportError(reason(of: error), request: request, underlying: withoutURL(error))
    }

    /// The same error with its code and text only: its details hold the whole URL, password and query included.
    private static func withoutURL(_ error: URLError) -> URLError {
        URLError(error.code, userInfo: [NSLocalizedDescriptionKey: error.localizedDescription])
    }

    private static func reason(of error: URLError) -> TransportError.Reason {
        reasons[error.code] ?? reason(ofText: error.localizedDescription)
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
        ("failed writing header", .malformedResponse),
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
