/// One request that is sent although there is a cache, from its departure to its response or failure.
///
/// It ends with one call of ``received(_:for:on:)``, ``failed(_:mayBePerformed:on:)`` or ``leave()``.
final class ForwardedRequest: Sendable {
    /// What the cache does with the response.
    enum Effect {
        /// Stores it (RFC 9111 §3).
        case stores
        /// Freshens what is stored with the response to a HEAD (RFC 9111 §4.3.5).
        case freshens
        /// Passes it on; a 304 to the caller's own condition confirms what is stored.
        case confirms
        /// Invalidates what is stored (RFC 9111 §4.4).
        case invalidates
    }

    /// What happens after the response.
    enum Outcome {
        case response(TransportResponse)
        case hit(CacheHit)
        /// The request is sent once more without conditions, since the 304 confirms no stored response.
        case sendAgain
    }

    /// The request as it is sent, perhaps with conditions.
    let request: URLRequest
    private let cache: ResponseCache
    private let effect: Effect
    private let asked: CacheRequest
    private let sent: Moment
    private let selection: CachedResponses.Selection
    /// The stored responses whose validators are sent.
    private let validated: [CachedResponses.Match]
    private let standsForErrors: Bool

    /// Creates a request that has begun.
    ///
    /// - Parameters:
    ///   - effect: What the cache does with the response.
    ///   - asked: The request.
    ///   - selection: What was stored for it.
    ///   - cache: The cache.
    ///   - now: When it is sent.
    ///   - sendsConditions: Whether the validators of stored responses are sent.
    ///   - standsForErrors: Whether a stored response may stand for an error.
    init(
        _ effect: Effect,
        _ asked: CacheRequest,
        _ selection: CachedResponses.Selection,
        in cache: ResponseCache,
        at now: Moment,
        sendsConditions: Bool = false,
        standsForErrors: Bool = false
    ) {
        (self.effect, self.asked, self.selection, self.cache, sent) = (effect, asked, selection, cache, now)
        self.standsForErrors = standsForErrors && effect == .stores
        let asks = sendsConditions && effect == .stores
        guard asks, let first = selection.selected.first else {
            // The newest ones.
            let tagged = asks ? selection.others.filter { $0.response.etag != nil }.suffix(Self.maxTags) : []
            validated = Array(tagged)
            request = asked.request.asking(tags: tagged.compactMap(\.response.etag), modified: nil)
            return
        }
        let tags = first.response.etag.map { [$0] } ?? []
        validated = first.response.hasValidator ? [first] : []
        request = asked.request.asking(tags: tags, modified: first.response.lastModified)
    }

    /// The statuses for which a stored response may stand (RFC 5861 §4).
    static let outages: Set<Int> = [500, 502, 503, 504]

    /// The maximum number of entity tags of variants that are sent in one condition.
    private static let maxTags = 4

    // MARK: - The end

    /// Ends with a response to a request of these persons.
    func received(_ response: TransportResponse, for persons: [SessionPerson], on time: any TimeSource) -> Outcome {
        let (head, now) = (response.head, Moment(time))
        if effect == .invalidates {
            if 200..<400 ~= head.status { invalidate(head) }
            return .response(response)
        }
        // The request has departed without a credential that was optional: nothing of it belongs to the person.
        guard persons == asked.partition.persons else {
            end(.nothing, hasFailed: true)
            return head.status == 304 ? .sendAgain : .response(response)
        }
        switch effect {
        case .stores: return receivedGet(response, at: now)
        case .freshens:
            end(comparison(with: head, at: now), counting: \.misses)
            head.cacheStatus = .network
        case .confirms: end(confirmation(by: head, at: now))
        case .invalidates: break
        }
        return .response(response)
    }

    /// Ends without a response; returns what stands for it (RFC 5861 §4), or nil.
    ///
    /// The stored responses are invalidated if the server may have performed a request that changes something.
    func failed(_ error: any Error, mayBePerformed: Bool, on time: any TimeSource) -> CacheHit? {
        if effect == .invalidates, mayBePerformed { invalidate() }
        let hit = (error as? any OutageError)?.isOutage == true ? hitOnError(error, at: Moment(time)) : nil
        end(.nothing, hasFailed: !(error is CancellationError), counting: hit == nil ? nil : \.hits)
        return hit
    }

    /// Ends without a response, since the request is sent in another form.
    func leave() { end(.nothing) }

    private func end(
        _ change: CachedResponses.Change,
        hasFailed: Bool = false,
        counting count: WritableKeyPath<ResponseCache.Statistics, Int>? = nil
    ) {
        cache.withResponses {
            $0.end(selection.flight, change, for: asked, hasFailed: hasFailed, counting: count)
        }
    }

    private func hitOnError(_ error: (any Error)?, at now: Moment) -> CacheHit? {
        guard standsForErrors, let response = selection.selected.first?.response,
            response.isUsableOnError(for: asked, cache.staleIfError, at: now)
        else { return nil }
        let age = response.freshness.age(at: now)
        return CacheHit(response: response, status: .staleOnError, age: age, covered: error)
    }

    // MARK: - GET

    private func receivedGet(_ response: TransportResponse, at now: Moment) -> Outcome {
        let head = response.head
        if head.status == 304, !validated.isEmpty {
            if response.body.isStreamed { response.body.channel.cancel() }
            guard let match = confirmed(by: head.fields) else {
                end(.nothing, hasFailed: true)
                return .sendAgain
            }
            return .hit(freshen(match, head, at: now))
        }
        if Self.outages.contains(head.status), let hit = hitOnError(nil, at: now) {
            if response.body.isStreamed { response.body.channel.cancel() }
            end(.nothing, hasFailed: true, counting: \.hits)
            return .hit(hit)
        }
        let isComplete = !response.body.isStreamed && !response.body.isCut
        let stored = isComplete && selection.flight != nil ? stored(response, at: now) : nil
        let isStored = stored?.isStorable == true
        let replaced = isStored || Self.replaces(head.status) ? selection.selected.prefix(1).map(\.id) : []
        end(.received(stored, replacing: replaced), hasFailed: !isStored, counting: \.misses)
        head.cacheStatus = .network
        return .response(response)
    }

    private func stored(_ response: TransportResponse, at now: Moment) -> CachedResponse {
        CachedResponse(
            status: response.head.status,
            isDecoded: response.head.isDecoded,
            fields: response.head.fields,
            body: response.body.data,
            to: asked,
            sent: sent,
            received: now
        )
    }

    /// Returns whether a response shows that an older one to the same request is outdated, even if it is not stored.
    private static func replaces(_ status: Int) -> Bool {
        200..<400 ~= status && status != 206 && status != 304 || status == 404 || status == 410
    }

    /// Returns the stored response that a 304 confirms (§4.3.4); nil if the 304 confirms nothing.
    ///
    /// A variant that the request does not select is confirmed only by its entity tag. A 304 may have the strong form
    /// of a weak tag, as nginx sends it for a compressed response.
    private func confirmed(by fields: ResponseFields) -> CachedResponses.Match? {
        if let tag = fields.values(named: "ETag").first {
            return validated.first { $0.response.etag == tag } ?? validated.first { $0.response.hasTag(tag) }
        }
        guard let selected = selection.selected.first else { return nil }
        // Many servers send no validator with a 304.
        let modified = fields.values(named: "Last-Modified").first
        return modified == nil || modified == selected.response.lastModified ? selected : nil
    }

    private func freshen(_ match: CachedResponses.Match, _ head: ResponseHead, at now: Moment) -> CacheHit {
        let newer = match.response.freshened(by: head.fields, to: asked, sent: sent, received: now)
        var all = [newer]
        if match.id != selection.selected.first?.id {
            // The server has chosen a variant for a request that did not select it so far.
            all.insert(newer.selected(as: match.response), at: 0)
        }
        end(.confirmed(match.id, all), counting: \.revalidations)
        let age = newer.freshness.age(at: now)
        return CacheHit(response: newer, status: .revalidated, age: age, metrics: head.metrics)
    }

    // MARK: - Other methods

    /// Compares the head of a response with the stored response that the request selects.
    private func comparison(with head: ResponseHead, at now: Moment) -> CachedResponses.Change {
        guard let match = selection.selected.first else { return .nothing }
        guard head.status == match.response.status else {
            return [200, 404, 410].contains(head.status) ? .suspect(match.id) : .nothing
        }
        guard let isDescribed = match.response.isDescribed(by: head.fields) else { return .nothing }
        guard isDescribed else { return .suspect(match.id) }
        return .confirmed(
            match.id,
            [match.response.freshened(by: head.fields, to: asked, sent: sent, received: now)]
        )
    }

    /// Compares the head of a response to a caller's own condition: a 304 confirms the stored response that has its
    /// strong entity tag.
    private func confirmation(by head: ResponseHead, at now: Moment) -> CachedResponses.Change {
        guard head.status == 304 else { return head.status == 200 ? comparison(with: head, at: now) : .nothing }
        guard let tag = head.fields.values(named: "ETag").first, !tag.hasPrefix("W/"),
            let match = selection.selected.first(where: { $0.response.etag == tag })
        else { return .nothing }
        return .confirmed(
            match.id,
            [match.response.freshened(by: head.fields, to: asked, sent: sent, received: now)]
        )
    }

    /// Removes what is stored for the URL, and for the places of the same origin that the response names.
    private func invalidate(_ head: ResponseHead? = nil) {
        guard let url = asked.request.url else { return }
        let named = ["Location", "Content-Location"].flatMap { head?.fields.values(named: $0) ?? [] }
            .compactMap { URL(string: $0, relativeTo: url)?.absoluteURL }.filter { Origin(of: $0) == Origin(of: url) }
        let keys = [asked.key] + named.map { CacheRequest.key(of: $0).key }
        cache.withResponses { $0.invalidate(keys) }
    }
}

extension URLRequest {
    /// Returns the request with validators (§4.3.1), and without the cache policy that the cache has carried out.
    fileprivate func asking(tags: [String], modified: String?) -> URLRequest {
        var request = self
        request.add("If-None-Match", tags.isEmpty ? nil : tags.joined(separator: ", "))
        request.add("If-Modified-Since", modified)
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
