extension TokenSession {
    /// When and how often a token is refreshed.
    public struct RefreshPolicy: Hashable, Sendable {
        /// How many seconds before its expiry a token is refreshed, but not before the middle of its life; default 30.
        ///
        /// The age of a token from the store is not known: it is refreshed that many seconds before its expiry.
        public var leeway: Double

        /// The statuses with which servers refuse a token; default 401 alone.
        public var statuses: Set<Int>

        /// The most refreshes in ``window`` seconds, default 5; the next one is an error.
        public var limit: Int

        /// The seconds in which refreshes are counted; default 30.
        public var window: Double

        /// Creates a policy.
        public init(leeway: Double = 30, statuses: Set<Int> = [401], limit: Int = 5, window: Double = 30) {
            self.leeway = leeway
            self.statuses = statuses
            self.limit = limit
            self.window = window
        }
    }
}

/// The events and actions of a ``RefreshState``.
enum TokenRefresh {
    /// A token for a request, with its place in the order of tokens.
    struct Issued: Sendable {
        let token: AccessToken
        /// The number of the token; each later token has a higher one.
        let version: Int
        /// The number of refreshes that had ended when the token was issued.
        let epoch: Int
    }

    /// What a request needs to know.
    enum Question: Sendable {
        /// The token to be sent with.
        case credential
        /// Whether to be sent again, after the server refused this token.
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

    /// Work for a task of its own: to load the token, or to replace one.
    struct Job: Sendable {
        let id: UInt64
        /// The token to be replaced; nil to load one.
        let token: AccessToken?
        /// Whether the token is replaced before a server has refused it.
        let isProactive: Bool
    }

    /// How a job ended.
    enum Outcome: Sendable {
        /// The store has this token, or none.
        case loaded(AccessToken?)
        case refreshed(AccessToken)
        /// The calls of the refresh were cancelled, and those who wait ask again.
        case cancelled
        case failed(AuthenticationError)
    }

    /// The result of a wait.
    enum Ending: Sendable {
        /// Ask again.
        case changed
        case decided(Verdict)
    }

    /// The action for a request that asks and is ready to wait.
    enum Joining: Sendable {
        case decided(Verdict)
        /// Wait, after starting the job if there is one.
        case waits(starting: Job?)
    }

    /// A time, in seconds of the client's clock, and in seconds since 1970.
    ///
    /// The calendar may be set back or forth, and the clock may stop while the machine sleeps.
    struct Moment: Sendable {
        let clock: Double
        let calendar: Double
    }
}
