import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What two requests must have in common to share an exchange.
///
/// Compared by equality; a hash only finds the candidates.
struct SharingKey: Hashable, Sendable {
    private let method: String
    private let url: String
    private let body: Data?
    private let fields: [String: String]
    private let timeout: TimeInterval
    private let cachePolicy: URLRequest.CachePolicy
    private let handlesCookies: Bool
    private let allowsCellularAccess: Bool
    private let redirects: RedirectPolicy
    private let options: TransportOptions
    private let optIn: SharingOptIn

    /// Nil for a request that is never shared: one with a streamed body.
    init?(of request: URLRequest, _ settings: CallSettings, _ optIn: SharingOptIn) {
        guard request.httpBodyStream == nil, let url = request.url else { return nil }
        method = request.httpMethod ?? "GET"
        self.url = url.absoluteString
        body = request.httpBody
        fields = (request.allHTTPHeaderFields ?? [:]).reduce(into: [:]) { fields, field in
            let name = field.key.lowercased()
            if !Self.isForTracing(name) { fields[name] = field.value }
        }
        timeout = request.timeoutInterval
        cachePolicy = request.cachePolicy
        handlesCookies = request.httpShouldHandleCookies
        allowsCellularAccess = request.allowsCellularAccess
        redirects = settings.redirects
        options = settings.transportOptions
        self.optIn = optIn
    }

    /// Fields that name a call rather than say what is asked: W3C Trace Context and Baggage, B3, and request
    /// identifiers.
    private static func isForTracing(_ name: String) -> Bool {
        name.hasPrefix("x-b3-") || tracingFields.contains(name)
    }

    private static let tracingFields: Set<String> = [
        "traceparent", "tracestate", "baggage", "b3", "x-request-id", "x-correlation-id", "x-amzn-trace-id",
        "x-cloud-trace-context",
    ]
}
