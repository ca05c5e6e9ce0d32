/// One stored response.
struct CachedResponse: Sendable {
    let status: Int
    /// The fields as they were received, without those of the connection.
    let fields: ResponseFields
    /// Whether the body had a content coding that was decoded.
    let isDecoded: Bool
    let body: Data
    let control: CacheControl
    let freshness: Freshness
    /// The fields of the request that selected the response.
    private var selectors: [CacheSelector]
    /// The digest of the other fields of the request, and whether they matter: a response that is private, or to a
    /// request with a credential, may depend on fields that `Vary` does not name.
    private var others: SecretDigest?
    private var comparesOthers: Bool
    /// Whether a cache may keep the response, and a later request could use it (RFC 9111 §3).
    let isStorable: Bool
    /// Whose credentials the request had.
    let owner: CachePartition
    /// Whether requests of every partition may use it: a response that the server calls public, that sets no cookie,
    /// and that varies by no credential.
    private(set) var isForAll: Bool
    /// The validators as they were received (RFC 9110 §8.8).
    let etag: String?
    let lastModified: String?
    /// The number of bytes of body and fields.
    let size: Int

    var hasValidator: Bool { etag != nil || lastModified != nil }

    /// Returns whether a request selects the response by the fields of `Vary` (RFC 9111 §4.1).
    func isSelected(by request: CacheRequest) -> Bool { selectors.allSatisfy { $0.matches(request) } }

    private var isApart: Bool { comparesOthers && !isForAll }

    /// Returns whether a request may have the response: one whose other fields are the same, if that matters.
    func isFor(_ request: CacheRequest) -> Bool { !isApart || others == request.others }

    /// Returns whether a request is like the one that got the response, and so may have it stale, too.
    func isOwn(of asked: CacheRequest) -> Bool {
        owner == asked.partition && (!comparesOthers || others == asked.others)
    }

    /// Returns whether another response serves the same requests.
    func isVariant(of other: Self) -> Bool {
        selectors == other.selectors && isApart == other.isApart && (!isApart || others == other.others)
    }

    /// Returns the response for the requests that another one serves.
    func selected(as other: Self) -> Self {
        var copy = self
        (copy.selectors, copy.comparesOthers, copy.others) = (other.selectors, other.comparesOthers, other.others)
        return copy
    }

    /// Returns whether the entity tags are equal by the weak comparison (RFC 9110 §8.8.3.2).
    func hasTag(_ tag: String) -> Bool {
        guard let etag else { return false }
        guard let own = try? EntityTag(parsing: etag), let other = try? EntityTag(parsing: tag) else {
            return etag == tag
        }
        return own.weaklyMatches(other)
    }

    /// Creates the stored form of a response to GET.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - isDecoded: Whether the body had a content coding.
    ///   - fields: The fields as they were received.
    ///   - body: The body, after content decoding.
    ///   - request: The request.
    ///   - sent: When the request was sent.
    ///   - received: When the response was received.
    init(
        status: Int,
        isDecoded: Bool,
        fields: ResponseFields,
        body: Data,
        to request: CacheRequest,
        sent: Moment,
        received: Moment
    ) {
        var known = CacheFields(fields)
        var stored = fields.storable(known, withCookies: !request.sharesCookies)
        if known.date == nil, let text = HTTPDate.text(of: received.date) {
            // RFC 9110 §6.6.1.
            stored = ResponseFields(stored + [ResponseFields.Field(name: "Date", value: text)])
            known.date = text
        }
        let control = CacheControl(known.control)
        let isCacheable = Self.heuristicStatuses.contains(status)
        let mayEstimate = (isCacheable || control.isPublic) && !request.hasQuery && request.partition.isAnonymous
        freshness = Freshness(known, control, mayEstimate: mayEstimate, sent: sent, received: received)
        (self.status, self.isDecoded, self.fields, self.body, self.control) = (status, isDecoded, stored, body, control)
        (owner, etag, lastModified) = (request.partition, known.etag, known.lastModified)
        let length = stored.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        size = body.count + length + request.key.utf8.count + Self.overhead
        let selectors = CacheSelector.selectors(known.vary, in: request)
        self.selectors = selectors ?? []
        let isPublic = control.isPublic && !control.isPrivate && !control.noCache && !control.mustRevalidate
        // What varies by a credential is one person's, whatever the server calls it.
        isForAll = isPublic && !known.setsCookie && !self.selectors.contains { SensitiveNames.contains($0.name) }
        comparesOthers = control.isPrivate || !request.partition.isAnonymous
        others = comparesOthers ? request.others : nil
        let isAllowed =
            !request.control.noStore && status >= 200 && !Self.unstorable.contains(status)
            && !request.refusals.contains(HTTPStatus(rawValue: status)) && (!control.noStore || control.mustUnderstand)
            && (!control.mustUnderstand || isCacheable)
        let isStated = control.maxAge != nil || control.isPublic || control.isPrivate || !known.expires.isEmpty
        let mayBeStale = control.staleWhileRevalidate ?? 0 > 0 || control.staleIfError ?? 0 > 0
        let isUseful = freshness.lifetime > 0 || known.hasValidator || mayBeStale || request.keepsForErrors
        isStorable = isAllowed && (isStated || isCacheable) && selectors != nil && isUseful
    }

    /// The statuses whose responses may be stored although the server states no lifetime (RFC 9110 §15.1), except 206.
    private static let heuristicStatuses: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// Parts, confirmations and refusals.
    private static let unstorable: Set<Int> = [206, 304, 401, 407]

    /// The approximate number of bytes that an entry takes besides its texts.
    private static let overhead = 512
}

/// How a stored response may be reused for a request (RFC 9111 §4).
enum CacheReuse: Sendable {
    case fresh
    /// Not fresh any more, which the request allows.
    case stale
    /// Not fresh any more, which the server allows while the response is validated (RFC 5861 §3).
    case staleWhileRevalidating
    /// Only after the server has confirmed it.
    case none
}

extension CachedResponse {
    /// Returns how the response may be reused for a request that selects it.
    ///
    /// A response that is not fresh is used only for requests with the credentials for which it was sent.
    func reuse(for request: CacheRequest, at now: Moment) -> CacheReuse {
        let asked = request.control
        guard !control.noCache, !asked.noCache else { return .none }
        let (age, lifetime) = (freshness.age(at: now), freshness.lifetime)
        let isFresh = age < lifetime
        if let maxAge = asked.maxAge {
            // RFC 8246 §2: a reload, which asks for the age 0, doesn't validate what never changes.
            let isReload = maxAge == 0 && !(control.isImmutable && isFresh)
            if isReload || maxAge > 0 && age > maxAge { return .none }
        }
        if let minFresh = asked.minFresh, lifetime - age < minFresh { return .none }
        guard !isFresh else { return .fresh }
        guard !control.mustRevalidate, isOwn(of: request) else { return .none }
        if let maxStale = asked.maxStale, age - lifetime <= maxStale { return .stale }
        // A request with a `max-age` accepts a stale response only with a `max-stale` (§5.2.1.1).
        guard asked.maxAge == nil, !asked.noStore, let window = control.staleWhileRevalidate, age - lifetime < window
        else { return .none }
        return .staleWhileRevalidating
    }

    /// Returns whether the response may be used instead of an error (RFC 5861 §4), for `seconds` if the server states
    /// no time; nil for none.
    func isUsableOnError(for request: CacheRequest, _ seconds: TimeInterval?, at now: Moment) -> Bool {
        let asked = request.control
        guard !control.noCache, !control.mustRevalidate, isOwn(of: request), status < 500 else { return false }
        guard !asked.noCache, asked.maxAge == nil, asked.minFresh == nil else { return false }
        let stated = [control.staleIfError, asked.staleIfError].compactMap { $0 }.max()
        let age = freshness.age(at: now)
        guard let limit = stated ?? seconds, age < .infinity else { return false }
        return age - freshness.lifetime <= limit
    }

    /// Returns the response with the fields of one that confirms it, such as a 304 (§3.2, §4.3.4).
    ///
    /// The fields that describe the body stay unchanged, and the age is counted anew. A response of one person stays
    /// that person's.
    func freshened(
        by newer: ResponseFields,
        to request: CacheRequest,
        sent: Moment,
        received: Moment
    ) -> CachedResponse {
        var response = CachedResponse(
            status: status,
            isDecoded: isDecoded,
            fields: mergedFields(with: newer),
            body: body,
            to: request,
            sent: sent,
            received: received
        )
        response.isForAll = response.isForAll && isForAll
        if isApart { (response.comparesOthers, response.others) = (true, others) }
        return response
    }

    private func mergedFields(with newer: ResponseFields) -> ResponseFields {
        let newer = newer.storable(CacheFields(newer)).filter { field in
            !Self.ofBody.contains { HeaderField.isSameName($0, field.name) }
        }
        let replaced = newer.map(\.name) + ["Age", "Date"]
        let kept = fields.filter { field in !replaced.contains { HeaderField.isSameName($0, field.name) } }
        return ResponseFields(kept + newer)
    }

    /// An entity tag is among them, since a 304 may have the strong form of a weak one.
    private static let ofBody = ["Content-Length", "Content-Encoding", "Content-Range", "ETag"]

    /// Returns whether a response to HEAD describes this one: false if a validator or the length differs (§4.3.5), nil
    /// if the head has no validator, and so proves nothing.
    func isDescribed(by head: ResponseFields) -> Bool? {
        func isSame(_ name: String, _ value: String?) -> Bool? {
            guard let value, let other = head.values(named: name).first else { return nil }
            return value == other
        }
        let validators = [isSame("ETag", etag), isSame("Last-Modified", lastModified)]
        let all = validators + [isSame("Content-Length", isDecoded ? nil : String(body.count))]
        if all.contains(false) { return false }
        return validators.contains(true) ? true : nil
    }
}

extension ResponseFields {
    /// Returns the fields without those of the connection and of proxies (RFC 9111 §3.1), and perhaps without cookies.
    fileprivate func storable(_ known: CacheFields, withCookies: Bool = true) -> ResponseFields {
        let dropsCookies = known.setsCookie && !withCookies
        guard known.hasFieldsOfConnection || dropsCookies else { return self }
        // Fields that a cache needs are kept even if `Connection` names them (RFC 9110 §7.6.1 forbids that).
        let listed = values(named: "Connection").flatMap { $0.split(separator: ",") }
            .map { String(decoding: ASCII.trimmed($0.utf8), as: UTF8.self) }
            .filter { name in !Self.ofCaches.contains { HeaderField.isSameName($0, name) } }
        let dropped = dropsCookies ? listed + ["Set-Cookie"] : listed
        return ResponseFields(
            filter { field in
                !Self.isOfConnection(field) && !dropped.contains { HeaderField.isSameName($0, field.name) }
            }
        )
    }

    fileprivate static func isOfConnection(_ field: Field) -> Bool {
        // The first letter rules out most other fields.
        guard let first = field.name.utf8.first, initials.contains(ASCII.lowercased(first)) else { return false }
        return ofConnection.contains { HeaderField.isSameName($0, field.name) }
    }

    private static let ofCaches = [
        "Cache-Control", "Vary", "Expires", "Date", "Age", "ETag", "Last-Modified", "Set-Cookie",
    ]
    private static let initials = Array("ckptu".utf8)
    private static let ofConnection = [
        "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
        "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
    ]

    /// Returns the fields with another age in seconds.
    func aged(_ seconds: Double) -> ResponseFields {
        // An age that is not known is the largest one (RFC 9111 §1.2.2).
        let age = Int64(Swift.min(Swift.max(0, seconds), CacheControl.longestTime))
        let others = filter { !HeaderField.isSameName($0.name, "Age") }
        return ResponseFields(others + [Field(name: "Age", value: "\(age)")])
    }
}

/// The fields of a response by which a cache decides, found in one pass.
struct CacheFields: Sendable {
    private(set) var control: [String] = []
    private(set) var vary: [String] = []
    private(set) var expires: [String] = []
    var date: String?
    private(set) var age: String?
    private(set) var etag: String?
    private(set) var lastModified: String?
    private(set) var setsCookie = false
    /// Whether there are fields of the connection or of proxies, which are not stored.
    private(set) var hasFieldsOfConnection = false

    var hasValidator: Bool { etag != nil || lastModified != nil }

    /// Finds all lines of fields that may be lists or must be one, and of others the first.
    init(_ fields: ResponseFields) {
        for field in fields {
            func isNamed(_ name: String) -> Bool { HeaderField.isSameName(field.name, name) }
            switch field.name.utf8.count {
            case 3 where age == nil && isNamed("Age"): age = field.value
            case 4 where date == nil && isNamed("Date"): date = field.value
            case 4 where etag == nil && isNamed("ETag"): etag = field.value
            case 4 where isNamed("Vary"): vary.append(field.value)
            case 7 where isNamed("Expires"): expires.append(field.value)
            case 10 where isNamed("Set-Cookie"): setsCookie = true
            case 13 where isNamed("Cache-Control"): control.append(field.value)
            case 13 where lastModified == nil && isNamed("Last-Modified"): lastModified = field.value
            default: if ResponseFields.isOfConnection(field) { hasFieldsOfConnection = true }
            }
        }
    }
}
