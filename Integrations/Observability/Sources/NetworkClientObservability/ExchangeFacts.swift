import Foundation
import NetworkClient

/// What OpenTelemetry's conventions for HTTP clients ask about a request.
struct ExchangeFacts: Hashable {
    /// `http.request.method`: one of the methods that the conventions know, otherwise `_OTHER`.
    let method: String
    /// `http.request.method_original`; nil if it is the method.
    private(set) var originalMethod: String?
    /// `url.scheme`.
    private(set) var scheme: String
    /// `server.address`, without the brackets of an IPv6 address.
    let address: String
    /// `server.port`, also if the URL has none.
    let port: Int

    init(_ request: URLRequest) {
        let name = request.httpMethod ?? "GET"
        scheme = request.url?.scheme?.lowercased() ?? ""
        method = Self.knownMethods.contains(name) ? name : "_OTHER"
        originalMethod = method == name ? nil : name
        let host = request.url?.host ?? ""
        address = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        port = request.url?.port ?? (scheme == "https" ? 443 : 80)
    }

    /// The facts that active requests are counted by, without the others.
    var ofActiveRequests: ExchangeFacts {
        var facts = self
        (facts.originalMethod, facts.scheme) = (nil, "")
        return facts
    }

    /// The methods of RFC 9110, RFC 5789 and the draft of QUERY, or those of the variable that the conventions name.
    private static let knownMethods = methods(
        ProcessInfo.processInfo.environment["OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS"]
    )

    /// Returns the known methods; a list with commas overrides the default ones.
    static func methods(_ list: String?) -> Set<String> {
        let names = list.map { $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } } ?? []
        guard names.isEmpty else { return Set(names) }
        return ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY"]
    }
}

/// How an exchange ended, in the conventions' terms.
struct ExchangeOutcome {
    /// `http.response.status_code`; nil without a response.
    private(set) var status: Int?
    /// `network.protocol.version`, such as `1.1` or `2`; nil if the transport doesn't report it.
    private(set) var version: String?
    /// `error.type`: the status from 400 on, the reason of a failure, or the type of another error; nil for a success,
    /// and for a cancellation by the caller, which is no error.
    private(set) var errorType: String?

    init(_ result: Result<TransportResponse, any Error>) {
        switch result {
        case .success(let response):
            self.init(status: response.status.rawValue)
            version = response.metrics?.httpVersion.map { $0.hasPrefix("HTTP/") ? String($0.dropFirst(5)) : $0 }
        case .failure(let error): self.init(error)
        }
    }

    init(status: Int) {
        self.status = status
        errorType = status >= 400 ? "\(status)" : nil
    }

    init(_ error: any Error) {
        errorType =
            switch error {
            case is CancellationError: nil
            case let failure as TransportError: failure.reason.description
            case NetworkClient.Error.requestError(let failure): failure.reason.description
            case NetworkClient.Error.invalidUrl: TransportError.Reason.invalidURL.description
            case NetworkClient.Error.invalidResponse: TransportError.Reason.notHTTP.description
            case NetworkClient.Error.decodingError: "decodingError"
            case NetworkClient.Error.encodingError: "encodingError"
            default: "\(type(of: error))"
            }
    }
}
