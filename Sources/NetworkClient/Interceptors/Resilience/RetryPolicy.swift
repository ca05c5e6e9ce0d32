/// Decides after which failures a request is sent again, how often, and after which waits.
///
/// ```swift
/// var patient = RetryPolicy(retries: 5)
/// patient.statuses.insert(423)
/// patient.backoff.maximum = 60
/// ```
public struct RetryPolicy: Sendable {
    /// The maximum number of retries, unless the ``RetryBudget`` allows fewer; 0 or less for no retry.
    public var retries: Int

    /// The statuses after which there is another attempt, unless the call accepts them.
    public var statuses: Set<HTTPStatus>

    /// The failures without a response after which there is another attempt.
    ///
    /// An untrusted certificate never leads to another attempt; a proxy that refused with one of ``statuses`` always
    /// does. If the credential of a call could not be refreshed, the failure of the refresh decides, by this set and by
    /// ``statuses``; a refresh that took too long is a timeout.
    public var reasons: Set<TransportError.Reason>

    /// The waits between attempts.
    public var backoff: Backoff

    /// The maximum number of seconds that a server may ask to wait; if it asks for more, the request isn't sent again.
    ///
    /// Negative numbers and NaN count as 0, and more than a thousand days as a thousand days.
    public var maximumServerWait: TimeInterval

    /// Returns whether a failure that ``statuses`` and ``reasons`` don't name leads to another attempt: a response with
    /// another status, another failure of the exchange, or an error that isn't the transport's.
    ///
    /// ```swift
    /// let policy = RetryPolicy { error in
    ///     guard case NetworkClient.Error.apiError(let response, let body) = error else {
    ///         return false
    ///     }
    ///     return response.statusCode == 409 && body.starts(with: Data("busy".utf8))
    /// }
    /// ```
    /// Not called for what another attempt would not avoid, also in the refresh of a credential: a decoding error, an
    /// untrusted certificate, a request that is invalid or can't be encoded, a response that isn't HTTP, a
    /// cancellation. Whatever it returns, only a request that may be sent twice is, and not more often than ``retries``
    /// allows; it may be called for others.
    public var retriesOtherErrors: @Sendable (any Error) -> Bool

    /// Creates a policy.
    public init(
        retries: Int = 2,
        statuses: Set<HTTPStatus> = RetryPolicy.defaultStatuses,
        reasons: Set<TransportError.Reason> = RetryPolicy.defaultReasons,
        backoff: Backoff = Backoff(),
        maximumServerWait: TimeInterval = 30,
        retriesOtherErrors: @escaping @Sendable (any Error) -> Bool = { _ in false }
    ) {
        self.retries = retries
        self.statuses = statuses
        self.reasons = reasons
        self.backoff = backoff
        self.maximumServerWait = maximumServerWait
        self.retriesOtherErrors = retriesOtherErrors
    }

    /// At most two retries after temporary failures.
    public static let `default` = RetryPolicy()

    /// No retry.
    public static let never = RetryPolicy(retries: 0)

    /// 408, 429, 500, 502, 503 and 504 (RFC 9110 §15, RFC 6585 §4), and the statuses 521, 522, 524 and 529 of content
    /// delivery networks and APIs for a server that is down, too slow or overloaded.
    public static let defaultStatuses: Set<HTTPStatus> = [408, 429, 500, 502, 503, 504, 521, 522, 524, 529]

    /// Lost connections, timeouts, and connections that could not be made.
    public static let defaultReasons = TransportError.Reason.temporary
}

extension RetryPolicy {
    /// Returns whether another attempt may avoid an error, whatever the request is.
    func isTransient(_ error: any Error) -> Bool {
        guard !Self.isLasting(error) else { return false }
        let isNamed =
            switch Self.failure(behind: error) {
            case NetworkClient.Error.apiError(let response, _): statuses.contains(response.status)
            case NetworkClient.Error.requestError(let failure):
                reasons.contains(failure.reason) || failure.proxyStatus.map(statuses.contains) == true
            default: false
            }
        return isNamed || retriesOtherErrors(error)
    }

    /// Returns whether no attempt avoids the error.
    private static func isLasting(_ error: any Error) -> Bool {
        switch error {
        case NetworkClient.Error.apiError: false
        case NetworkClient.Error.requestError(let failure): failure.securityFailure != nil
        case is CancellationError, is DecodingError, is NetworkClient.Error: true
        case let failure as TransportError: failure.securityFailure != nil
        case let error as AuthenticationError: error.underlying.map(isLasting) ?? false
        default: false
        }
    }

    /// Returns the failure by which an error is judged: for a call whose credential could not be refreshed, that of the
    /// refresh.
    static func failure(behind error: any Error) -> any Error {
        (error as? AuthenticationError)?.failureOfRefresh ?? error
    }
}

extension RetryPolicy: ExpressibleByIntegerLiteral {
    /// Creates the default policy with another number of retries: `.retry(3)`.
    public init(integerLiteral retries: Int) {
        self.init(retries: retries)
    }
}
