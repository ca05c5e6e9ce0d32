/// The properties that two requests must have in common to share an exchange.
///
/// Keys are compared by equality; a hash only finds candidates. Every waiting caller holds a key, so a key has only two
/// allocations: the body, which the request holds anyway, and one text of all other parts, each preceded by its length.
struct SharingKey: Hashable, Sendable {
    private let text: [UInt8]
    private let body: Data?

    /// The parts after the method and the URL, before the names and the values of the header fields.
    private static let settings = [
        "the timeout", "the cache policy", "the handling of cookies", "the access to cellular networks",
        "the redirect policy", "the body limit", "the custom hash",
    ]

    /// Creates the key of a request; nil for a request that is never shared, because its body is streamed.
    ///
    /// - Parameters:
    ///   - request: The request as it leaves the interceptors, without the opt-in.
    ///   - sent: The same request with the cookies of the store, whose header fields are compared.
    ///   - optIn: The opt-in of the request.
    ///   - redirects: The redirect policy of the call.
    ///   - bodyLimit: The body limit of the call.
    init?(
        of request: URLRequest,
        sentAs sent: URLRequest,
        _ optIn: SharingOptIn,
        redirects: RedirectPolicy,
        bodyLimit: Int
    ) {
        guard request.httpBodyStream == nil, let url = request.url else { return nil }
        body = request.httpBody
        var parts = [
            request.httpMethod ?? "GET", url.absoluteString,
            "\(request.timeoutInterval)", "\(request.cachePolicy.rawValue)",
            "\(request.httpShouldHandleCookies)", "\(request.allowsCellularAccess)", redirects.name, "\(bodyLimit)",
            optIn.customHash.map { "=\($0)" } ?? "",
        ]
        let fields = (sent.allHTTPHeaderFields ?? [:]).map { (name: $0.key.lowercased(), value: $0.value) }
        for field in fields.sorted(by: { $0.name < $1.name }) where !FieldRoles.isForTracing(field.name) {
            parts += [field.name, field.value]
        }
        let size = parts.reduce(0) { $0 + $1.utf8.count + 8 }
        var text: [UInt8] = []
        text.reserveCapacity(size)
        for part in parts {
            withUnsafeBytes(of: UInt64(part.utf8.count).littleEndian) { text.append(contentsOf: $0) }
            text.append(contentsOf: part.utf8)
        }
        self.text = text
    }

    /// Returns the names of the settings and, in lowercase, of the header fields in which two requests differ.
    ///
    /// - Returns: Nil for requests of another method, URL or body, and for equal ones.
    func differences(from other: SharingKey) -> [String]? {
        guard self != other, body == other.body, place == other.place else { return nil }
        let (parts, others) = (parts, other.parts)
        let count = Self.settings.count
        let settings = zip(Self.settings, zip(parts[2..<2 + count], others[2..<2 + count])).filter { $1.0 != $1.1 }
        let (fields, otherFields) = (Self.fields(parts[(2 + count)...]), Self.fields(others[(2 + count)...]))
        let names = Set(fields.keys).union(otherFields.keys).filter { fields[$0] != otherFields[$0] }
        return settings.map(\.0) + names.map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    private static func fields(_ parts: ArraySlice<ArraySlice<UInt8>>) -> [ArraySlice<UInt8>: ArraySlice<UInt8>] {
        let names = stride(from: parts.startIndex, to: parts.endIndex - 1, by: 2)
        return Dictionary(names.map { (parts[$0], parts[$0 + 1]) }) { first, _ in first }
    }

    /// The method and the URL.
    private var place: ArraySlice<UInt8> {
        let start = 8 + Self.length(at: text[...])
        return text[..<(start + 8 + Self.length(at: text[start...]))]
    }

    private static func length(at rest: ArraySlice<UInt8>) -> Int {
        rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private var parts: [ArraySlice<UInt8>] {
        var (parts, rest): ([ArraySlice<UInt8>], ArraySlice<UInt8>) = ([], text[...])
        while !rest.isEmpty {
            let length = Self.length(at: rest)
            parts.append(rest.dropFirst(8).prefix(length))
            rest = rest.dropFirst(8 + length)
        }
        return parts
    }
}

extension Chain {
    /// Returns the failure of a caller whose limit has passed while a shared exchange went on: if no request had
    /// departed by then, the exchange waited for its credential.
    func passed(_ limit: TimeLimit?, before performed: Int, _ request: URLRequest) -> TransportError {
        let hasDeparted = interceptors.isEmpty || withState { $0.performed } > performed
        return TransportError(passed: limit?.passed, waitingIn: hasDeparted ? nil : .credential, request: request)
    }

    /// Returns the stored response that stands for a failure outside the steps of a hop; nil for none.
    nonisolated(nonsending) func stored(
        insteadOf error: TransportError,
        _ hop: Hop
    ) async throws -> TransportResponse? {
        guard let cacheStep, hop.knowsCredentials else { return nil }
        var hop = Hop(hop.request, hop.attempt, hop.context)
        for step in steps[...cacheStep] {
            if let response = try await step.prepare(&hop, self) { return response }
        }
        return try steps[cacheStep].failed(error, &hop, self)
    }

    /// Returns the key for sharing, with the cookies and the persons or credentials of the first hop, so that a call in
    /// flight for one account is not shared with another account.
    nonisolated(nonsending) func sharingKey(
        _ hop: inout Hop,
        _ optIn: SharingOptIn
    ) async throws -> SharingKey? {
        let limit = settings.transportOptions.bodyLimit
        var sent = settings.cookies?.adding(to: hop.request, on: record.time) ?? hop.request
        for (person, field, version) in try await hop.addKnownCredentials(to: &sent).persons {
            // In place of the token, whether it is fetched already or not; the session has a random number.
            sent.setValue("\(person.session) \(person.number) \(version)", forHTTPHeaderField: field)
        }
        let key = SharingKey(of: hop.request, sentAs: sent, optIn, redirects: settings.redirects, bodyLimit: limit)
        if record.keepsSteps, let key, let obstacle = sharing.obstacle(for: key, of: sent) {
            record.note(.decision, .text(obstacle))
        }
        return key
    }
}

/// The opt-in of a request to share its exchange with identical ones.
///
/// It is carried in two header fields, since no other custom property of a `URLRequest` is copied on every platform.
struct SharingOptIn: Hashable, Sendable {
    /// An additional value that must be equal for requests to share an exchange; nil for none.
    let customHash: String?

    fileprivate static let flagField = "X-Instance-Caching"
    fileprivate static let hashField = "X-Instance-Caching-Hash"

    /// Removes the opt-in from a request and returns it; nil if the request has none.
    ///
    /// The header fields of the request are a parameter, since asking a request for them is expensive.
    static func take(from request: inout URLRequest, with fields: [String: String]) -> SharingOptIn? {
        let flag = fields.first { HeaderField.isSameName($0.key, flagField) }
        let hash = fields.first { HeaderField.isSameName($0.key, hashField) }
        if flag != nil { request.set(header: .custom(name: flagField, value: nil)) }
        if hash != nil { request.set(header: .custom(name: hashField, value: nil)) }
        return flag == nil ? nil : SharingOptIn(customHash: hash?.value)
    }
}

extension URLRequest {
    /// Returns a copy that may share its exchange: while it is in flight, an identical request is not sent, but gets
    /// the same response.
    ///
    /// Requests are identical if, after the interceptors, they have the same method, URL bytes, body bytes, cookies of
    /// the client's store, and header fields except fields for tracing, and the same redirect policy, body limit and
    /// timeout. If an interceptor makes them different, such as with a nonce, a decision in the call's journey names
    /// the fields. Each caller has its own attempt timeout. A request with a streamed body is never shared. No response
    /// is kept once it is complete. Two identical POSTs are sent once, like two identical GETs.
    ///
    /// - Parameter customHash: An additional value that must be equal. It can only separate requests, not join
    ///   different ones.
    /// - Returns: The changed copy. The client removes the mark before its interceptors run; any other sender of the
    ///   request sends the mark too.
    public func withInstanceCaching(customHash: String? = nil) -> URLRequest {
        var copy = clearingInstanceCaching()
        copy.set(header: .custom(name: SharingOptIn.flagField, value: "1"))
        if let customHash { copy.set(header: .custom(name: SharingOptIn.hashField, value: customHash)) }
        return copy
    }

    /// Returns a copy that does not share its exchange: undoes ``withInstanceCaching(customHash:)``.
    public func clearingInstanceCaching() -> URLRequest {
        var copy = self
        _ = SharingOptIn.take(from: &copy, with: allHTTPHeaderFields ?? [:])
        return copy
    }
}
