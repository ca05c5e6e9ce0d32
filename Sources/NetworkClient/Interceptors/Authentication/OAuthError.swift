import JSONDecoding

/// The refusal of a token request by an authorization server (RFC 6749 §5.2), or a response without a usable token.
///
/// If a session's refresh fails, it is the ``AuthenticationError/underlying`` error. The text never shows
/// ``explanation`` and ``uri``, which may quote a credential. A status of 500 or more, a timeout and a lost connection
/// are not of this type: they are temporary, and ``NetworkClient/Error`` as in other calls.
public struct OAuthError: Error, Hashable, Sendable {
    /// A kind of refusal; codes of the server that are not listed here are kept unchanged.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as the server has sent it.
        public let rawValue: String

        /// Creates a code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A field of the request is missing, repeated or not supported.
        public static let invalidRequest = Code(rawValue: "invalid_request")

        /// The client is unknown, or its secret is wrong.
        public static let invalidClient = Code(rawValue: "invalid_client")

        /// The refresh token or the code is invalid, expired or revoked: the person has to sign in again.
        ///
        /// A session whose refresh throws this error does not refresh the same token again.
        public static let invalidGrant = Code(rawValue: "invalid_grant")

        /// The client may not use this grant.
        public static let unauthorizedClient = Code(rawValue: "unauthorized_client")

        /// The server does not support this grant.
        public static let unsupportedGrantType = Code(rawValue: "unsupported_grant_type")

        /// A scope is unknown, or exceeds what the person has granted.
        public static let invalidScope = Code(rawValue: "invalid_scope")

        /// The `resource` is unknown or malformed (RFC 8707 §2).
        public static let invalidTarget = Code(rawValue: "invalid_target")

        /// The person has not decided yet: ask again after the server's `interval` (RFC 8628 §3.5).
        public static let authorizationPending = Code(rawValue: "authorization_pending")

        /// As ``authorizationPending``, and the interval becomes 5 seconds longer.
        public static let slowDown = Code(rawValue: "slow_down")

        /// The server has issued a token of another type than Bearer, which is not used.
        public static let unsupportedTokenType = Code(rawValue: "unsupported_token_type")

        /// The response to the request is not a JSON object with an `access_token` (RFC 6749 §5.1).
        public static let invalidResponse = Code(rawValue: "invalid_response")

        /// The code for logs; a text that does not look like a code is not shown.
        var shown: String {
            let isPlain = rawValue.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") }
            return isPlain && 1...40 ~= rawValue.utf8.count ? rawValue : "an unknown error"
        }
    }

    /// The kind of refusal, `error` in the response.
    public let code: Code

    /// The explanation for developers, from the field `error_description` of the response.
    public let explanation: String?

    /// The URL of a page about the error, from the field `error_uri` of the response.
    public let uri: String?

    /// Creates an error.
    public init(_ code: Code, explanation: String? = nil, uri: String? = nil) {
        self.code = code
        self.explanation = explanation
        self.uri = uri
    }

    /// Reads the body of a refusal; nil if it has no `error`.
    init?(_ data: Data) {
        guard let fields = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let code = fields["error"] as? String, !code.isEmpty
        else { return nil }
        self.init(
            Code(rawValue: code),
            explanation: fields["error_description"] as? String,
            uri: fields["error_uri"] as? String
        )
    }
}

extension OAuthError: DescribedError, OpaqueValue {
    /// One sentence that names the code.
    public var description: String {
        switch code {
        case .unsupportedTokenType: "The authorization server issued a token of another type than Bearer."
        case .invalidResponse: "The authorization server sent no access token."
        default: "The authorization server refused the request (\(code.shown))."
        }
    }
}

extension AccessToken {
    /// Reads a token response (RFC 6749 §5.1).
    ///
    /// Accepts what servers send in practice: `expires_in` as a number or a text, 0 for a token that does not expire,
    /// no `token_type` for Bearer, empty texts for fields that are missing, and a refusal with status 200.
    init(oauth data: Data) throws(OAuthError) {
        if let error = OAuthError(data) { throw error }
        let fields = (try? JSONSerialization.jsonObject(with: data) as? [String: Any]) ?? [:]
        var decoder = DefaultDecoder()
        decoder.implementation = .native
        let members = try? decoder.decode(data: data) as JSONTree.Members
        guard let value = fields["access_token"] as? String, !value.allSatisfy(\.isWhitespace) else {
            throw OAuthError(.invalidResponse)
        }
        let type = (fields["token_type"] as? String ?? "").lowercased()
        guard type.isEmpty || type == "bearer" else { throw OAuthError(.unsupportedTokenType) }
        let number = (fields["expires_in"] as? NSNumber)?.doubleValue
        let seconds = number ?? (fields["expires_in"] as? String).flatMap { Double($0) } ?? .nan
        let refreshToken = (fields["refresh_token"] as? String).flatMap { $0.isEmpty ? nil : $0 }
        self = AccessToken(value, refreshToken: refreshToken, expiresIn: seconds > 0 ? seconds : .nan)
            .with(members?.values ?? [:])
    }
}
