/// One request that the server gets although there is a cache, from its departure to its response or failure.
///
/// Every visit ends with one call of ``received(_:at:)`` or ``failed(_:at:)``.
final class CacheVisit: Sendable {
    /// What the cache does with the response.
    enum Purpose {
        /// Stores it.
        case get
        /// Compares it with what is stored (RFC 9111 §4.3.5).
        case head
        /// Passes it on; a 304 to the caller's own condition confirms what is stored.
        case condition
        /// Removes what is stored (RFC 9111 §4.4).
        case change
    }

    /// What happens after the response.
    enum Outcome {
        case response(TransportResponse)
        case hit(CacheHit)
        /// The request is sent once more without conditions, since the 304 confirms no stored response.
        case sendAgain
    }

    let cache: ResponseCache
    let purpose: Purpose
    let asked: CacheRequest
    /// The request as it is sent, perhaps with conditions.
    let request: URLRequest
    let sent: CacheMoment
    /// The stored response that the request selects; nil if there is none.
    private let selected: CachedResponses.Match?
    /// The stored responses whose validators are sent.
    private let validated: [CachedResponses.Match]
    /// The number of the request in flight; nil if its response is not stored.
    private let flight: UInt64?
    private let isInBackground: Bool

    init(
        _ purpose: Purpose,
        _ asked: CacheRequest,
        in cache: ResponseCache,
        at now: CacheMoment,
        selected: CachedResponses.Match? = nil,
        validating validated: [CachedResponses.Match] = [],
        isInBackground: Bool = false
    ) {
        (self.purpose, self.asked, self.cache, sent) = (purpose, asked, cache, now)
        (self.selected, self.validated, self.isInBackground) = (selected, validated, isInBackground)
        request = asked.request.asking(about: validated.map(\.response))
        let mayStore = purpose == .get && !asked.control.noStore
        flight = mayStore ? cache.withResponses { $0.depart(asked.key) } : nil
    }

    // MARK: - The end

    /// Ends the visit with a response.
    ///
    /// `clock` is the time of the client's clock.
    func received(_ response: TransportResponse, at clock: Double) -> Outcome {
        let now = cache.moment(at: clock)
        switch purpose {
        case .get: return receivedGet(response, at: now)
        case .head: compare(response.head, at: now)
        case .condition: confirm(response.head, at: now)
        case .change:
            if 200..<400 ~= response.head.status { invalidate(response.head) }
            return .response(response)
        }
        if purpose == .head { cache.count { $0.misses += 1 } }
        response.head.cacheStatus = .network
        return .response(response)
    }

    /// Ends the visit without a response; returns what stands for it (RFC 5861 §4), or nil.
    func failed(_ error: any Error, at clock: Double) -> CacheHit? {
        _ = arrive(hasFailed: !(error is CancellationError))
        guard let failure = error as? TransportError, failure.isOfTheNetwork else { return nil }
        return hitOnError(at: cache.moment(at: clock))
    }

    /// Ends the request in flight; returns whether its response may be stored.
    private func arrive(hasFailed: Bool) -> Bool {
        cache.withResponses { responses in
            if isInBackground, let selected { responses.endRevalidation(selected.id, hasFailed: hasFailed) }
            return flight.map { responses.arrive($0, asked.key) } ?? false
        }
    }

    private func hitOnError(at now: CacheMoment) -> CacheHit? {
        guard purpose == .get, let selected,
            selected.response.isUsableOnError(for: asked, cache.staleIfError, at: now)
        else { return nil }
        cache.count { $0.hits += 1 }
        return hit(selected.response, .staleOnError, at: now)
    }

    private func hit(_ response: CachedResponse, _ status: CacheStatus, at now: CacheMoment) -> CacheHit? {
        guard let url = asked.request.url else { return nil }
        let age = response.freshness.age(at: now)
        return CacheHit(response: response, status: status, age: age, url: url, hasBody: true)
    }

    // MARK: - GET

    private func receivedGet(_ response: TransportResponse, at now: CacheMoment) -> Outcome {
        let head = response.head
        if head.status == 304, !validated.isEmpty {
            let match = confirmed(by: head)
            let mayStore = arrive(hasFailed: match == nil)
            return match.flatMap { freshen($0, head, mayStore, at: now) }.map { .hit($0) } ?? .sendAgain
        }
        let isError = [500, 502, 503, 504].contains(head.status)
        let mayStore = arrive(hasFailed: isError || asked.refusals.contains(head.status))
        if isError, let hit = hitOnError(at: now) {
            if response.body.isStreamed { response.body.channel.cancel() }
            return .hit(hit)
        }
        cache.count { $0.misses += 1 }
        let isComplete = !response.body.isStreamed && !response.body.isCut
        let stored = isComplete && mayStore ? stored(response, at: now) : nil
        cache.withResponses { responses in
            if let selected, stored?.isStorable == true || Self.replaces(head.status) {
                responses.remove([selected.id])
            }
            if let stored { responses.store(stored, for: asked) }
        }
        head.cacheStatus = .network
        return .response(response)
    }

    private func stored(_ response: TransportResponse, at now: CacheMoment) -> CachedResponse {
        CachedResponse(
            status: response.head.status,
            isDecoded: response.head.isDecoded,
            fields: response.head.fields.storable,
            body: response.body.data,
            to: asked,
            sent: sent,
            received: now
        )
    }

    /// Returns whether a response shows that an older one to the same request is outdated, even if it is not stored.
    private static func replaces(_ status: Int) -> Bool { 200..<400 ~= status || status == 404 || status == 410 }

    /// Returns the stored response that a 304 confirms (§4.3.4); nil if there is none.
    private func confirmed(by head: ResponseHead) -> CachedResponses.Match? {
        guard let tag = head.fields.values(named: "ETag").first else {
            guard let modified = head.fields.values(named: "Last-Modified").first else {
                // Many servers send no validator with a 304: it confirms the only response whose validators were sent.
                return validated.count == 1 ? validated.first : nil
            }
            return validated.first { $0.response.lastModified == modified }
        }
        guard !CachedResponse.isWeak(tag) else { return validated.first { $0.response.hasTag(tag) } }
        return validated.first { $0.response.etag == tag }
    }

    private func freshen(
        _ match: CachedResponses.Match,
        _ head: ResponseHead,
        _ mayStore: Bool,
        at now: CacheMoment
    ) -> CacheHit? {
        cache.count { $0.revalidations += 1 }
        let newer = match.response.freshened(by: head, to: asked, sent: sent, received: now)
        if mayStore {
            cache.withResponses { responses in
                responses.remove([match.id])
                if match.id != selected?.id {
                    // The server has chosen a variant for a request that did not select it so far.
                    var other = newer
                    other.selectors = match.response.selectors
                    responses.store(other, for: asked)
                }
                responses.store(newer, for: asked)
            }
        }
        return hit(newer, .revalidated, at: now)
    }

    // MARK: - Other methods

    /// Compares the head of a response to HEAD with the stored responses that the request selects.
    private func compare(_ head: ResponseHead, at now: CacheMoment) {
        guard head.status < 500, !asked.refusals.contains(head.status) else { return }
        for match in cache.withResponses({ $0.matches(asked).selected }) {
            switch match.response.isDescribed(by: head) {
            case true?: replace(match, by: head, at: now)
            case false?: cache.withResponses { $0.suspect(match.id) }
            case nil: break
            }
        }
    }

    private func replace(_ match: CachedResponses.Match, by head: ResponseHead, at now: CacheMoment) {
        let newer = match.response.freshened(by: head, to: asked, sent: sent, received: now)
        cache.withResponses { responses in
            responses.remove([match.id])
            responses.store(newer, for: asked)
        }
    }

    /// Confirms the stored responses with the strong entity tag of a 304 to a caller's own condition.
    private func confirm(_ head: ResponseHead, at now: CacheMoment) {
        guard head.status == 304, let tag = head.fields.values(named: "ETag").first, !CachedResponse.isWeak(tag) else {
            return
        }
        for match in cache.withResponses({ $0.matches(asked).selected }) where match.response.etag == tag {
            replace(match, by: head, at: now)
        }
    }

    /// Removes what is stored for the URL, and for the places of the same origin that the response names.
    private func invalidate(_ head: ResponseHead) {
        guard let url = asked.request.url else { return }
        let named = ["Location", "Content-Location"].flatMap { head.fields.values(named: $0) }
            .compactMap { URL(string: $0, relativeTo: url)?.absoluteURL }.filter { Origin(of: $0) == Origin(of: url) }
        let keys = [asked.key] + named.map { CacheRequest.key(of: $0).key }
        cache.withResponses { responses in
            for key in keys { responses.invalidate(key) }
        }
    }
}

extension URLRequest {
    /// Returns the request with the validators of stored responses (§4.3.1), and without the cache policy, which the
    /// cache has carried out.
    fileprivate func asking(about responses: [CachedResponse]) -> URLRequest {
        var request = self
        let tags = responses.compactMap(\.etag)
        request.add("If-None-Match", tags.isEmpty ? nil : tags.joined(separator: ", "))
        request.add("If-Modified-Since", responses.count == 1 ? responses.first?.lastModified : nil)
        if [.returnCacheDataElseLoad, .reloadRevalidatingCacheData].contains(cachePolicy) {
            request.cachePolicy = .useProtocolCachePolicy
        }
        return request
    }

    /// Adds a field, unless a server has sent a value that may not be sent back.
    private mutating func add(_ name: String, _ value: String?) {
        guard let value, let field = try? HeaderField(name: name, value: value) else { return }
        set(header: field)
    }
}

extension TransportError {
    /// Whether the network, or a server that did not respond, is the cause, and not a limit of the caller's.
    fileprivate var isOfTheNetwork: Bool {
        guard TransportError.Reason.temporary.contains(reason), localWait == nil else { return false }
        if case .total? = passedLimit { return false }
        return true
    }
}
