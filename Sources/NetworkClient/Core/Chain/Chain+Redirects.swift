/// Redirects are followed here, by the same rules on every platform and transport.
extension Chain {
    /// The maximum number of redirects that are followed, as in browsers (Fetch Standard, "HTTP-redirect fetch").
    static let redirectLimit = 20

    /// Sends a request, and the requests of the redirects that follow; the limit of the attempt is for all hops
    /// together.
    ///
    /// A credential is added as long as the redirects stay within the origin of the request. `onRedirect` is called
    /// before each later hop.
    nonisolated(nonsending) func follow(
        _ hop: consuming Hop,
        onRedirect: (@Sendable () -> Void)? = nil
    ) async throws -> TransportResponse {
        let first = hop.request
        let begin = record.time.now
        do {
            for redirects in 0...Self.redirectLimit {
                let response = try await send(&hop)
                guard let next = try next(after: response, to: hop.request) else {
                    response.head.add(redirects: redirects, total: record.time.now - begin)
                    guard !settings.transportOptions.streamsBody else { return response }
                    guard response.body.isStreamed else { return try limited(response, hop.request) }
                    return try await collected(response, hop.request)
                }
                // Reads the body of the redirect so that the connection can be reused; a failure while reading does not
                // fail the call.
                if response.body.isStreamed {
                    _ = try? await response.body.channel.beginning(limit: RedirectBodyLimit.bytes, on: record.time)
                }
                try CallScope.checkCancellation()
                guard redirects < Self.redirectLimit else { break }
                record.note(.redirect, next.url.map { .place($0) } ?? .none, number: Double(response.head.status))
                onRedirect?()
                let asGet = next.httpMethod != first.httpMethod
                withState { $0.reach(next.url, insteadOf: first.url, asGet: asGet) }
                lead(&hop, to: next)
            }
            throw TransportError(.tooManyRedirects, request: hop.request)
        } catch {
            record.log(error, of: hop.attempt, first)
            throw error
        }
    }

    /// Makes the next request the current hop; it has no credentials once a redirect has left the origin.
    private func lead(_ hop: inout Hop, to next: URLRequest) {
        let leaves = hop.request.url.map { Origin(of: $0) } != next.url.map { Origin(of: $0) }
        let leavesNow = leaves && !hop.hasLeft && !hop.context.authenticators.isEmpty
        if leavesNow, let url = next.url { record.note(.decision, .withheld(url, .redirect)) }
        hop = Hop(next, hop.attempt, hop.context, hasLeft: hop.hasLeft || leaves)
    }

    private func next(after response: TransportResponse, to request: URLRequest) throws -> URLRequest? {
        guard RedirectPolicy.redirectStatuses.contains(response.head.status) else { return nil }
        let rules = RedirectRules(
            policy: settings.redirects,
            sensitiveHeaders: settings.sensitiveHeaders,
            reachesOneServer: transport.defaults.reachesOneServer,
            opensSocket: settings.opening != nil
        )
        do {
            return try rules.next(after: response.head, to: request)
        } catch {
            if response.body.isStreamed { response.body.channel.cancel() }
            throw error
        }
    }

    /// Collects a streamed body, since the call needs a complete one.
    private nonisolated(nonsending) func collected(
        _ response: TransportResponse,
        _ request: URLRequest
    ) async throws -> TransportResponse {
        let (data, isCut) = try await response.body.channel.collect(limit: settings.transportOptions.bodyLimit)
        return try limited(TransportResponse(head: response.head, body: .whole(data, isCut: isCut)), request)
    }

    /// Applies the body limit to a response with a complete body if the transport did not.
    private func limited(_ response: TransportResponse, _ request: URLRequest) throws -> TransportResponse {
        let (body, limit) = (response.body, settings.transportOptions.bodyLimit)
        guard body.data.count > max(0, limit) || body.isCut else { return response }
        // A redirect that is not followed is the response of the call: if its status is accepted, the limit applies to
        // its body.
        guard !settings.acceptedStatuses.contains(response.head.status) else {
            throw TransportError(bodyOver: settings.transportOptions, request: request)
        }
        return TransportResponse(head: response.head, body: .whole(Data(body.data.prefix(max(0, limit))), isCut: true))
    }

    /// Returns the number of seconds until the time limit, and throws if it has passed; nil if there is no limit.
    func remaining(of limit: TimeLimit?, _ request: URLRequest) throws -> Double? {
        guard let limit else { return nil }
        let seconds = limit.remaining
        guard seconds > 0 else { throw TransportError(passed: limit.passed, request: request) }
        return seconds
    }
}
