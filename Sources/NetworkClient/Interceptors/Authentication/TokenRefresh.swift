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

        /// How many seconds a refresh may take, on the clock of the client that started it; default 60.
        ///
        /// One that takes longer is cancelled, its result is dropped, and it has failed with
        /// ``AuthenticationError/Reason/refreshTimedOut``. With 0 or less, every refresh fails; with infinity or NaN
        /// there is no limit, as with a ``TestClock`` that advances itself.
        public var timeout: Double

        /// Creates a policy.
        public init(
            leeway: Double = 30,
            statuses: Set<Int> = [401],
            limit: Int = 5,
            window: Double = 30,
            timeout: Double = 60
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
    /// A token for a request, with its place in the order of tokens.
    struct Issued: Sendable {
        let token: AccessToken
        /// The number of the token; each later token has a higher one.
        let version: Int
        /// The number of refreshes that had ended when the token was issued.
        let epoch: Int
        /// How often a person had signed in or out.
        let person: Int
    }

    /// What a request needs to know.
    enum Question: Sendable {
        /// The token to be sent with.
        case credential(of: Int?)
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

extension TokenRefresh {
    /// The failure of a refresh whose time is over.
    struct TookTooLong: Error {}

    /// Replaces a token in a task that is cancelled after `seconds`, and whose end is not waited for then: it may
    /// ignore its cancellation.
    static func run(
        _ operation: @escaping TokenSession.Refresh,
        on token: AccessToken,
        within seconds: Double,
        _ time: (any TimeSource)?
    ) async throws -> AccessToken {
        let time = time ?? SystemTimeSource()
        guard seconds < .infinity, (time as? TestClock)?.advancesItself != true else {
            return try await operation(token)
        }
        // Has the first outcome; a second one is dropped.
        let (outcomes, first) = AsyncStream.makeStream(
            of: Result<AccessToken, any Error>.self,
            bufferingPolicy: .bufferingOldest(1)
        )
        // Cancelled when its time is over.
        let work = Task {
            do {
                first.yield(.success(try await operation(token)))
            } catch {
                first.yield(.failure(error))
            }
        }
        // Cancelled when the work has ended.
        let alarm = Task {
            guard (try? await time.sleep(seconds: seconds)) != nil else { return }
            first.yield(.failure(TookTooLong()))
        }
        defer {
            alarm.cancel()
            work.cancel()
        }
        for await outcome in outcomes { return try outcome.get() }
        throw CancellationError()
    }
}
