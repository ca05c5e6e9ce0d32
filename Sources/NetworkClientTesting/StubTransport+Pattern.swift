extension StubTransport {
    /// The requests that a stub responds to.
    ///
    /// ```swift
    /// let transport = StubTransport()
    /// transport.on(.get("/items").query("page", "2"), .json(text: "[]"))
    /// transport.on(.get("https://files.example.com/*").header("Range"), .status(416))
    /// transport.on(.post("/items").json(["name": "a"]), .status(201))
    /// let anonymous = StubTransport.Pattern.any.satisfying("has no credential") {
    ///     $0[header: "Authorization"] == nil
    /// }
    /// transport.on(anonymous, .status(401))
    /// ```
    ///
    /// A path is the path of the whole URL, including the path of the client's base URL. It is compared with its
    /// escapes; a `*` matches one whole segment. If the pattern has a query, it is compared with the whole query of the
    /// request; if the pattern is a complete URL, the origin is compared too.
    public struct Pattern: Sendable {
        private struct Condition: Sendable {
            let holds: @Sendable (Request) -> Bool
            /// Returns how a request differs if it does not satisfy the condition.
            let difference: @Sendable (Request) -> String
        }

        private let target: String
        /// The path of the pattern; empty for any path.
        private var path = ""
        private var details: [String] = []
        private var conditions: [Condition] = []

        private init(_ target: String) {
            self.target = target
        }

        func matches(_ request: Request) -> Bool { conditions.allSatisfy { $0.holds(request) } }

        func differences(from request: Request) -> [String] {
            conditions.filter { !$0.holds(request) }.map { $0.difference(request) }
        }

        /// Returns how much a request resembles the pattern: more for fewer differences, then for a longer common path.
        func likeness(to request: Request) -> (differences: Int, path: Int) {
            (-differences(from: request).count, zip(path.utf8, request.path.utf8).prefix { $0 == $1 }.count)
        }

        func and(
            _ detail: String?,
            _ holds: @escaping @Sendable (Request) -> Bool,
            or difference: @escaping @Sendable (Request) -> String
        ) -> Pattern {
            var copy = self
            if let detail { copy.details.append(detail) }
            copy.conditions.append(Condition(holds: holds, difference: difference))
            return copy
        }

        private func with(_ method: HTTPMethod) -> Pattern {
            and(nil, { $0.method == method }, or: { "the method is \($0.method)" })
        }

        /// Returns the pattern of a recorded request, in whose URL no `*` is a placeholder.
        ///
        /// The decoded items of the query are compared, since clients escape them differently.
        static func recorded(_ method: HTTPMethod, _ url: String) -> Pattern {
            let wanted = StubTarget(url)
            let items = ArchivedBody.form((wanted.query ?? "").utf8)
            return Pattern("\(method) \(StubTarget.shown(url))").with(method).with(originOf: wanted)
                .and(nil, { ArchivedBody.isLike($0.path, wanted.path) }, or: { "the path is \($0.shownPath)" })
                .and(
                    nil,
                    { request in
                        let query = StubTarget(request.url.absoluteString).query ?? ""
                        return ArchivedBody.isLike(ArchivedBody.form(query.utf8), items)
                    },
                    or: queryDifference
                )
        }

        private static func queryDifference(_ request: Request) -> String {
            request.queryText.isEmpty ? "there is no query" : "the query is \(request.queryText)"
        }

        private func with(originOf wanted: StubTarget) -> Pattern {
            var pattern = self
            pattern.path = wanted.path
            guard wanted.isComplete else { return pattern }
            return pattern.and(nil, { Origin(of: $0.url) == wanted.origin }) { request in
                let origin = Origin(of: request.url)
                return "the origin is \(origin.scheme)://\(origin.host):\(origin.port)"
            }
        }

        private func with(path text: String) -> Pattern {
            let wanted = StubTarget(text)
            let segments = Self.segments(wanted.path)
            let pattern = with(originOf: wanted).and(
                nil,
                { Self.matches(Self.segments($0.path), segments) },
                or: { "the path is \($0.shownPath)\(Self.hint(for: Self.segments($0.path), segments))" }
            )
            guard let query = wanted.query else { return pattern }
            return pattern.and(nil, { StubTarget($0.url.absoluteString).query == query }, or: Self.queryDifference)
        }

        private static func segments(_ path: String) -> [Substring] {
            path.split(separator: "/", omittingEmptySubsequences: false)
        }

        private static func matches(_ segments: [Substring], _ wanted: [Substring]) -> Bool {
            segments.count == wanted.count && zip(segments, wanted).allSatisfy { $1 == "*" || $0 == $1 }
        }

        /// Returns the probable reason if one path is the end of the other.
        private static func hint(for segments: [Substring], _ wanted: [Substring]) -> String {
            // The first segment is the empty one before the first slash.
            let count = min(segments.count, wanted.count) - 1
            let (end, wantedEnd) = (Array(segments.suffix(count)), Array(wanted.suffix(count)))
            guard matches(end, wantedEnd), wantedEnd.contains(where: { $0 != "*" && !$0.isEmpty }) else { return "" }
            return segments.count > wanted.count
                ? ": a pattern includes the path of the base URL"
                : ": the base URL may lack the beginning of the pattern's path"
        }
    }
}

extension StubTransport.Pattern {
    /// Every request.
    public static var any: Self { Self("any request") }

    /// Requests with any method to a path.
    public static func path(_ path: String) -> Self { Self(StubTarget.shown(path)).with(path: path) }

    /// Requests with one method, such as PROPFIND; a nil path matches any path.
    public static func method(_ method: HTTPMethod, _ path: String? = nil) -> Self {
        guard let path else { return Self("\(method)").with(method) }
        return Self("\(method) \(StubTarget.shown(path))").with(method).with(path: path)
    }

    /// GET requests.
    public static func get(_ path: String) -> Self { method(.get, path) }

    /// HEAD requests.
    public static func head(_ path: String) -> Self { method(.head, path) }

    /// POST requests.
    public static func post(_ path: String) -> Self { method(.post, path) }

    /// PUT requests.
    public static func put(_ path: String) -> Self { method(.put, path) }

    /// PATCH requests.
    public static func patch(_ path: String) -> Self { method(.patch, path) }

    /// DELETE requests.
    public static func delete(_ path: String) -> Self { method(.delete, path) }

    /// Matches only requests with a query item of this name, after decoding; a nil value matches any value.
    public func query(_ name: String, _ value: String? = nil) -> Self {
        let shown = Self.shown(value, isSecret: SensitiveNames.contains(name))
        return and("query \(name)\(shown.map { "=\($0)" } ?? "")") { request in
            request.queryItems.contains { $0.name == name && (value == nil || $0.value == value) }
        } or: { request in
            let values = request.queryItems.filter { $0.name == name }.map { item in
                Self.shown(item.value, isSecret: SensitiveNames.contains(name)) ?? ""
            }
            return values.isEmpty ? "there is no query \(name)" : "query \(name) is \(values.joined(separator: ", "))"
        }
    }

    /// Matches only requests with a header field of this name, in any letter case; a nil value matches any value.
    public func header(_ name: String, _ value: String? = nil) -> Self {
        let shown = Self.shown(value, isSecret: SensitiveNames.contains(name))
        return and("field \(name)\(shown.map { ": \($0)" } ?? "")") { request in
            request[header: name].map { value == nil || $0 == value } ?? false
        } or: { request in
            let actual = Self.shown(request[header: name], isSecret: SensitiveNames.contains(name))
            return actual.map { "field \(name) is \($0)" } ?? "there is no field \(name)"
        }
    }

    /// Matches only requests whose body has exactly these bytes, as it was sent or without its content coding.
    public func body(_ data: Data) -> Self {
        and("body of \(data.count) bytes", { $0.body == data || $0.rawBody == data }) { request in
            guard request.body.count == data.count else { return "the body has \(request.body.count) bytes" }
            return "the body differs at byte \(zip(request.body, data).prefix { $0 == $1 }.count)"
        }
    }

    /// Matches only requests whose body is the JSON of a value, whatever the order of its members and its white space.
    ///
    /// A value that the encoder cannot encode matches no request. A client with another encoder than the default, such
    /// as one with a key strategy, needs that one here too.
    public func json<Value: Encodable>(
        _ value: Value,
        encoder: any JSONDataEncoder = DefaultJsonEncoder()
    ) -> Self {
        let wanted = (try? encoder.encode(value)).flatMap(Self.normalizedJSON)
        return and("JSON body") { request in
            wanted != nil && Self.normalizedJSON(request.body) == wanted
        } or: { request in
            guard wanted != nil else { return "the stub's value cannot be encoded as JSON" }
            return Self.normalizedJSON(request.body) == nil ? "the body is not JSON" : "the body is different JSON"
        }
    }

    /// Matches only requests for which a closure returns true; it may be called several times for one request.
    ///
    /// The text describes the condition in failures, such as "has no credential".
    public func satisfying(_ text: String, _ condition: @escaping @Sendable (StubTransport.Request) -> Bool) -> Self {
        and("\"\(text)\"", condition) { _ in "the condition '\(text)' is not met" }
    }

    private static func shown(_ value: String?, isSecret: Bool) -> String? {
        isSecret ? value.map { _ in "***" } : value
    }

    static func normalizedJSON(_ data: Data) -> Data? {
        let value = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        return value.flatMap { value in
            try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
        }
    }
}

extension StubTransport.Pattern: CustomStringConvertible {
    /// The text of the pattern, as in `GET /users with query page=2`; values with secret names are masked.
    public var description: String {
        details.isEmpty ? target : "\(target) with \(details.joined(separator: ", "))"
    }
}
