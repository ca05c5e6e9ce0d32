/// A transport for tests that responds from a script instead of a network, and records the requests.
///
/// ```swift
/// let transport = StubTransport()
/// transport.on(.get("/items/1"), .json(Item(id: 1, name: "a")))
/// transport.on(
///     .post("/items"), .status(503), .json(Item(id: 2, name: "b"), status: 201)
/// )
/// let client = NetworkClient(transport: transport)
///
/// let response: NetworkClient.Response<Item> = try await client.fetch(
///     request: .get(url: url.appendingPathComponent("1")).build()
/// )
/// print(response.item.name, transport.requests.map(\.path))
/// ```
///
/// If several stubs match a request, the one that was added last responds. A request that no stub matches fails with
/// `TransportError.Reason.notStubbed`. The text of the error names the request, the stubs, and how each stub differs
/// from the request; values with secret names are masked.
///
/// A client observes the same behaviour as with a network: the body limit, timeouts (measured on the clock of the
/// transport, also while the body of a request is read), streamed bodies, no body in a response to HEAD, and prompt
/// cancellation. Two things differ from a network: a `Content-Encoding` of a response is neither decoded nor refused,
/// and a body that breaks off after its last byte fails although all of it has come. Requests are kept as long as the
/// transport exists.
public final class StubTransport: Transport, ScopedTransport {
    /// What happens to requests after the last response of a stub.
    public enum Ending: Sendable {
        /// The last response is repeated.
        case repeatLast

        /// The stub no longer matches: an earlier matching stub responds, or the request fails.
        case stop
    }

    /// A sentence about an event at the transport, for the message of a failed test.
    public struct Finding: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
        /// The sentence; lines after the first are indented.
        public let description: String

        /// The sentence on a separate line, so that a failed expectation shows a list of sentences one below the other.
        public var debugDescription: String { "\n" + description }
    }

    private struct Stub: Sendable {
        let pattern: Pattern
        let responses: [Response]
        let ending: Ending
        /// Whether an unused response is a complaint.
        var isExpected = true

        /// Returns the response after `count` earlier ones; nil if all were used.
        func response(after count: Int) -> Response? {
            if count < responses.count { return responses[count] }
            return ending == .repeatLast ? responses.last : nil
        }

        /// Returns the complaint about the unused responses.
        func complaint(after count: Int) -> Finding? {
            guard isExpected, count < responses.count else { return nil }
            let use = count == 0 ? "was never used" : "used \(count) of its \(responses.count) responses"
            return Finding(description: "the stub \(pattern) \(use)")
        }
    }

    private struct State {
        var stubs: [Stub] = []
        /// The number of responses that each stub has given.
        var useCounts: [Int] = []
        var requests: [Request] = []
        var unmatched: [Request] = []
        /// The reasons why no stub matched a request, for requests that failed.
        var refusals: [Finding] = []
        /// The servers of the WebSockets that were opened.
        var peers: [StubPeer] = []
        /// The last hundred failed calls.
        var failedCalls: [Finding] = []
        /// The tasks that wait for the next request.
        var waiters = Waiters<Void>()

        mutating func useStub(_ index: Int) -> Response? {
            let response = stubs[index].response(after: useCounts[index])
            if response != nil { useCounts[index] += 1 }
            return response
        }
    }

    private let time: any TimeSource
    private let otherwise: Response?
    private let state = Locked(State())

    /// Creates a transport without stubs.
    ///
    /// - Parameters:
    ///   - time: The clock for delays and timeouts; pass the clock of the client's configuration.
    ///   - otherwise: The response to requests that no stub matches; if nil, they fail.
    public init(time: any TimeSource = SystemTimeSource(), otherwise: Response? = nil) {
        self.time = time
        self.otherwise = otherwise
    }

    /// Adds a stub, which takes precedence over earlier ones.
    ///
    /// - Parameters:
    ///   - pattern: The requests to which it responds.
    ///   - first: The response to the first matching request.
    ///   - others: The responses to the next requests, in order.
    ///   - ending: What happens to requests after the last response.
    public func on(_ pattern: Pattern, _ first: Response, _ others: Response..., then ending: Ending = .repeatLast) {
        add(Stub(pattern: pattern, responses: [first] + others, ending: ending))
    }

    /// Adds a stub that computes its responses; if the closure throws an error, the exchange fails with it.
    ///
    /// The closure may wait, for example for another part of the test. Timeouts include its time on the clock of the
    /// transport, but do not interrupt it; a cancellation does if the closure observes the cancellation of its task.
    public func on(_ pattern: Pattern, respond: @escaping @Sendable (Request) async throws -> Response) {
        add(Stub(pattern: pattern, responses: [.computed(respond)], ending: .repeatLast))
    }

    /// Adds a stub for an entry of an archive, which a test need not use.
    func on(recorded pattern: Pattern, _ responses: [Response]) {
        add(Stub(pattern: pattern, responses: responses, ending: .repeatLast, isExpected: false))
    }

    private func add(_ stub: Stub) {
        state.withLock { state in
            state.stubs.append(stub)
            state.useCounts.append(0)
        }
    }

    /// All requests, in the order in which their bodies were complete.
    public var requests: [Request] { state.withLock { $0.requests } }

    /// The requests that no stub matched, including requests with `otherwise` as their response.
    public var unmatchedRequests: [Request] { state.withLock { $0.unmatched } }

    /// The deviations from the script; if it is empty, everything went as scripted, and a test needs no other
    /// expectation.
    ///
    /// ```swift
    /// let transport = StubTransport()
    /// transport.on(.get("/items"), .json(text: "[]"))
    /// print(transport.complaints.isEmpty)  // false: GET /items was never used
    /// ```
    ///
    /// There is one for each request that failed because no stub matched it, with the reasons, one for each stub with
    /// an unused response, and one for each WebSocket whose server has not read all messages. If there are any, the
    /// failed calls follow: see ``failedCalls``.
    public var complaints: [Finding] {
        let state = state.withLock { $0 }
        let unused = zip(state.stubs, state.useCounts).compactMap { stub, count in stub.complaint(after: count) }
        let complaints = state.refusals + unused + state.peers.compactMap(\.complaint)
        return complaints.isEmpty ? [] : complaints + state.failedCalls
    }

    /// The last hundred failed calls of clients of this transport, each with its journey.
    ///
    /// A failed call is not a complaint by itself, since a test may expect it.
    public var failedCalls: [Finding] { state.withLock { $0.failedCalls } }

    /// Defaults with which clients tell the transport about ``failedCalls``.
    public var defaults: TransportDefaults {
        var defaults = TransportDefaults()
        defaults.opensSockets = true
        defaults.onFailedCall = { [weak self] in self?.note(failedCall: $0) }
        return defaults
    }

    /// Adds a call to ``failedCalls``.
    func note(failedCall text: String) {
        state.withLock { state in
            state.failedCalls.append(Finding(description: text))
            if state.failedCalls.count > 100 { state.failedCalls.removeFirst() }
        }
    }

    /// Returns the requests that a pattern matches.
    public func requests(matching pattern: Pattern) -> [Request] { requests.filter(pattern.matches) }

    /// Suspends until a pattern matches at least `count` requests, and returns the requests that it matches.
    ///
    /// All requests so far count, including requests before this call. To wait for the next of many requests, describe
    /// it, as in `matching: .get("/search").query("q", "abc")`, or wait for a higher number.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    @discardableResult
    public func waitForRequests(matching pattern: Pattern = .any, count: Int) async throws -> [Request] {
        var (seen, matches) = (0, [Request]())
        while true {
            // Evaluated outside the lock, since patterns may run closures.
            let requests = requests
            matches += requests[seen...].filter(pattern.matches)
            seen = requests.count
            guard matches.count < count else { return matches }
            try await state.wait { [seen] state, waiter in
                guard state.requests.count == seen else { return () }
                state.waiters.add(waiter)
                return nil
            } leaving: { [state] id in
                state.withLock { $0.waiters.remove(id) }
            }
        }
    }

    /// The name of this transport.
    public var description: String { "StubTransport" }

    /// Records the request, and responds with the matching stub.
    ///
    /// - Throws: `TransportError`; another error only if it is the stub's response; `CancellationError` if the task
    ///   was cancelled.
    public func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
        try CallScope.checkCancellation()
        let exchange = StubExchange(request: request, options: options, time: time)
        let body = try await exchange.readBody()
        let asked = try Request(request, body: body)
        record(asked)
        let response = try response(to: asked)
        return try await exchange.perform(response, for: asked) { peer in state.withLock { $0.peers.append(peer) } }
    }

    private func record(_ request: Request) {
        let due = state.withLock { state in
            state.requests.append(request)
            return state.waiters.removeAll()
        }
        for waiter in due { waiter.resume() }
    }

    /// Returns the next response of the matching stub; patterns may run closures, so they are evaluated outside the
    /// lock.
    private func response(to request: Request) throws -> Response {
        let stubs = state.withLock { $0.stubs }
        for index in stubs.indices.reversed() where stubs[index].pattern.matches(request) {
            if let response = state.withLock({ $0.useStub(index) }) { return response }
        }
        state.withLock { $0.unmatched.append(request) }
        if let otherwise { return otherwise }
        let nearest = Self.nearest(stubs, to: request)
        let reasons = nearest.map { stub in
            let differences = stub.pattern.differences(from: request)
            let count = stub.responses.count
            let used = count == 1 ? "its response was used" : "its \(count) responses were used"
            return "\n  \(stub.pattern): \(differences.isEmpty ? used : differences.joined(separator: "; "))"
        }
        let remaining = stubs.count - nearest.count
        let list = stubs.isEmpty ? "\n  there are no stubs" : reasons.joined()
        let more = remaining == 0 ? "" : "\n  and \(remaining) stubs that differ more"
        let refusal = "no stub matches \(request):\(list)\(more)"
        state.withLock { $0.refusals.append(Finding(description: refusal)) }
        throw TransportError(.notStubbed, request: request.urlRequest, detail: refusal)
    }

    /// Returns all stubs; of more than twelve, the ten that resemble a request most, the most similar one first.
    private static func nearest(_ stubs: [Stub], to request: Request) -> [Stub] {
        guard stubs.count > 12 else { return stubs }
        let ranked = stubs.map { (stub: $0, likeness: $0.pattern.likeness(to: request)) }
        return ranked.sorted { $0.likeness > $1.likeness }.prefix(10).map(\.stub)
    }
}

extension TransportError.Reason {
    /// The reason if no stub of a ``StubTransport`` matches the request.
    public static let notStubbed = Self(name: "notStubbed", sentence: "no stub matches it")
}
