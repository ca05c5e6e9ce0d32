/// A transport for tests that responds from a script instead of a network, and records the requests.
///
/// ```swift
/// let transport = StubTransport()
/// transport.on(.get("/items/1"), .json(Item(id: 1, name: "a")))
/// transport.on(.post("/items"), .status(503), .json(Item(id: 2, name: "b"), status: 201))
/// let client = NetworkClient(transport: transport)
///
/// let response: NetworkClient.Response<Item> = try await client.fetch(
///     request: .get(url: url.appendingPathComponent("1")).build()
/// )
/// print(response.item.name, transport.requests.map(\.path))
/// ```
///
/// Of several stubs that match a request, the one that was added last responds. A request that no stub matches fails
/// with ``TransportError/Reason/notStubbed``, and the text of the error names the request, the stubs, and how each
/// differs from the request; values with secret names are masked.
///
/// What a client can observe is as with a network: body limit; timeouts, which are measured on the clock of the
/// transport, also while the body of a request is read; streamed bodies; no body in a response to HEAD; prompt
/// cancellation. Requests are kept as long as the transport.
public final class StubTransport: Transport, ScopedTransport {
    /// The treatment of requests after the last response of a stub.
    public enum Ending: Sendable {
        /// The last response is repeated.
        case repeatLast

        /// The stub no longer matches: an earlier stub that does responds, or the request fails.
        case stop
    }

    /// A sentence about what happened at the transport, for the message of a failed test.
    public struct Finding: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
        /// The sentence; lines after the first are indented.
        public let description: String

        /// The sentence on a line of its own, so that a failed expectation shows a list of them one below the other.
        public var debugDescription: String { "\n" + description }
    }

    private struct Stub: Sendable {
        let pattern: Pattern
        let responses: [Response]
        let ending: Ending

        /// Returns the response after `count` others; nil if all were used.
        func response(after count: Int) -> Response? {
            if count < responses.count { return responses[count] }
            return ending == .repeatLast ? responses.last : nil
        }

        /// Returns the complaint about the responses that were not used.
        func complaint(after count: Int) -> Finding? {
            guard count < responses.count else { return nil }
            let use = count == 0 ? "was never used" : "used \(count) of its \(responses.count) responses"
            return Finding(description: "the stub \(pattern) \(use)")
        }
    }

    private struct State {
        var stubs: [Stub] = []
        /// How often each stub has responded.
        var useCounts: [Int] = []
        var requests: [Request] = []
        var unmatched: [Request] = []
        /// Why no stub matched a request, for those that failed for it.
        var refusals: [Finding] = []
        /// The calls that failed, the last hundred.
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
    ///   - time: The clock for delays and timeouts: give it the clock of the client's configuration.
    ///   - otherwise: The response to requests that no stub matches; nil if they fail.
    public init(time: any TimeSource = SystemTimeSource(), otherwise: Response? = nil) {
        self.time = time
        self.otherwise = otherwise
    }

    /// Adds a stub, which takes precedence over those that were added before.
    ///
    /// - Parameters:
    ///   - pattern: The requests to which it responds.
    ///   - first: The response to the first of them.
    ///   - others: The responses to the next ones, in order.
    ///   - ending: The treatment of requests after the last response.
    public func on(_ pattern: Pattern, _ first: Response, _ others: Response..., then ending: Ending = .repeatLast) {
        add(Stub(pattern: pattern, responses: [first] + others, ending: ending))
    }

    /// Adds a stub that computes its responses; an error that the closure throws is that of the exchange.
    ///
    /// The closure may wait, for example for another part of the test. Timeouts include its time on the clock of the
    /// transport but do not end it; a cancellation does if the closure observes that of its task.
    public func on(_ pattern: Pattern, respond: @escaping @Sendable (Request) async throws -> Response) {
        add(Stub(pattern: pattern, responses: [.computed(respond)], ending: .repeatLast))
    }

    private func add(_ stub: Stub) {
        state.withLock { state in
            state.stubs.append(stub)
            state.useCounts.append(0)
        }
    }

    /// All requests, in the order in which their bodies were complete.
    public var requests: [Request] { state.withLock { $0.requests } }

    /// The requests that no stub matched, also if `otherwise` was the response.
    public var unmatchedRequests: [Request] { state.withLock { $0.unmatched } }

    /// What did not go as the script says; empty if everything did, so that one expectation is enough for a test.
    ///
    /// ```swift
    /// let transport = StubTransport()
    /// transport.on(.get("/items"), .json(text: "[]"))
    /// print(transport.complaints.isEmpty)  // false: GET /items was never used
    /// ```
    ///
    /// There is one for each request that failed because no stub matched it, with the reasons, and one for each stub
    /// with a response that was not used. If there are any, the calls that failed follow: see ``failedCalls``.
    public var complaints: [Finding] {
        let state = state.withLock { $0 }
        let unused = zip(state.stubs, state.useCounts).compactMap { stub, count in stub.complaint(after: count) }
        let complaints = state.refusals + unused
        return complaints.isEmpty ? [] : complaints + state.failedCalls
    }

    /// The last hundred calls of clients of this transport that failed, each with its journey.
    ///
    /// A failed call is not a complaint by itself, since a test may expect it.
    public var failedCalls: [Finding] { state.withLock { $0.failedCalls } }

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
    /// The number is that of all requests so far, those before the wait included. To wait for the next request of many,
    /// describe it, as in `matching: .get("/search").query("q", "abc")`, or wait for a higher number.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    @discardableResult
    public func waitForRequests(matching pattern: Pattern = .any, count: Int) async throws -> [Request] {
        var (seen, matches) = (0, [Request]())
        while true {
            // Outside the lock, since patterns may run closures.
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

    /// Records the request, and responds as the stub that matches it.
    ///
    /// - Throws: ``TransportError``; other errors only if the stub's response is that error; `CancellationError` if the
    ///   task was cancelled.
    public func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
        try CallScope.checkCancellation()
        try RequestValidation.checkCachePolicy(of: request)
        let exchange = StubExchange(request: request, options: options, time: time)
        let body = try await exchange.readBody()
        let asked = try Request(request, body: body)
        record(asked)
        let response = try response(to: asked)
        return try await exchange.perform(response, for: asked)
    }

    private func record(_ request: Request) {
        let due = state.withLock { state in
            state.requests.append(request)
            return state.waiters.removeAll()
        }
        for waiter in due { waiter.resume() }
    }

    /// Returns the next response of the stub that matches; patterns may run closures, so they are asked outside
    /// the lock.
    private func response(to request: Request) throws -> Response {
        let stubs = state.withLock { $0.stubs }
        for index in stubs.indices.reversed() where stubs[index].pattern.matches(request) {
            if let response = state.withLock({ $0.useStub(index) }) { return response }
        }
        state.withLock { $0.unmatched.append(request) }
        if let otherwise { return otherwise }
        let reasons = stubs.map { stub in
            let differences = stub.pattern.differences(from: request)
            let count = stub.responses.count
            let used = count == 1 ? "its response was used" : "its \(count) responses were used"
            return "\n  \(stub.pattern): \(differences.isEmpty ? used : differences.joined(separator: "; "))"
        }
        let list = stubs.isEmpty ? "\n  there are no stubs" : reasons.joined()
        let refusal = "no stub matches \(request):\(list)"
        state.withLock { $0.refusals.append(Finding(description: refusal)) }
        throw TransportError(.notStubbed, request: request.urlRequest, detail: refusal)
    }
}

extension TransportError.Reason {
    /// No stub of a ``StubTransport`` matches the request.
    public static let notStubbed = Self(name: "notStubbed", sentence: "no stub matches it")
}
