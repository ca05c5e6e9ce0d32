extension TokenSession {
    /// When and how often a token is refreshed.
    public struct RefreshPolicy: Hashable, Sendable {
        /// The number of seconds before its expiry at which a token is refreshed, but not before the middle of its
        /// life; default 30.
        ///
        /// Requests are sent with the old token until it expires, and then wait for the new one. The age of a token
        /// from the store is not known, so it is refreshed exactly this many seconds before its expiry.
        public var leeway: TimeInterval

        /// The statuses with which servers refuse a token; default 401.
        public var statuses: Set<HTTPStatus>

        /// The maximum number of refreshes in ``window`` seconds, default 5; one more is an error.
        public var limit: Int

        /// The number of seconds over which refreshes are counted; default 30.
        public var window: TimeInterval

        /// The number of seconds that a refresh may take, on the clock of the client that started it; default 60.
        ///
        /// The time includes the wait for another process that refreshes the same token. A refresh that takes longer is
        /// cancelled, and the requests that waited for it fail with ``AuthenticationError/Reason/refreshTimedOut``. If
        /// it still returns a token, the token is kept, unless there is a newer token or another person by then. With 0
        /// or less, every refresh fails; with infinity or NaN there is no limit. On a `TestClock` that advances
        /// itself, no refresh takes too long.
        public var timeout: TimeInterval

        /// Creates a policy.
        public init(
            leeway: TimeInterval = 30,
            statuses: Set<HTTPStatus> = [401],
            limit: Int = 5,
            window: TimeInterval = 30,
            timeout: TimeInterval = 60
        ) {
            self.leeway = leeway
            self.statuses = statuses
            self.limit = limit
            self.window = window
            self.timeout = timeout
        }
    }
}

/// The events and actions of a ``RefreshState``.
enum TokenRefresh {
    /// A token for a request, with its position in the order of tokens.
    struct Issued: Sendable {
        let token: AccessToken
        /// The number of the person to whom the token belongs: the session's count of changes of person.
        let person: Int
        /// The number of the token; later tokens have higher numbers.
        let version: Int
        /// The number of refreshes that had ended when the token was issued.
        let epoch: Int
    }

    /// A question that a request asks the session.
    enum Question: Sendable {
        /// Which token to send; nil for a call that has had no token yet, otherwise the number of the person whose
        /// token the call began with.
        case credential(of: Int?)
        /// Whether to send the request again, after the server refused this token.
        case rejection(Issued)
    }

    enum Verdict: Sendable {
        /// Send the request with this token.
        case use(Issued)
        /// The token is missing.
        case missing
        /// The refusal is final.
        case stands
        case failed(AuthenticationError)
    }

    /// The action for a request that can wait, with a job to be started, if there is one.
    enum Decision: Sendable {
        case verdict(Verdict, starting: Job? = nil)
        /// Wait for the job with this number.
        case wait(for: UInt64, starting: Job? = nil)
    }

    /// Work for a separate task: to load the token, or to replace it.
    struct Job: Sendable {
        let id: UInt64
        /// The number of the person for whom the job works.
        let person: Int
        /// Whether the token is replaced, and not just loaded.
        let isRefresh: Bool
        /// Whether the token is replaced before a server has refused it.
        let isProactive: Bool
    }

    /// The beginning of a read of the store; its result is outdated if the session has written since.
    struct Reading: Sendable {
        let writes: Int
        /// The mark of the store before it was read.
        let mark: UInt64?
    }

    /// A write to the store.
    struct Write: Sendable {
        /// The token to be stored; nil to remove the stored one.
        let token: AccessToken?
        /// The token that the store should have, nil for none; another one is replaced only if the write overwrites.
        let expected: AccessToken?
        /// Whether any token in the store is replaced, since a person has signed in or out in this session.
        let overwrites: Bool
        let version: Int
    }
}
