/// The error for a failed exchange with a server, or for an exchange that could not begin.
///
/// ``reason`` is the kind of failure. The text names the URL without query, user and password, and never contains a
/// header field or a body.
public struct TransportError: Swift.Error, Sendable {
    /// The kind of failure.
    public let reason: Reason

    /// The scheme, host, port and path of the request; nil if the request had no URL.
    public private(set) var place: String?

    /// The part of securing the connection that failed; nil for other failures, or if the transport does not know.
    public let securityFailure: SecurityFailure?

    /// The status with which a proxy refused to connect to the server, such as 407; nil for other failures, or if the
    /// transport does not know.
    public let proxyStatus: HTTPStatus?

    /// The error of the layer below, if there was one; for URLSession, an error with only its code and text, without
    /// the URL.
    public let underlying: (any Swift.Error)?

    /// The cause of this failure as a clause, more specific than the sentence of ``reason``.
    let detail: String?

    /// The complete URL of a request with an invalid URL, which the text does not show; nil for other failures.
    let originalURL: String?

    /// The limit of a timeout; nil for other failures, and for a timeout of the system, whose limit is unknown.
    var passedLimit: PassedLimit?

    /// What the call attached that failed with this error; nil outside a call.
    var attachment: (any Sendable)?

    /// The wait in the client during which the request timed out; nil for other failures.
    private(set) var localWait: LocalWait?

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - reason: The kind of failure.
    ///   - request: The request; the error keeps only its ``place``.
    ///   - detail: The cause as a clause that follows "failed:", without anything secret; nil for the sentence of
    ///     `securityFailure`, or of `reason`.
    ///   - securityFailure: The part of securing the connection that failed.
    ///   - proxyStatus: The status with which a proxy refused to connect.
    ///   - underlying: The error of the layer below.
    public init(
        _ reason: Reason,
        request: URLRequest? = nil,
        detail: String? = nil,
        securityFailure: SecurityFailure? = nil,
        proxyStatus: HTTPStatus? = nil,
        underlying: (any Swift.Error)? = nil
    ) {
        self.reason = reason
        self.detail = detail ?? securityFailure?.sentence
        self.securityFailure = securityFailure
        self.proxyStatus = proxyStatus
        self.underlying = underlying
        place = request?.url.map(\.shownPlace)
        originalURL = reason == .invalidURL ? request?.url?.absoluteString : nil
    }

    /// Creates the timeout of a request; the limit that passed is nil if it is unknown, and the wait is what the
    /// request waited for in the client, nil if it did not wait there.
    package init(
        passed limit: PassedLimit?,
        waitingIn wait: LocalWait? = nil,
        request: URLRequest? = nil,
        underlying: (any Swift.Error)? = nil
    ) {
        self.init(.timedOut, request: request, detail: limit?.sentence, underlying: underlying)
        (passedLimit, localWait) = (limit, wait)
    }

    /// Creates the timeout of a request that would have waited in the client beyond a limit.
    init(timeoutIn wait: LocalWait, request: URLRequest?, detail: String?) {
        self.init(.timedOut, request: request, detail: detail)
        localWait = wait
    }

    /// Creates the failure of a response whose body has more than `limit` bytes; `name` is that of the limit in code.
    init(tooLargeBody limit: Int, _ name: String, request: URLRequest? = nil) {
        self.init(.bodyTooLarge, request: request, detail: "the body is longer than the \(name) of \(limit) bytes")
    }

    /// Creates the failure of a response whose body is longer than the limit of its exchange.
    package init(bodyOver options: TransportOptions, request: URLRequest? = nil) {
        self.init(tooLargeBody: options.bodyLimit, options.bodyLimitName, request: request)
    }

    /// Creates the failure of a download whose file could not be written.
    init(unwrittenFile error: any Swift.Error) {
        let detail: String? =
            switch (error as? POSIXError)?.code {
            case .EACCES?, .EPERM?, .EROFS?: "the destination may not be written"
            case .ENOTDIR?: "the folder of the destination is a file"
            case .ENAMETOOLONG?: "the name of the destination is too long"
            case .ENOSPC?, .EDQUOT?: "there is no space left for its file"
            case .EFBIG?: "its file would be longer than the system allows"
            default: nil
            }
        self.init(.fileNotWritten, detail: detail, underlying: error)
    }
}

extension TransportError {
    /// Returns the error with the place of a request, unless it has one.
    func placed(at url: @autoclosure () -> URL?) -> TransportError {
        var error = self
        error.place = place ?? url()?.shownPlace
        return error
    }

    /// Whether a time limit was exceeded.
    public var isTimeout: Bool { reason == .timedOut }

    /// Whether the server could not be reached, or the connection was lost: the reasons `offline`, `nameNotResolved`,
    /// `connectionRefused`, `proxyRefused` and `connectionLost`.
    public var isConnectionFailure: Bool {
        [.offline, .nameNotResolved, .connectionRefused, .proxyRefused, .connectionLost].contains(reason)
    }

    /// Whether no secure connection could be made; ``securityFailure`` is the cause, if known.
    public var isSecurityFailure: Bool { reason == .secureConnectionFailed }
}

extension TransportError: Equatable {
    /// Compares the reason, the place, the cause, the security failure and the proxy's status.
    public static func == (one: TransportError, other: TransportError) -> Bool {
        one.reason == other.reason && one.place == other.place && one.detail == other.detail
            && one.securityFailure == other.securityFailure && one.proxyStatus == other.proxyStatus
    }
}

extension TransportError: DescribedError, OpaqueValue {
    /// One sentence that names the cause and the ``place``.
    public var description: String {
        let target = place.map { " to '\($0)'" } ?? ""
        return "The request\(target) failed: \(detail ?? reason.sentence)."
    }
}

extension TransportError {
    /// Whether no byte of the request can have reached the server.
    var showsThatNothingWasSent: Bool {
        localWait == .turn || Self.reasonsWithoutConnection.contains(reason)
    }

    private static let reasonsWithoutConnection: Set<Reason> = [
        .connectionRefused, .nameNotResolved, .offline, .tooManyOpenFiles, .proxyRefused,
    ]
}
