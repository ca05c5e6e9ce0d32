import NetworkClient

/// What OpenTelemetry's conventions for HTTP clients ask about the request of an attempt.
struct AttemptFacts: Hashable {
    /// `http.request.method`: one of the ten methods that the conventions know, otherwise `_OTHER`.
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
    var ofActiveRequests: AttemptFacts {
        var facts = self
        (facts.originalMethod, facts.scheme) = (nil, "")
        return facts
    }

    /// The ten methods of RFC 9110, RFC 5789 and the draft of QUERY.
    private static let knownMethods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY",
    ]
}

/// How an attempt ended, in the conventions' terms.
struct AttemptOutcome {
    /// `http.response.status_code`; nil without a response.
    private(set) var status: Int?
    /// `network.protocol.version`, such as `1.1` or `2`; nil if the transport doesn't report it.
    private(set) var version: String?
    /// `error.type`: the status from 400 on, the reason of a failure, or the type of another error; nil for a success,
    /// and for a cancellation by the caller, which is no error.
    private(set) var errorType: String?
    /// `cache.status`, for which the conventions have no name, such as `fresh`; nil for a response of the server.
    private(set) var cacheStatus: String?
    /// Whether the attempt failed; a cancellation by the caller is no failure.
    private(set) var isFailure = false

    init(_ response: HTTPURLResponse) {
        status = response.statusCode
        if let cacheStatus = response.cacheStatus, cacheStatus != .network { self.cacheStatus = "\(cacheStatus)" }
        isFailure = response.statusCode >= 400
        if isFailure { errorType = "\(response.statusCode)" }
        version = RequestContext.current.metrics(of: response)?.httpVersion.map {
            $0.hasPrefix("HTTP/") ? String($0.dropFirst(5)) : $0
        }
    }

    init(_ error: any Error) {
        if case NetworkClient.Error.apiError(let response, _) = error {
            self.init(response)
            // The status may be below 400, and still not be accepted.
            errorType = "\(response.statusCode)"
            isFailure = true
        } else {
            self.init(failure: error)
        }
    }

    private init(failure error: any Error) {
        isFailure = !(error is CancellationError)
        errorType =
            switch error {
            case is CancellationError: nil
            case NetworkClient.Error.requestError(let failure): failure.reason.description
            case NetworkClient.Error.invalidUrl: TransportError.Reason.invalidURL.description
            case NetworkClient.Error.invalidResponse: TransportError.Reason.notHTTP.description
            case NetworkClient.Error.decodingError: "decodingError"
            case NetworkClient.Error.encodingError: "encodingError"
            default: "\(type(of: error))"
            }
    }
}
