extension LoopbackServer {
    /// Every request whose body was read, or that was answered without it, in the order in which that happened.
    package var requests: [RecordedRequest] {
        engine.log.read { $0.requests }
    }

    /// How many those are, also where they are not kept.
    package var requestCount: Int {
        engine.log.read { $0.requestCount }
    }

    /// Every request as it was when its head had arrived, so without body.
    package var heads: [RecordedRequest] {
        engine.log.read { $0.heads }
    }

    /// Requests whose body ended too soon or was malformed, with what came of it.
    package var truncated: [RecordedRequest] {
        engine.log.read { $0.truncated }
    }

    /// Why bytes were refused as no request, once for each connection that sent such.
    package var malformed: [String] {
        engine.log.read { $0.malformed }
    }

    /// Waits for a request, the first being 0, on a server that keeps requests.
    ///
    /// - Throws: `CancellationError`, as soon as the task is cancelled; ``ServerStopped``.
    package func request(at index: Int) async throws -> RecordedRequest {
        try await wait("request \(index)") { $0.requests.count > index ? $0.requests[index] : nil }
    }

    /// Like ``request(at:)``, as soon as the head is there.
    package func head(at index: Int) async throws -> RecordedRequest {
        try await wait("head \(index)") { $0.heads.count > index ? $0.heads[index] : nil }
    }

    /// Waits until at least `count` requests have arrived.
    ///
    /// - Throws: `CancellationError`, as soon as the task is cancelled; ``ServerStopped``.
    package func waitForRequests(count: Int) async throws {
        try await wait("\(count) requests") { $0.requestCount >= count ? () : nil }
    }

    /// Like ``waitForRequests(count:)``, for requests of which the body may still be on its way.
    package func waitForHeads(count: Int) async throws {
        try await wait("\(count) heads") { $0.headCount >= count ? () : nil }
    }

    func wait<Answer: Sendable>(
        _ what: String,
        until condition: @escaping @Sendable (ServerLog) -> Answer?
    ) async throws -> Answer {
        try await engine.log.wait { log in
            if let answer = condition(log) { return answer }
            if log.isStopped { throw ServerStopped(waitingFor: what) }
            return nil
        }
    }
}
