/// What a cache does with a request.
enum CacheDecision {
    /// It responds.
    case hit(CacheHit)
    /// The server responds, and the cache gets the response too.
    case visit(CacheVisit)
}

/// A response from the cache for one request.
struct CacheHit: Sendable {
    let response: CachedResponse
    let status: CacheStatus
    /// Seconds.
    let age: Double
    /// The request that validates the response in the background; nil for none.
    var revalidation: CacheVisit?
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
        let purpose = purpose(of: asked, isWhole: isWhole)
        let maySend = policy != .returnCacheDataDontLoad && !asked.control.onlyIfCached
        guard let purpose, purpose != .change else {
            guard maySend else { throw Self.missing(asked.request) }
            return purpose.map { .visit(CacheVisit($0, asked, .init(), in: self, at: now)) }
        }
        let isRead = policy != .reloadIgnoringLocalCacheData && policy != .reloadIgnoringLocalAndRemoteCacheData
        let beginning = withResponses { responses in
            responses.begin(asked, maySend: maySend) { response, isSuspect in
                guard isRead, purpose != .condition else { return .none }
                let use = response.use(asked, isSuspect: isSuspect, isRepeated: isRepeated, at: now)
                let loads = policy != .returnCacheDataElseLoad && policy != .returnCacheDataDontLoad
                return use == .fresh || purpose == .get || !loads ? use : .none
            }
        }
        if let hit = hit(beginning, asked, at: now) { return .hit(hit) }
        guard maySend else { throw Self.missing(asked.request) }
        return .visit(
            CacheVisit(
                purpose,
                asked,
                beginning,
                in: self,
                at: now,
                sendsConditions: sendsConditions && isRead,
                standsForErrors: isRead && policy != .reloadRevalidatingCacheData
            )
        )
    }

    /// Returns the stored response that a request gets; nil if the server has to be asked.
    private func hit(
        _ beginning: CachedResponses.Beginning,
        _ asked: CacheRequest,
        at now: Moment
    ) -> CacheHit? {
        guard beginning.use != .none, let response = beginning.selected.first?.response else { return nil }
        let status = beginning.use == .fresh ? CacheStatus.fresh : .stale
        var hit = CacheHit(response: response, status: status, age: response.freshness.age(at: now))
        if beginning.flight != nil {
            hit.revalidation = CacheVisit(
                .get,
                asked,
                beginning,
                in: self,
                at: now,
                sendsConditions: true,
                standsForErrors: true
            )
        }
        return hit
    }

    private func purpose(of asked: CacheRequest, isWhole: Bool) -> CacheVisit.Purpose? {
        switch asked.method {
        case .get where asked.isConditional: .condition
        case .get where isWhole: .get
        case .head where isWhole && !asked.isConditional: .head
        case .get, .head, .options, .trace, .query: nil
        default: .change
        }
    }

    private static func missing(_ request: URLRequest) -> TransportError {
        TransportError(.notInCache, request: request)
    }
}

extension CachedResponse {
    /// Returns how the response may be used, by the cache policy of the request and otherwise by the rules.
    fileprivate func use(
        _ asked: CacheRequest,
        isSuspect: Bool,
        isRepeated: Bool,
        at now: Moment
    ) -> CacheUse {
        let (policy, use) = (asked.request.cachePolicy, isSuspect ? .none : use(for: asked, at: now))
        if isRepeated, status >= 400, policy != .returnCacheDataDontLoad { return .none }
        switch policy {
        case .reloadRevalidatingCacheData: return .none
        case .returnCacheDataElseLoad, .returnCacheDataDontLoad:
            return use == .fresh ? .fresh : owner == asked.partition ? .stale : .none
        default: return use
        }
    }
}
