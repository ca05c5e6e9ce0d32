/// What a cache does with a request.
enum CacheDecision {
    /// It responds.
    case hit(CacheHit)
    /// The server responds, and the cache is told.
    case visit(CacheVisit)
}

/// A response from the cache for one request.
struct CacheHit: Sendable {
    let response: CachedResponse
    let status: CacheStatus
    /// Seconds.
    let age: Double
    let url: URL
    let hasBody: Bool
    /// The request that validates the response in the background; nil for none.
    var revalidation: CacheVisit?

    /// The response, whose head serves only one call.
    var transportResponse: TransportResponse {
        let head = ResponseHead(
            storedStatus: response.status,
            response.fields.aged(age),
            url: url,
            isDecoded: response.isDecoded,
            status
        )
        return TransportResponse(head: head, body: .whole(hasBody ? response.body : Data()))
    }
}

extension ResponseCache {
    /// Returns what happens with a request; nil if the cache has no part in it.
    ///
    /// - Parameters:
    ///   - asked: The request as it is sent.
    ///   - clock: The time of the client's clock.
    ///   - isWhole: Whether the response is received complete and decoded, and belongs to this call alone.
    ///   - isRepeated: Whether the request is an attempt after another one, which no stored error is for.
    ///   - sendsConditions: Whether the server may respond with a 304.
    /// - Returns: The decision.
    /// - Throws: ``TransportError/Reason/notInCache``.
    func decision(
        on asked: CacheRequest,
        at clock: Double,
        isWhole: Bool,
        isRepeated: Bool,
        sendsConditions: Bool
    ) throws -> CacheDecision? {
        let now = moment(at: clock)
        let policy = asked.request.cachePolicy
        let purpose = purpose(of: asked, isWhole: isWhole)
        guard purpose == .get || purpose == .head else {
            if policy == .returnCacheDataDontLoad { throw Self.missing(asked.request) }
            return purpose.map { .visit(CacheVisit($0, asked, in: self, at: now)) }
        }
        let (selected, others) = withResponses { responses in
            for person in asked.partition.persons { responses.meet(person) }
            return responses.matches(asked)
        }
        let isRead = policy != .reloadIgnoringLocalCacheData && policy != .reloadIgnoringLocalAndRemoteCacheData
        if isRead, let match = selected.first, let hit = hit(match, asked, isHead: purpose == .head, isRepeated, now) {
            withResponses { $0.use(match.id) }
            count { $0.hits += 1 }
            return .hit(hit)
        }
        guard policy != .returnCacheDataDontLoad, !asked.control.onlyIfCached else { throw Self.missing(asked.request) }
        guard purpose == .get else { return .visit(CacheVisit(.head, asked, in: self, at: now)) }
        let validated =
            selected.isEmpty
            ? others.filter { $0.response.etag != nil } : selected.prefix(1).filter(\.response.hasValidator)
        return .visit(
            CacheVisit(
                .get,
                asked,
                in: self,
                at: now,
                selected: selected.first,
                validating: isRead && sendsConditions ? Array(validated.prefix(Self.maxTags)) : []
            )
        )
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

    /// Returns the stored response as the response to a request; nil if the server has to be asked.
    private func hit(
        _ match: CachedResponses.Match,
        _ asked: CacheRequest,
        isHead: Bool,
        _ isRepeated: Bool,
        _ now: CacheMoment
    ) -> CacheHit? {
        let response = match.response
        let use = use(of: match, asked, isRepeated, now)
        guard use != .none, use == .fresh || !isHead, let url = asked.request.url else { return nil }
        var hit = CacheHit(
            response: response,
            status: use == .fresh ? .fresh : .stale,
            age: response.freshness.age(at: now),
            url: url,
            hasBody: !isHead
        )
        if use == .staleWhileRevalidating, withResponses({ $0.beginRevalidation(match.id) }) {
            hit.revalidation = CacheVisit(
                .get,
                asked,
                in: self,
                at: now,
                selected: match,
                validating: [match],
                isInBackground: true
            )
        }
        return hit
    }

    /// Returns how a stored response may be used, by the cache policy and otherwise by the rules.
    private func use(
        of match: CachedResponses.Match,
        _ asked: CacheRequest,
        _ isRepeated: Bool,
        _ now: CacheMoment
    ) -> CacheUse {
        let use = match.response.use(for: asked, at: now)
        switch asked.request.cachePolicy {
        case .reloadRevalidatingCacheData: return .none
        case .returnCacheDataElseLoad, .returnCacheDataDontLoad:
            let isOwn = match.response.owner == asked.partition
            return use == .fresh ? .fresh : isOwn ? .stale : .none
        default:
            let isSuspect = withResponses { $0.isSuspect(match.id) }
            return isSuspect || isRepeated && match.response.status >= 400 ? .none : use
        }
    }

    private static func missing(_ request: URLRequest) -> TransportError {
        TransportError(.notInCache, request: request)
    }

    /// The maximum number of entity tags of variants that are sent in one condition.
    private static let maxTags = 4
}
