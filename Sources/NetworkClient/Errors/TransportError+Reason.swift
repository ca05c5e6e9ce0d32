extension TransportError {
    /// The kinds of failure; more may come, so switch over it with a `default`.
    public struct Reason: Hashable, Sendable {
        private let name: String
        let sentence: String

        /// Names a failure of a transport of your own.
        ///
        /// - Parameters:
        ///   - name: An identifier, such as `quotaExceeded`; two reasons with one name are equal.
        ///   - sentence: What it means, as the end of a sentence.
        public init(name: String, sentence: String) {
            self.name = name
            self.sentence = sentence
        }

        /// Two reasons are one if their names are.
        public static func == (one: Reason, other: Reason) -> Bool { one.name == other.name }

        /// Hashes the name.
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }
}

extension TransportError.Reason: CustomStringConvertible {
    /// The name of the reason.
    public var description: String { name }
}

extension TransportError.Reason {
    /// There is no network.
    public static let offline = Self(name: "offline", sentence: "the network is not reachable")

    /// The host's name has no address.
    public static let nameNotResolved = Self(name: "nameNotResolved", sentence: "the host's name has no address")

    /// Nothing accepts connections there; nothing was sent.
    public static let connectionRefused = Self(name: "connectionRefused", sentence: "the connection was refused")

    /// A proxy refused to connect to the server (RFC 9110 §9.3.6), with ``TransportError/proxyStatus`` if it said why;
    /// nothing was sent to the server, and the proxy would refuse the next time too.
    public static let proxyRefused = Self(name: "proxyRefused", sentence: "the proxy refused to connect")

    /// The process, or the system, has as many files and sockets open as it may; nothing was sent.
    public static let tooManyOpenFiles = Self(
        name: "tooManyOpenFiles",
        sentence: "too many files and sockets are open"
    )

    /// The connection ended before the answer did.
    public static let connectionLost = Self(name: "connectionLost", sentence: "the connection was lost")

    /// Too much time passed: the request's `timeoutInterval` without a byte, or the total limit.
    public static let timedOut = Self(name: "timedOut", sentence: "it timed out")

    /// TLS could not be agreed, or the server's certificate is not trusted.
    public static let secureConnectionFailed = Self(
        name: "secureConnectionFailed",
        sentence: "no secure connection could be made"
    )

    /// What the server sent is not an HTTP answer, or broke off inside it.
    public static let malformedResponse = Self(
        name: "malformedResponse",
        sentence: "the server's answer is not valid HTTP or incomplete"
    )

    /// The body is longer than the limit.
    public static let bodyTooLarge = Self(name: "bodyTooLarge", sentence: "the body is longer than the limit")

    /// There were more than 20 redirects.
    public static let tooManyRedirects = Self(name: "tooManyRedirects", sentence: "there were more than 20 redirects")

    /// A redirect leads where the client does not go: from https to http, or to another scheme.
    public static let redirectRefused = Self(
        name: "redirectRefused",
        sentence: "it was redirected to a place not allowed"
    )

    /// The body has to be sent a second time, and comes from a stream that can be read only once.
    public static let bodyNotReplayable = Self(
        name: "bodyNotReplayable",
        sentence: "its body is a stream that cannot be sent a second time"
    )

    /// The body could not be read, as when its file was changed while it was sent.
    public static let bodyUnreadable = Self(name: "bodyUnreadable", sentence: "its body could not be read")

    /// The file that a download goes to could not be written; ``TransportError/underlying`` is the system's error.
    public static let fileNotWritten = Self(name: "fileNotWritten", sentence: "its file could not be written")

    /// The request is not one that may be sent, such as one with a line break in a header field.
    public static let invalidRequest = Self(name: "invalidRequest", sentence: "it is not a valid request")

    /// The transport was shut down.
    public static let transportClosed = Self(name: "transportClosed", sentence: "the transport was shut down")

    /// The transport cannot do what the request asks for, and another may.
    public static let unsupported = Self(name: "unsupported", sentence: "the transport cannot do that")

    /// Anything else; see ``TransportError/underlying``.
    public static let other = Self(name: "other", sentence: "something went wrong below HTTP")
}
