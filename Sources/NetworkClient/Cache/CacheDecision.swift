/// What a cache does with a request.
enum CacheDecision {
    /// It responds.
    case hit(CacheHit)
    /// The server responds, and the cache gets the response too.
    case forward(ForwardedRequest)
}

/// A response from the cache for one request.
struct CacheHit: Sendable {
    let response: CachedResponse
    let status: CacheStatus
    /// Seconds.
    let age: Double
    /// The request that validates the response in the background; nil for none.
    var revalidation: ForwardedRequest?
    /// The failure in whose place the response stands; nil for none.
    var covered: (any Error)?
    /// The metrics of the exchange in which the server confirmed the response; nil if there was none.
    var metrics: TransportMetrics?

    /// Returns the response to a request, whose head serves only one call.
    func transportResponse(to request: URLRequest) -> TransportResponse? {
        guard let url = request.url else { return nil }
        let fields = response.fields.aged(age)
        let head = ResponseHead(
            storedStatus: response.status,
            fields,
            url: url,
            isDecoded: response.isDecoded,
            status,
            metrics
        )
        return TransportResponse(head: head, body: .whole(request.method == .head ? Data() : response.body))
    }
}

extension ResponseCache {
    /// Returns what happens with a request; nil if the cache has no part in it.
    ///
    /// - Parameters:
    ///   - asked: The request as it is sent.
    ///   - isWhole: Whether the caller waits for a complete and decoded body.
    ///   - isRepeated: Whether the request is an attempt after another one, which no stored error is for.
    ///   - sendsConditions: Whether the server may respond with a 304.
    ///   - time: The clock of the client.
    /// - Returns: The decision.
    /// - Throws: ``TransportError/Reason/notInCache``.
    func decision(
        on asked: CacheRequest,
        isWhole: Bool,
        isRepeated: Bool,
        sendsConditions: Bool,
        on time: any TimeSource
    ) throws -> CacheDecision? {
        let (now, policy) = (Moment(time), asked.request.cachePolicy)
        let effect = effect(of: asked, isWhole: isWhole)
        let maySend = policy != .returnCacheDataDontLoad && !asked.control.onlyIfCached
        guard let effect, effect != .invalidates else {
            guard maySend else { throw Self.missing(asked.request) }
            return effect.map { .forward(ForwardedRequest($0, asked, .init(), in: self, at: now)) }
        }
        let isRead = policy != .reloadIgnoringLocalCacheData && policy != .reloadIgnoringLocalAndRemoteCacheData
        let selection = withResponses { responses in
            responses.begin(asked, maySend: maySend) { response, isSuspect in
                guard isRead, effect != .confirms else { return .none }
                let reuse = response.reuse(asked, isSuspect: isSuspect, isRepeated: isRepeated, at: now)
                let loads = policy != .returnCacheDataElseLoad && policy != .returnCacheDataDontLoad
                return reuse == .fresh || effect == .stores || !loads ? reuse : .none
            }
        }
        if let hit = hit(selection, asked, at: now) { return .hit(hit) }
        guard maySend else { throw Self.missing(asked.request) }
        return .forward(
            ForwardedRequest(
                effect,
                asked,
                selection,
                in: self,
                at: now,
                sendsConditions: sendsConditions && isRead,
                standsForErrors: isRead && policy != .reloadRevalidatingCacheData
            )
        )
    }

    /// Returns the stored response that a request gets; nil if the server has to be asked.
    private func hit(
        _ selection: CachedResponses.Selection,
        _ asked: CacheRequest,
        at now: Moment
    ) -> CacheHit? {
        guard selection.reuse != .none, let response = selection.selected.first?.response else { return nil }
        let status = selection.reuse == .fresh ? CacheStatus.fresh : .stale
        var hit = CacheHit(response: response, status: status, age: response.freshness.age(at: now))
        if selection.flight != nil {
            hit.revalidation = ForwardedRequest(
                .stores,
                asked,
                selection,
                in: self,
                at: now,
                sendsConditions: true,
                standsForErrors: true
            )
        }
        return hit
    }

    private func effect(of asked: CacheRequest, isWhole: Bool) -> ForwardedRequest.Effect? {
        guard !asked.overridesMethod else { return .invalidates }
        return switch asked.method {
        case .get where asked.isConditional: .confirms
        case .get where isWhole: .stores
        case .head where isWhole && !asked.isConditional: .freshens
        case .get, .head, .options, .trace, .query: nil
        default: .invalidates
        }
    }

    private static func missing(_ request: URLRequest) -> TransportError {
        TransportError(.notInCache, request: request)
    }
}

extension CachedResponse {
    /// Returns how the response may be used, by the cache policy of the request and otherwise by the rules.
    fileprivate func reuse(
        _ asked: CacheRequest,
        isSuspect: Bool,
        isRepeated: Bool,
        at now: Moment
    ) -> CacheReuse {
        let (policy, reuse) = (asked.request.cachePolicy, isSuspect ? .none : reuse(for: asked, at: now))
        if isRepeated, status >= 400, policy != .returnCacheDataDontLoad { return .none }
        switch policy {
        case .reloadRevalidatingCacheData: return .none
        case .returnCacheDataElseLoad, .returnCacheDataDontLoad:
            return reuse == .fresh ? .fresh : isOwn(of: asked) ? .stale : .none
        default: return reuse
        }
    }
}
