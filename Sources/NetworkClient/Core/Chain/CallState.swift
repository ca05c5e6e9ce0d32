/// The working state of a call, which its attempts share, and of which its interceptors can learn a part.
struct CallState: Sendable {
    /// The limit of the last attempt, including its body.
    private(set) var limit: TimeLimit?
    /// The URL to which the last attempt was redirected, if it has another origin than its request.
    private(set) var reached: URL?
    /// Whether a redirect made the request of the last attempt a GET: its server has performed the request.
    private(set) var hasTurnedIntoGet = false
    /// Whether the last attempt waits, or waited, for the exchange of an identical call.
    private(set) var hasJoined = false
    /// The failure of the last attempt in whose place a stored response stands, and its server.
    var covered: (error: any Error, origin: Origin?)?
    /// Whether an attempt has begun: then the request has passed all interceptors.
    private(set) var hasBegun = false
    /// The options that interceptors have read.
    var reads = CallOptionValues.Reads()
    /// The number of requests that a server may have performed.
    var performed = 0
    /// Whether the last request had a credential of an interceptor.
    var hasCredential = false
    /// The number of seconds spent transferring bodies, which do not count towards the limits of interceptors.
    private(set) var moving = 0.0
    private var lastMove: Double?
    /// The last accepted response, which is kept because interceptors see and return only a part of it.
    private var last: TransportResponse?
    /// The heads of responses whose streamed bodies were discarded when the request was sent again.
    private var givenUpHeads: [HTTPURLResponse] = []
    /// The values that interceptors keep for all attempts of the call.
    private var kept: [(key: ObjectIdentifier, value: any Sendable)] = []

    /// Begins an attempt, with the limit that includes its body.
    mutating func beginAttempt(_ limit: TimeLimit?) {
        (self.limit, reached, hasTurnedIntoGet, hasJoined, lastMove) = (limit, nil, false, false, nil)
        (covered, hasBegun) = (nil, true)
    }

    /// Joins the exchange of an identical call, whose request is this attempt's request, too.
    mutating func join() {
        hasJoined = true
        performed += 1
    }

    /// Notes the URL to which a request of the attempt was redirected, or that a shared exchange has reached, and
    /// whether the request became a GET.
    mutating func reach(_ url: URL?, insteadOf first: URL?, asGet: Bool = false) {
        if asGet { hasTurnedIntoGet = true }
        let isOther = url.map { Origin(of: $0) } != first.map { Origin(of: $0) }
        reached = isOther ? url : nil
    }

    /// Notes that bytes of the request's body were read to be sent.
    mutating func move(at now: Double) {
        if let lastMove { moving += max(0, now - lastMove) }
        lastMove = now
    }

    /// Ends counting the bytes of the request's body, which is sent again from its beginning.
    mutating func rewind() { lastMove = nil }

    /// Adds the seconds in which the body of a response was received.
    mutating func addTransfer(of seconds: Double) { moving += max(0, seconds) }

    /// Replaces the last response; returns the previous one if its body is streamed, since only the last is read.
    mutating func replaceLast(with response: TransportResponse?) -> TransportResponse? {
        defer { last = response }
        guard let last, last.body.isStreamed else { return nil }
        givenUpHeads.append(last.response)
        return last
    }

    /// Returns the last response, which now belongs to the caller, and the heads of the discarded responses.
    mutating func takeLast() -> (last: TransportResponse?, givenUpHeads: [HTTPURLResponse]) {
        defer { last = nil }
        return (last, givenUpHeads)
    }

    /// Returns the metrics of the last response; nil if it is another response.
    func metrics(of response: HTTPURLResponse) -> TransportMetrics? {
        last?.response === response ? last?.metrics : nil
    }

    func kept(for key: ObjectIdentifier) -> (any Sendable)? { kept.first { $0.key == key }?.value }

    /// Takes over what the interceptors of a call keep, such as the person whose token it has.
    mutating func keepAll(of other: CallState) { kept = other.kept }

    /// Keeps a value unless the key has one already; returns the value that is kept.
    mutating func keep(_ value: any Sendable, for key: ObjectIdentifier) -> any Sendable {
        if let known = kept(for: key) { return known }
        kept.append((key, value))
        return value
    }
}

/// The facts of an attempt that its steps need.
struct CallAttempt: Sendable {
    /// The number in the record of the call, from 1.
    let number: Int
    /// When it began, on the clock of the call.
    let start: Double
    /// The limit that includes the body of the response; nil for none.
    let limit: TimeLimit?

    /// A copy for an exchange that several callers wait for, each with its own limit.
    var withoutLimit: CallAttempt { CallAttempt(number: number, start: start, limit: nil) }
}

extension Chain {
    func withState<Result>(_ body: (inout CallState) -> Result) -> Result { record.withState(body) }

    /// Counts a request that a server may have performed, or takes it back; only interceptors ask for the number.
    func countPerformed(_ change: Int, hasCredential: Bool? = nil) {
        guard !interceptors.isEmpty else { return }
        withState { state in
            state.performed += change
            state.hasCredential = hasCredential ?? state.hasCredential
        }
    }

    /// The number of seconds spent transferring bodies, which do not count towards the time limits of interceptors; 0
    /// for a call that is not a transfer.
    var moving: Double { settings.isTransfer ? withState { $0.moving } : 0 }

    /// The limit of the last attempt, which includes the body of its response and its decoding.
    var limit: TimeLimit? { withState { $0.limit } }

    /// Keeps an accepted response for the end of the call, and stops the streamed body of the previous one.
    func setLast(_ response: TransportResponse?) {
        withState { $0.replaceLast(with: response) }?.body.channel.cancel()
    }
}
