import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What two requests must have in common to share an exchange.
///
/// Compared by equality; a hash only finds the candidates. Every caller that waits holds one, so it is two pieces of
/// memory: the body, which the request has anyway, and the rest as one text, each part after its length.
struct SharingKey: Hashable, Sendable {
    private let text: [UInt8]
    private let body: Data?

    /// Creates the key of a request; nil for a request that is never shared: one with a streamed body.
    ///
    /// - Parameters:
    ///   - request: The request as it leaves the interceptors.
    ///   - sent: The same request with the cookies of the store, whose header fields are compared.
    ///   - settings: The settings of the call; each caller has a total timeout of its own, so that isn't compared.
    ///   - optIn: What the caller asked for.
    init?(of request: URLRequest, sentAs sent: URLRequest, _ settings: CallSettings, _ optIn: SharingOptIn) {
        guard request.httpBodyStream == nil, let url = request.url else { return nil }
        body = request.httpBody
        var parts = [
            request.httpMethod ?? "GET", url.absoluteString,
            "\(request.timeoutInterval)", "\(request.cachePolicy.rawValue)",
            "\(request.httpShouldHandleCookies)", "\(request.allowsCellularAccess)", settings.redirects.name,
            "\(settings.transportOptions.bodyLimit)",
            optIn.customHash.map { "=\($0)" } ?? "",
        ]
        let fields = (sent.allHTTPHeaderFields ?? [:]).map { (name: $0.key.lowercased(), value: $0.value) }
        for field in fields.sorted(by: { $0.name < $1.name }) where !Self.isForTracing(field.name) {
            parts += [field.name, field.value]
        }
        let size = parts.reduce(0) { $0 + $1.utf8.count + 8 }
        var text: [UInt8] = []
        text.reserveCapacity(size)
        for part in parts {
            withUnsafeBytes(of: UInt64(part.utf8.count).littleEndian) { text.append(contentsOf: $0) }
            text.append(contentsOf: part.utf8)
        }
        self.text = text
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
