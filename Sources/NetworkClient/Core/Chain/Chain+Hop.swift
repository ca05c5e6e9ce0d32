extension Chain {
    /// One request to the transport, before the cookies and the credentials for its URL are added to it.
    struct Hop {
        let request: URLRequest
        var credentials: [HopCredential] = []
        /// Whether a redirect has left the origin of the first hop; the hops after that have no credential.
        var hasLeft = false
        /// Whether a cache may add conditions; false after a 304 that was of no use.
        var sendsConditions = true
    }

    /// Returns the credentials for a request, in the order of their interceptors; the first one for a field is sent.
    nonisolated(nonsending) func credentials(
        for request: URLRequest,
        in context: RequestContext
    ) async throws -> [HopCredential] {
        var (credentials, request): ([HopCredential], URLRequest) = ([], request)
        let authenticators = context.authenticators
        for authenticator in authenticators {
            guard let credential = try await authenticator.credential(for: request, in: context) else { continue }
            credentials.append(credential)
            if authenticators.count > 1 { request.set(header: credential.field) }
        }
        return credentials
    }

    /// Returns the request of a hop as it is sent, with the cookies for its URL and its credentials.
    func dressed(_ hop: Hop) -> URLRequest {
        var request = settings.cookies?.adding(to: hop.request) ?? hop.request
        for credential in hop.credentials { request.set(header: credential.field) }
        return request
    }

    /// Begins another attempt of a hop.
    func beginAgain(insteadOf response: TransportResponse) throws {
        if response.body.isStreamed { response.body.channel.cancel() }
        try CallScope.checkCancellation()
        withState { $0.rewind() }
        _ = record.attempt(at: record.time.now)
    }

    /// Returns the limits of one exchange.
    func options(
        of hop: Hop,
        _ attempt: CallAttempt,
        _ context: RequestContext
    ) throws -> TransportOptions {
        var options = settings.transportOptions
        options.exchangeTimeout = try remaining(of: attempt.limit, hop.request)
        if settings.isTransfer { options.headTimeout = context.limitOfWaiting?.remaining }
        return options
    }

    /// Records a response of the server, and stores its cookies.
    func noted(_ response: TransportResponse, _ recorded: HopRecord?, _ hop: Hop) -> TransportResponse {
        let isRead = settings.givesBody(of: response.head)
        let response = recorded?.responded(response, isReadByTheCaller: isRead) ?? response
        settings.cookies?.receive(response, to: hop.request)
        return response
    }

    /// Counts a request that a server may have performed, or takes it back; only interceptors ask for the number.
    func countPerformed(_ change: Int, hasCredential: Bool? = nil) {
        guard !interceptors.isEmpty else { return }
        withState { state in
            state.performed += change
            state.hasCredential = hasCredential ?? state.hasCredential
        }
    }

    /// Replaces the innermost credential that a response refuses; returns false if the refusal stands.
    nonisolated(nonsending) func replaceCredential(
        of hop: inout Hop,
        after response: TransportResponse,
        _ context: RequestContext
    ) async throws -> Bool {
        let status = response.head.status
        let refused = hop.credentials.lastIndex { $0.refusals.contains(status) && !$0.isReplacement }
        guard let refused else { return false }
        record.responded(status)
        let credential = hop.credentials[refused]
        let newer = try await credential.authenticator.credential(
            insteadOf: credential,
            for: hop.request,
            after: (response.body.data, response.response),
            in: context
        )
        guard var newer else { return false }
        newer.isReplacement = true
        guard hop.request.canBeSentAgain else {
            let decision = "AuthenticationInterceptor: no second attempt, since the body can be read only once"
            context.record(.decision, decision)
            return false
        }
        context.record(.decision, "AuthenticationInterceptor: retries with the newer credential")
        hop.credentials[refused] = newer
        return true
    }

    /// Returns a refusing response with its body in memory.
    ///
    /// A streamed body would hold a connection that the refresh of the credential may need. If the call accepts the
    /// status, the body belongs to the caller and remains a stream.
    nonisolated(nonsending) func beginning(of response: TransportResponse) async throws -> TransportResponse {
        guard response.body.isStreamed, !settings.acceptedStatuses.contains(response.head.status) else {
            return response
        }
        let limit = min(Chain.errorLimit, settings.transportOptions.bodyLimit)
        let (data, isCut) = try await response.body.channel.beginning(limit: limit, on: record.time)
        return TransportResponse(head: response.head, body: .whole(data, isCut: isCut))
    }
}

extension BodyChannel {
    /// Returns the beginning of a body that no caller waits for: what arrives within one second, at most `limit` bytes.
    nonisolated(nonsending) func beginning(
        limit: Int,
        on time: any TimeSource
    ) async throws -> (data: Data, isCut: Bool) {
        try await prefix(limit: limit, until: TimeLimit(seconds: RedirectBodyLimit.seconds, on: time))
    }
}

extension URLRequest {
    /// Whether there is no body, or a body that can be read again.
    fileprivate var canBeSentAgain: Bool { httpBodyStream.map { $0 is BodyInputStream } ?? true }
}
