extension TransportError {
    /// A kind of failure; use a `default` in a switch, since later versions may add kinds.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        private let name: String
        let sentence: String

        /// Creates a kind of failure for a custom transport.
        ///
        /// - Parameters:
        ///   - name: An identifier, such as `quotaExceeded`; two reasons with the same name are equal.
        ///   - sentence: The cause as a clause that follows "failed:".
        public init(name: String, sentence: String) {
            self.name = name
            self.sentence = sentence
        }

        /// Compares the names.
        public static func == (one: Reason, other: Reason) -> Bool { one.name == other.name }

        /// Hashes the name.
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }

        /// The name of the reason.
        public var description: String { name }
    }
}

extension TransportError.Reason {
    /// There is no network.
    public static let offline = Self(name: "offline", sentence: "the network is not reachable")

    /// The host's name has no address.
    public static let nameNotResolved = Self(name: "nameNotResolved", sentence: "the host's name has no address")

    /// The host accepts no connections at that port; nothing was sent.
    public static let connectionRefused = Self(name: "connectionRefused", sentence: "the connection was refused")

    /// A proxy refused to connect to the server (RFC 9110 §9.3.6), with ``TransportError/proxyStatus`` if known.
    ///
    /// Nothing was sent to the server. Another attempt may succeed after 502, 503 and 504, but not after 403 and 407.
    public static let proxyRefused = Self(name: "proxyRefused", sentence: "the proxy refused to connect")

    /// The process or the system has reached its limit of open files and sockets; nothing was sent.
    public static let tooManyOpenFiles = Self(
        name: "tooManyOpenFiles",
        sentence: "too many files and sockets are open"
    )

    /// The connection ended before the response was complete.
    public static let connectionLost = Self(name: "connectionLost", sentence: "the connection was lost")

    /// A time limit was exceeded: the request's `timeoutInterval` without a byte, or the total limit.
    public static let timedOut = Self(name: "timedOut", sentence: "it timed out")

    /// The TLS handshake failed, or the server's certificate is not trusted.
    public static let secureConnectionFailed = Self(
        name: "secureConnectionFailed",
        sentence: "no secure connection could be made"
    )

    /// The response is not valid HTTP, or is incomplete.
    public static let malformedResponse = Self(
        name: "malformedResponse",
        sentence: "the server's response is not valid HTTP, or is incomplete"
    )

    /// The body is longer than the limit.
    public static let bodyTooLarge = Self(name: "bodyTooLarge", sentence: "the body is longer than the limit")

    /// There were more than 20 redirects.
    public static let tooManyRedirects = Self(name: "tooManyRedirects", sentence: "there were more than 20 redirects")

    /// A redirect leads from https to http, to a scheme other than http and https, or to a URL without a host.
    public static let redirectRefused = Self(
        name: "redirectRefused",
        sentence: "it was redirected to a URL that is not allowed"
    )

    /// The body has to be sent a second time, but its stream can be read only once.
    public static let bodyNotReplayable = Self(
        name: "bodyNotReplayable",
        sentence: "its body is a stream that cannot be sent a second time"
    )

    /// The body could not be read, for example because its file was changed while it was sent.
    public static let bodyUnreadable = Self(name: "bodyUnreadable", sentence: "its body could not be read")

    /// The destination of a download could not be written; ``TransportError/underlying`` is the system's error.
    public static let fileNotWritten = Self(name: "fileNotWritten", sentence: "its file could not be written")

    /// The request must not be sent, for example because a header field contains a line break.
    public static let invalidRequest = Self(name: "invalidRequest", sentence: "it is not a valid request")

    /// The URL of the request is not an HTTP URL with a host.
    ///
    /// A client throws ``NetworkClient/Error/invalidUrl(originalUrl:)`` instead.
    public static let invalidURL = Self(name: "invalidURL", sentence: "its URL is not an HTTP URL with a host")

    /// The response is not an HTTP response, as for a `file:` or `data:` URL.
    ///
    /// A client throws ``NetworkClient/Error/invalidResponse`` instead.
    public static let notHTTP = Self(name: "notHTTP", sentence: "the response is not from an HTTP server")

    /// The transport was shut down.
    public static let transportClosed = Self(name: "transportClosed", sentence: "the transport was shut down")

    /// This transport cannot do what the request requires; another transport may.
    public static let unsupported = Self(name: "unsupported", sentence: "the transport cannot do that")

    /// The request accepts only a stored response, which the client's cache doesn't have; the request was not sent.
    ///
    /// It has the cache policy `.returnCacheDataDontLoad`, which fails without a cache too, or
    /// `Cache-Control: only-if-cached`, which a client without a cache sends: a cache on the way responds with the
    /// status 504 then (RFC 9111 §5.2.1.7).
    public static let notInCache = Self(
        name: "notInCache",
        sentence: "it accepts only a stored response, and there is none"
    )

    /// Any other failure; see ``TransportError/underlying``.
    public static let other = Self(name: "other", sentence: "an error occurred in a layer below HTTP")

    /// Failures after which the network or the server may be available again.
    static let temporary: Set<Self> = [
        .connectionLost, .timedOut, .nameNotResolved, .connectionRefused, .offline, .tooManyOpenFiles,
    ]
}

extension TransportError {
    /// The part of securing a connection that failed; use a `default` in a switch, since later versions may add kinds.
    public struct SecurityFailure: Hashable, Sendable, CustomStringConvertible {
        private let name: String
        let sentence: String

        private init(name: String, sentence: String) {
            self.name = name
            self.sentence = sentence
        }

        /// The name of the failure.
        public var description: String { name }

        /// The server's certificate was not issued by a trusted authority.
        public static let untrustedCertificate = Self(
            name: "untrustedCertificate",
            sentence: "the server's certificate is not from a trusted authority"
        )

        /// The server's certificate is no longer valid.
        public static let expiredCertificate = Self(
            name: "expiredCertificate",
            sentence: "the server's certificate has expired"
        )

        /// The server's certificate is not valid yet.
        public static let prematureCertificate = Self(
            name: "prematureCertificate",
            sentence: "the server's certificate is not valid yet"
        )

        /// The server's certificate was revoked.
        public static let revokedCertificate = Self(
            name: "revokedCertificate",
            sentence: "the server's certificate was revoked"
        )

        /// The server's certificate is for other hosts than the host in the URL.
        public static let wrongHost = Self(
            name: "wrongHost",
            sentence: "the server's certificate is for another host"
        )

        /// The server's public key is not among the pinned keys.
        public static let unpinnedKey = Self(
            name: "unpinnedKey",
            sentence: "the server's public key is not among the pinned keys"
        )

        /// A pinned key of the transport's settings is not a SHA-256 digest.
        public static let pinnedKeys = Self(
            name: "pinnedKeys",
            sentence: "a pinned key is not a SHA-256 digest"
        )

        /// The server requires a client certificate, and the client's is missing, refused or unusable.
        public static let clientCertificate = Self(
            name: "clientCertificate",
            sentence: "the client's certificate is missing, refused or unusable"
        )

        /// Client and server have no TLS version or no cipher in common.
        public static let protocolVersion = Self(
            name: "protocolVersion",
            sentence: "client and server have no version of TLS in common"
        )

        /// The file of trusted certificates cannot be used.
        public static let trustRoots = Self(
            name: "trustRoots",
            sentence: "the file of trusted certificates cannot be used"
        )
    }
}

extension TransportError {
    /// What a request waited for in the client when it timed out; such a timeout says nothing about the server.
    package enum LocalWait: Sendable {
        /// Its turn at a limit on requests or connections: nothing was sent.
        case turn
        /// A rate limit, which would have delayed it beyond its deadline: nothing was sent.
        case rateLimit
        /// A credential: the request may have been sent with an older one.
        case credential
    }
}
