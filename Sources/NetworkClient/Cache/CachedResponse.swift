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
    var selectors: [CacheSelector]
    /// Whether a cache may keep the response, and a later request could use it (RFC 9111 §3).
    let isStorable: Bool
    /// Whose credentials the request had.
    let owner: CachePartition
    /// The validators as they were received (RFC 9110 §8.8).
    let etag: String?
    let lastModified: String?
    /// The number of bytes of body and fields.
    let size: Int

    var hasValidator: Bool { etag != nil || lastModified != nil }

    /// Whether requests of every partition may use it: a response for everybody, that sets no cookie.
    var isForAll: Bool {
        control.isPublic && !control.isPrivate && !control.noCache && !control.mustRevalidate
            && fields["Set-Cookie"] == nil
    }

    /// Whether the entity tags are equal by the weak comparison (RFC 9110 §8.8.3.2).
    func hasTag(_ tag: String) -> Bool { etag.map { Self.opaque($0) == Self.opaque(tag) } ?? false }

    static func isWeak(_ tag: String) -> Bool { tag.hasPrefix("W/") }

    private static func opaque(_ tag: String) -> Substring { isWeak(tag) ? tag.dropFirst(2) : tag[...] }
}

/// How a stored response may be used for a request (RFC 9111 §4).
enum CacheUse: Sendable {
    case fresh
    /// Not fresh any more, which the request allows.
    case stale
    /// Not fresh any more, which the server allows while the response is validated (RFC 5861 §3).
    case staleWhileRevalidating
    /// Only after the server has confirmed it.
    case none
}

extension CachedResponse {
    /// Returns how the response may be used for a request that selects it.
    ///
    /// A response that is not fresh is used only for requests with the credentials for which it was sent.
    func use(for request: CacheRequest, at now: CacheMoment) -> CacheUse {
        let asked = request.control
        guard !control.noCache, !asked.noCache else { return .none }
        let (age, lifetime) = (freshness.age(at: now), freshness.lifetime)
        let isFresh = age < lifetime
        if let maxAge = asked.maxAge, !(control.isImmutable && isFresh), maxAge == 0 || age > Double(maxAge) {
            return .none
        }
        if let minFresh = asked.minFresh, lifetime - age < Double(minFresh) { return .none }
        guard !isFresh else { return .fresh }
        guard !control.mustRevalidate, owner == request.partition else { return .none }
        let staleness = age - lifetime
        if let maxStale = asked.maxStale, maxStale == .max || staleness <= Double(maxStale) { return .stale }
        if let window = control.staleWhileRevalidate, staleness < Double(window) { return .staleWhileRevalidating }
        return .none
    }

    /// Returns whether the response may be used instead of an error (RFC 5861 §4), for `seconds` if the server states
    /// no time; nil for none.
    func isUsableOnError(for request: CacheRequest, _ seconds: TimeInterval?, at now: CacheMoment) -> Bool {
        let asked = request.control
        guard !control.noCache, !control.mustRevalidate, owner == request.partition, status < 500 else { return false }
        guard !asked.noCache, asked.maxAge == nil, asked.minFresh == nil else { return false }
        let stated = [control.staleIfError, asked.staleIfError].compactMap { $0.map(Double.init) }.max()
        guard let limit = stated ?? seconds else { return false }
        return freshness.age(at: now) - freshness.lifetime <= limit
    }

    /// Creates the stored form of a response to GET.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - isDecoded: Whether the body had a content coding.
    ///   - fields: The fields without those of the connection.
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
        sent: CacheMoment,
        received: CacheMoment
    ) {
        let fields = Self.dated(fields, received.date)
        let control = CacheControl(fields.values(named: "Cache-Control"))
        let isCacheable = Self.heuristicStatuses.contains(status)
        (self.status, self.isDecoded, self.fields, self.body, self.control) = (status, isDecoded, fields, body, control)
        freshness = Freshness(
            fields,
            control,
            mayEstimate: (isCacheable || control.isPublic) && !request.hasQuery && request.partition == .anonymous,
            sent: sent,
            received: received
        )
        owner = request.partition
        (etag, lastModified) = (fields.values(named: "ETag").first, fields.values(named: "Last-Modified").first)
        let length = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        size = body.count + length + request.key.utf8.count + Self.overhead
        let selectors = CacheSelector.selectors(fields.values(named: "Vary"), in: request)
        self.selectors = selectors ?? []
        let isAllowed =
            !request.control.noStore && !Self.unstorable.contains(status) && !request.refusals.contains(status)
            && (!control.noStore || control.mustUnderstand) && (!control.mustUnderstand || isCacheable)
        let isStated = control.maxAge != nil || control.isPublic || control.isPrivate || fields["Expires"] != nil
        let mayBeStale = (control.staleWhileRevalidate ?? 0) + (control.staleIfError ?? 0) > 0
        let isUseful = freshness.lifetime > 0 || etag != nil || lastModified != nil || mayBeStale
        isStorable = isAllowed && (isStated || isCacheable) && selectors != nil && isUseful
    }

    /// Returns the response with the fields of one that confirms it, such as a 304 (§3.2, §4.3.4).
    ///
    /// The fields that describe the body stay as they are, and the age is counted anew.
    func freshened(
        by head: ResponseHead,
        to request: CacheRequest,
        sent: CacheMoment,
        received: CacheMoment
    ) -> CachedResponse {
        CachedResponse(
            status: status,
            isDecoded: isDecoded,
            fields: mergedFields(with: head.fields),
            body: body,
            to: request,
            sent: sent,
            received: received
        )
    }

    private func mergedFields(with newer: ResponseFields) -> ResponseFields {
        let newer = newer.storable.filter { field in
            !Self.ofBody.contains { HeaderField.isSameName($0, field.name) }
        }
        let replaced = newer.map(\.name) + ["Age", "Date"]
        let kept = fields.filter { field in !replaced.contains { HeaderField.isSameName($0, field.name) } }
        return ResponseFields(kept + newer)
    }

    /// Returns whether a response to HEAD describes this one: false if a validator or the length differs, nil if the
    /// head has no validator (§4.3.5).
    func isDescribed(by head: ResponseHead) -> Bool? {
        func isSame(_ name: String, _ value: String?) -> Bool? {
            guard let value, let other = head.fields.values(named: name).first else { return nil }
            return value == other
        }
        let validators = [isSame("ETag", etag), isSame("Last-Modified", lastModified)]
        let all = validators + [isSame("Content-Length", isDecoded ? nil : String(body.count))]
        if head.status != status || all.contains(false) { return false }
        return validators.contains(true) ? true : nil
    }

    /// Adds the time at which a response was received if it has no date (RFC 9110 §6.6.1).
    private static func dated(_ fields: ResponseFields, _ received: Date) -> ResponseFields {
        guard fields.values(named: "Date").isEmpty, let text = HTTPDate.text(of: received) else { return fields }
        return ResponseFields(fields + [ResponseFields.Field(name: "Date", value: text)])
    }

    /// The statuses whose responses may be stored although the server states no lifetime (RFC 9110 §15.1), except 206.
    static let heuristicStatuses: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// Parts, confirmations and refusals.
    private static let unstorable: Set<Int> = [206, 304, 401, 407]

    private static let ofBody = ["Content-Length", "Content-Encoding", "Content-Range"]

    /// The approximate number of bytes that an entry takes besides its texts.
    private static let overhead = 512
}

extension ResponseFields {
    /// The fields without those of the connection and of proxies (RFC 9111 §3.1).
    var storable: ResponseFields {
        let listed = values(named: "Connection").flatMap { $0.split(separator: ",") }
            .map { String(decoding: ASCII.trimmed($0.utf8), as: UTF8.self) }
        let names = Self.ofConnection + listed
        return ResponseFields(
            filter { field in !names.contains { HeaderField.isSameName($0, field.name) } }
        )
    }

    private static let ofConnection = [
        "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
        "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
    ]

    /// Returns the fields with another age in seconds.
    func aged(_ seconds: Double) -> ResponseFields {
        // An age that is not known is the largest one (RFC 9111 §1.2.2).
        let age = Int(Swift.min(Swift.max(0, seconds), Double(CacheControl.longestTime)))
        let others = filter { !HeaderField.isSameName($0.name, "Age") }
        return ResponseFields(others + [Field(name: "Age", value: "\(age)")])
    }
}
