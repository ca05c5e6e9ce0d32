/// Supplies the credential for each hop of a call, and replaces one that the server refuses.
///
/// An interceptor adds it to the context of the steps inside it. The chain uses it below the redirects, where the URL
/// and the response of each hop are known. So if only the target of a redirect refuses the credential, the request that
/// was redirected is not sent again.
protocol HopAuthenticator: Sendable {
    /// Returns the credential for a request; nil for a request that is sent without one.
    nonisolated(nonsending) func credential(
        for request: URLRequest,
        in context: RequestContext
    ) async throws -> HopCredential?

    /// Returns the credential with which a request is sent again after a response that refuses the first one; nil if
    /// the refusal stands.
    nonisolated(nonsending) func credential(
        insteadOf refused: HopCredential,
        for request: URLRequest,
        after response: NetworkClient.ChainResult,
        in context: RequestContext
    ) async throws -> HopCredential?
}

/// A credential on one hop.
struct HopCredential: Sendable {
    let field: HeaderField
    /// The statuses with which servers refuse it.
    let refusals: Set<Int>
    /// The authenticator's own data about it.
    let token: (any Sendable)?
    /// Whose credential it is; nil if only its value tells.
    let person: CachePartition.Person?
    let authenticator: any HopAuthenticator
    /// Whether it replaces a refused credential; each authenticator replaces its credential once for each hop.
    var isReplacement = false
}

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

    /// Sends the request of a hop, and once more for each credential that the server refuses and that is replaced.
    nonisolated(nonsending) func send(
        _ hop: inout Hop,
        _ attempt: CallAttempt,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        while true {
            let options = try options(of: hop, attempt, context)
            var (request, visit): (_, CacheVisit?) = (dressed(hop), nil)
            if let cache = settings.cache {
                switch try cached(in: cache, request, hop, attempt) {
                case .hit(let hit)?: return try supplied(hit, hop, attempt, context)
                case .visit(let begun)?: (visit, request) = (begun, begun.request)
                case nil: break
                }
            }
            let recorded = record.hop(&request, context.exchangeObservers)
            countPerformed(1, hasCredential: !hop.credentials.isEmpty)
            var response: TransportResponse
            do {
                response = try await transport.send(request, options: options)
            } catch {
                if (error as? TransportError)?.showsThatNothingWasSent == true { countPerformed(-1) }
                recorded?.failed(error, isOverdue: context.isOverdue)
                guard let hit = visit?.failed(error) else { throw error }
                return try supplied(hit, hop, attempt, context)
            }
            response = noted(response, recorded, hop)
            if let visit {
                guard let known = try received(visit, response, &hop, attempt, context) else { continue }
                response = known
            }
            guard hop.credentials.contains(where: { $0.refusals.contains(response.head.status) }) else {
                return response
            }
            countPerformed(-1)
            response = try await beginning(of: response)
            guard try await replaceCredential(of: &hop, after: response, context) else { return response }
            try beginAgain(insteadOf: response)
        }
    }

    /// Begins another attempt of a hop.
    private func beginAgain(insteadOf response: TransportResponse) throws {
        if response.body.isStreamed { response.body.channel.cancel() }
        try CallScope.checkCancellation()
        withState { $0.rewind() }
        _ = record.attempt(at: record.time.now)
    }

    /// Returns the limits of one exchange.
    private func options(
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
    private func countPerformed(_ change: Int, hasCredential: Bool? = nil) {
        guard !interceptors.isEmpty else { return }
        withState { state in
            state.performed += change
            state.hasCredential = hasCredential ?? state.hasCredential
        }
    }

    /// Replaces the innermost credential that a response refuses; returns false if the refusal stands.
    private nonisolated(nonsending) func replaceCredential(
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
    private nonisolated(nonsending) func beginning(of response: TransportResponse) async throws -> TransportResponse {
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
