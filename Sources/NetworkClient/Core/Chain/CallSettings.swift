/// A function that returns a request whose body reports the progress of the upload, and calls `moved` when bytes are
/// read.
typealias CountedBody = @Sendable (_ request: URLRequest, _ moved: @escaping @Sendable () -> Void) -> URLRequest

/// The settings of one call: the client's configuration, overridden by the options of the call.
struct CallSettings: Sendable {
    let acceptedStatuses: AcceptedStatuses
    /// The decoder of the call, for values as well as for errors.
    let decoder: any DecoderProtocol
    let redirects: RedirectPolicy
    let cookies: CookieStore?
    /// The header fields that the client's configuration calls sensitive.
    let sensitiveHeaders: [String]
    var transportOptions: TransportOptions
    let destination: BodyDestination
    /// Whether the time limits of interceptors pause while bytes are transferred: for a body that is streamed or
    /// written to a file, and for an upload that reports its progress.
    let isTransfer: Bool
    /// The function that makes the body of a request report the progress of the upload; nil if it is not reported.
    let countBody: CountedBody?
    /// The caller's opt-in to sharing the exchange; nil if the request has none.
    let sharing: SharingOptIn?
    /// Where the client's credentials may go; nil for anywhere.
    let scope: CredentialScope?
    let series: CallSeries?
    private let hasOwnLogger: Bool
    /// Whether the call has its own limit for each attempt.
    let hasAttemptTimeout: Bool
    /// The call's own deadline in seconds, also infinity; nil if it has none.
    let deadline: TimeInterval?
    /// The maximum number of bytes in the body of an accepted response, whether the call shares its exchange or not.
    let bodyLimit: Int
    /// The name of the limit in code.
    let bodyLimitName: String
    /// The limit in bytes that the call itself states for bodies, also of errors and streams; nil if it states none.
    let ownBodyLimit: Int?
    /// The values that the call's options have for interceptors.
    let values: CallOptionValues

    /// Resolves the settings of a call and prepares its request for the first interceptor: without the opt-in to
    /// sharing, with an absolute URL, the timeout, and the default fields of the transport.
    ///
    /// Throws ``NetworkClient/Error/invalidUrl(originalUrl:)`` for a relative URL that cannot be resolved.
    init(
        _ configuration: NetworkClient.Configuration,
        _ options: CallOptions,
        decoder: any DecoderProtocol,
        destination: BodyDestination = .memory,
        progress: ProgressBoard? = nil,
        countBody: CountedBody? = nil,
        defaultFields: [String: String] = [:],
        preparing request: inout URLRequest
    ) throws {
        (sensitiveHeaders, series) = (configuration.sensitiveHeaders, options.series)
        let credentials = CredentialFields(sensitiveHeaders: sensitiveHeaders)
        let hasLeftOrigin = series?.hasLeftOrigin == true
        if hasLeftOrigin { credentials.remove(from: &request) }
        let given = request.allHTTPHeaderFields ?? [:]
        sharing = SharingOptIn.take(from: &request, with: given)
        let baseURL = destination.opening == nil ? configuration.baseURL : configuration.baseURL?.withHTTPScheme
        try Self.complete(&request, baseURL, options.idleTimeout, configuration.idleTimeout, defaultFields)
        let wholeLimit = options.bodyLimit ?? configuration.bodyLimit
        let limitsDecoding = options.isDecoded && options.bodyLimit == nil && configuration.decodingLimit < wholeLimit
        (bodyLimit, ownBodyLimit) = (limitsDecoding ? configuration.decodingLimit : wholeLimit, options.bodyLimit)
        bodyLimitName = limitsDecoding ? "decodingLimit" : "bodyLimit"
        self.destination = destination.reporting(to: progress, limit: bodyLimit, bodyLimitName)
        (isTransfer, self.countBody) = (self.destination.isTransfer || countBody != nil, countBody)
        (values, deadline, hasOwnLogger) = (options.values, options.deadline, options.logging != nil)
        acceptedStatuses = options.acceptedStatuses ?? configuration.acceptedStatuses
        (redirects, hasAttemptTimeout) = (options.redirects ?? configuration.redirects, options.attemptTimeout != nil)
        (self.decoder, cookies) = (options.decoder(insteadOf: decoder), configuration.cookies)
        transportOptions = TransportOptions(
            // Calls that share a response have the same limit, whether they decode it or not.
            bodyLimit: sharing == nil ? bodyLimit : wholeLimit,
            exchangeTimeout: options.attemptTimeout ?? configuration.attemptTimeout,
            streamsBody: self.destination.isStreamed
        )
        (transportOptions.decodesBody, transportOptions.sensitiveHeaders) = (options.decodesBody, sensitiveHeaders)
        if sharing == nil { transportOptions.bodyLimitName = bodyLimitName }
        (transportOptions.acceptedStatuses, transportOptions.redirectStatuses) = (acceptedStatuses, redirects.statuses)
        transportOptions.followsToOtherOrigins = redirects.follows(toSameOrigin: false)
        scope = CredentialScope(baseURL, hasLeftOrigin: hasLeftOrigin, credentials, given: given)
    }

    /// The WebSocket that the call opens; nil for any other call.
    var opening: WebSocketOpening? { destination.opening }

    /// Whether several callers may share one response.
    ///
    /// They may not if the body is streamed, since it can be read only once, or if progress is reported, since it
    /// belongs to one exchange.
    var allowsSeveralExchanges: Bool { !transportOptions.streamsBody && countBody == nil }

    /// Whether the call may share its exchange, which has one log and one form of the body: a call with its own logger
    /// may not, nor one that gets the body as it was sent.
    var allowsSharing: Bool { allowsSeveralExchanges && !hasOwnLogger && transportOptions.decodesBody }

    /// Returns whether the caller reads the body of this response after the call has returned.
    func givesBody(of head: ResponseHead) -> Bool {
        guard case .caller = destination else { return false }
        return acceptedStatuses.contains(head.status)
    }

    private static func complete(
        _ request: inout URLRequest,
        _ baseURL: URL?,
        _ timeoutOfCall: TimeInterval?,
        _ timeoutOfClient: TimeInterval?,
        _ defaultFields: [String: String]
    ) throws {
        try resolveURL(of: &request, baseURL)
        setTimeout(of: &request, timeoutOfCall, timeoutOfClient)
        for (name, value) in defaultFields where request.value(forHTTPHeaderField: name) == nil {
            request.set(header: .custom(name: name, value: value))
        }
    }

    /// Appends a relative URL to the base URL by the same rules as the request builder.
    private static func resolveURL(of request: inout URLRequest, _ baseURL: URL?) throws {
        guard let url = request.url, url.scheme == nil else { return }
        guard let baseURL, baseURL.scheme != nil, let resolved = try? RequestPath.resolve(url, against: baseURL) else {
            throw NetworkClient.Error.invalidUrl(originalUrl: url.absoluteString)
        }
        request.url = resolved
    }

    /// Sets the timeout: the call's, otherwise the request's unless it is Foundation's default, otherwise the client's.
    private static func setTimeout(
        of request: inout URLRequest,
        _ ofCall: TimeInterval?,
        _ ofClient: TimeInterval?
    ) {
        let ofRequest = request.timeoutInterval
        let timeout =
            switch ofRequest {
            case URLRequest.defaultTimeout: ofClient ?? ofRequest
            case URLRequest.chosenDefaultTimeout: URLRequest.defaultTimeout
            default: ofRequest
            }
        // Setting any property copies the request.
        if ofCall ?? timeout != ofRequest { request.timeoutInterval = ofCall ?? timeout }
    }
}

extension URLRequest {
    /// Asks for a body without a content coding, unless the request has an `Accept-Encoding`.
    mutating func acceptNoCoding() {
        guard value(forHTTPHeaderField: "Accept-Encoding") == nil else { return }
        set(header: .custom(name: "Accept-Encoding", value: "identity"))
    }

    /// Asks caches on the way not to respond without validation by the server, unless the request has a `Cache-Control`
    /// (RFC 9111 §5.2.1).
    mutating func bypassCaches() {
        guard value(forHTTPHeaderField: "Cache-Control") == nil else { return }
        set(header: .cacheControl(value: "no-cache"))
    }
}
