/// The error for a credential that is missing, or that could not be loaded, stored or refreshed.
///
/// Its text names the request without query, user and password, and never contains a credential.
public struct AuthenticationError: OutageError, Sendable {
    /// A kind of failure; use a `default` in a switch, since later versions may add kinds.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        private let name: String
        let sentence: String

        /// The name, as in the source: `refreshFailed`.
        public var description: String { name }

        /// The request requires a credential, but the credential is missing; nothing was sent.
        public static let missingCredential = Reason(
            name: "missingCredential",
            sentence: "the credential is missing"
        )

        /// ``CallOptions`` require a credential for an origin that must not get any of the client's; nothing was sent.
        public static let foreignOrigin = Reason(
            name: "foreignOrigin",
            sentence: "the credential was not made for this origin"
        )

        /// The interceptor has no origins, and the client has no base URL whose origin they would be; nothing was sent.
        public static let unknownOrigin = Reason(
            name: "unknownOrigin",
            sentence: "the authentication has no origins, and the client has no base URL"
        )

        /// ``CallOptions`` require a credential, but no interceptor of the client authenticates; nothing was sent.
        public static let noAuthentication = Reason(
            name: "noAuthentication",
            sentence: "no interceptor of the client authenticates requests"
        )

        /// The token could not be refreshed; ``AuthenticationError/underlying`` is the error of the refresh.
        public static let refreshFailed = Reason(
            name: "refreshFailed",
            sentence: "the credential could not be refreshed"
        )

        /// The refresh of the token took longer than ``TokenSession/RefreshPolicy/timeout``, and was cancelled.
        public static let refreshTimedOut = Reason(
            name: "refreshTimedOut",
            sentence: "the refresh of the credential took too long"
        )

        /// The token was refreshed too often in a short time, so no further refresh was made.
        public static let excessiveRefresh = Reason(
            name: "excessiveRefresh",
            sentence: "the credential was refreshed too often in a short time"
        )

        /// The person who began the call has signed out, or another person has signed in.
        ///
        /// Nothing was sent in the name of another person. ``AuthenticationError/response`` is the refusal of the first
        /// person's token, if there was one.
        public static let signedOut = Reason(
            name: "signedOut",
            sentence: "the person who began the call has signed out, or another person has signed in"
        )

        /// A signer threw ``AuthenticationError/underlying``, or set a header field that it does not name or that
        /// cannot be sent; nothing was sent.
        public static let signingFailed = Reason(name: "signingFailed", sentence: "it could not be signed")

        /// The store failed; ``AuthenticationError/underlying`` is its error.
        public static let storeFailed = Reason(name: "storeFailed", sentence: "the store of the credential failed")
    }

    /// The kind of failure.
    public let reason: Reason

    /// The response that refused the credential, such as a 401; nil if the request was not sent.
    public let response: HTTPURLResponse?

    /// The body of ``response``; nil without a response.
    public private(set) var data: Data?

    /// The error of the refresh, of the store or of a signer; for too many refreshes, the failure of the last one; nil
    /// for other reasons.
    public let underlying: (any Error)?

    private let place: String?

    /// Creates a failure; keeps only scheme, host, port and path of the request.
    public init(
        _ reason: Reason,
        request: URLRequest? = nil,
        response: HTTPURLResponse? = nil,
        data: Data? = nil,
        underlying: (any Error)? = nil
    ) {
        self.reason = reason
        self.response = response
        self.data = data
        self.underlying = underlying
        place = request?.url.map(\.shownPlace)
    }

    /// The decoder of the call whose credential was refused; one with default settings if there was no response.
    public var decoder: any DecoderProtocol {
        response.map { NetworkClient.Error.apiError(response: $0, data: Data()).decoder } ?? .default
    }

    /// Returns the error with at most `limit` bytes of ``data``.
    public func keeping(bytes limit: Int) -> AuthenticationError {
        var copy = self
        if let data, data.count > limit { copy.data = Data(data.prefix(limit)) }
        return copy
    }

    /// The failure of a refresh or of a signer, as if it were that of the call itself; nil for other reasons.
    var failureOfRefresh: (any Error)? {
        switch reason {
        case .refreshTimedOut: NetworkClient.Error.requestError(type: TransportError(.timedOut))
        case .refreshFailed, .excessiveRefresh, .signingFailed:
            underlying.flatMap { ($0 as? AuthenticationError).map(\.failureOfRefresh) ?? $0 }
        default: nil
        }
    }

    /// Whether a refresh or a signer failed as a call to a server that is not available does.
    var isOutage: Bool {
        guard let failure = failureOfRefresh else { return false }
        return ((NetworkClient.Error(failure) ?? failure) as? any OutageError)?.isOutage == true
    }

    var cause: String { reason.description }

    /// Whether every further refresh of the same token fails, too.
    var isFinal: Bool { (underlying as? OAuthError)?.code == .invalidGrant }

    /// Returns the same failure for one of the requests that it concerns.
    func concerning(
        _ request: URLRequest,
        _ response: HTTPURLResponse? = nil,
        _ data: Data? = nil
    ) -> AuthenticationError {
        AuthenticationError(reason, request: request, response: response, data: data, underlying: underlying)
    }
}

extension AuthenticationError: DescribedError, OpaqueValue, RespondedError {
    /// One sentence that names the cause and the URL without its query.
    ///
    /// If a refresh failed, the sentence names only the kind of its error: the status of a response, the reason of a
    /// failed exchange, or the type of the error.
    public var description: String {
        let sentence = reason.sentence + (underlying.map { " (\(Self.kind(of: $0)))" } ?? "")
        guard let place else { return "\(sentence.prefix(1).uppercased())\(sentence.dropFirst())." }
        return "The request to '\(place)' cannot be authenticated: \(sentence)."
    }

    private static func kind(of error: any Error) -> String {
        switch error {
        case let error as TransportError: "\(error.reason)"
        case NetworkClient.Error.requestError(let error): "\(error.reason)"
        case NetworkClient.Error.apiError(let response, _): "status \(response.statusCode)"
        case NetworkClient.Error.decodingError: "a response that cannot be decoded"
        case let error as AuthenticationError: "\(error.reason)"
        case let error as OAuthError: error.code.shown
        case let error as CredentialFileError: String(error.description.dropLast())
        default: "\(type(of: error))"
        }
    }
}
