#if canImport(CCurl)
import CCurl
import Foundation

/// What libcurl says of a transfer that failed.
struct CurlFailure: Error, Sendable, CustomStringConvertible {
    let code: Int
    /// Its own text, which holds no more of the URL than the host.
    let text: String
    private let systemError: Int
    private let ownReason: TransportError.Reason?

    init(code: CInt, handle: CurlHandle) {
        self.code = Int(code)
        text = handle.errorText
        systemError = handle.number(CCURL_INFO_SYSTEM_ERROR)
        ownReason = nil
    }

    private init(_ reason: TransportError.Reason, _ text: String) {
        code = 0
        self.text = text
        systemError = 0
        ownReason = reason
    }

    static func bodyTooLarge(limit: Int) -> CurlFailure {
        CurlFailure(.bodyTooLarge, "the body is longer than \(limit) bytes")
    }

    static let timedOut = CurlFailure(.timedOut, "")
    static let incompleteHead = CurlFailure(.malformedResponse, "the head of the answer breaks off")

    var description: String { text.isEmpty ? "libcurl error \(code)" : "\(text) (libcurl error \(code))" }

    /// More about the failure, where the library itself knows it.
    var detail: String? { ownReason == nil || text.isEmpty ? nil : text }

    var reason: TransportError.Reason {
        if let ownReason { return ownReason }
        switch code {
        case 5, 6: return .nameNotResolved
        case 7: return reasonOfConnecting
        case 28: return .timedOut
        case 18, 52, 55: return .connectionLost
        case 56: return text.contains("chunk") ? .malformedResponse : .connectionLost
        case 1, 8, 61, 100: return .malformedResponse
        case 16, 92: return .connectionLost
        case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98: return .secureConnectionFailed
        case 65: return .bodyNotReplayable
        case 3: return .invalidRequest
        default: return .other
        }
    }

    private var reasonOfConnecting: TransportError.Reason {
        switch Int32(clamping: systemError) {
        case ENETUNREACH, ENETDOWN, EHOSTUNREACH: .offline
        case ETIMEDOUT: .timedOut
        default: .connectionRefused
        }
    }
}
#endif
