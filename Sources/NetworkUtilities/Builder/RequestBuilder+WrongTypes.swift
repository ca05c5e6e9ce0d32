// Unavailable steps for values of a wrong type, and as other libraries spell them. As in
// `RequestBuilder+OutOfOrder.swift`, the message says what to write.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        a path is written with its values in it: path: "/items/\\(id)"; several segments are \\(segments: names), and \
        a text that is escaped already is \\(encoded: text)
        """
)
extension RequestBeginning {
    @_disfavoredOverload public func get(path: String) -> RequestBuilder<QueryStage> { fatalError() }
    @_disfavoredOverload public func head(path: String) -> RequestBuilder<QueryStage> { fatalError() }
    @_disfavoredOverload public func delete(path: String) -> RequestBuilder<QueryStage> { fatalError() }
    @_disfavoredOverload public func options(path: String) -> RequestBuilder<QueryStage> { fatalError() }
    @_disfavoredOverload public func trace(path: String) -> RequestBuilder<QueryStage> { fatalError() }
    @_disfavoredOverload public func post(path: String) -> RequestBuilder<BodyStage> { fatalError() }
    @_disfavoredOverload public func put(path: String) -> RequestBuilder<BodyStage> { fatalError() }
    @_disfavoredOverload public func patch(path: String) -> RequestBuilder<BodyStage> { fatalError() }
    @_disfavoredOverload
    public func method(_ method: HTTPMethod, path: String) -> RequestBuilder<BodyStage> { fatalError() }
    @_disfavoredOverload public static func get(path: String) -> RequestBuilder<QueryStage> { fatalError() }
    @_disfavoredOverload public static func head(path: String) -> RequestBuilder<QueryStage> { fatalError() }
    @_disfavoredOverload public static func delete(path: String) -> RequestBuilder<QueryStage> { fatalError() }
    @_disfavoredOverload public static func options(path: String) -> RequestBuilder<QueryStage> { fatalError() }
    @_disfavoredOverload public static func post(path: String) -> RequestBuilder<BodyStage> { fatalError() }
    @_disfavoredOverload public static func put(path: String) -> RequestBuilder<BodyStage> { fatalError() }
    @_disfavoredOverload public static func patch(path: String) -> RequestBuilder<BodyStage> { fatalError() }
    @_disfavoredOverload
    public static func method(_ method: HTTPMethod, path: String) -> RequestBuilder<BodyStage> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        a text is given with http: in place of url:, as in get(http: "https://example.com"), which throws an error if \
        the text isn't a URL
        """
)
extension RequestBeginning {
    public static func get(url: String) -> RequestBuilder<QueryStage> { fatalError() }
    public static func head(url: String) -> RequestBuilder<QueryStage> { fatalError() }
    public static func delete(url: String) -> RequestBuilder<QueryStage> { fatalError() }
    public static func options(url: String) -> RequestBuilder<QueryStage> { fatalError() }
    public static func post(url: String) -> RequestBuilder<BodyStage> { fatalError() }
    public static func put(url: String) -> RequestBuilder<BodyStage> { fatalError() }
    public static func patch(url: String) -> RequestBuilder<BodyStage> { fatalError() }
    public static func method(_ method: HTTPMethod, url: String) -> RequestBuilder<BodyStage> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        a path below the base URL is path:, as in get(path: "/items"), and a complete URL is http:, as in \
        get(http: "https://example.com/items")
        """
)
extension RequestBeginning {
    public static func get(_ text: String) -> RequestBuilder<QueryStage> { fatalError() }
    public func get(_ text: String) -> RequestBuilder<QueryStage> { fatalError() }
    public static func head(_ text: String) -> RequestBuilder<QueryStage> { fatalError() }
    public func head(_ text: String) -> RequestBuilder<QueryStage> { fatalError() }
    public static func delete(_ text: String) -> RequestBuilder<QueryStage> { fatalError() }
    public func delete(_ text: String) -> RequestBuilder<QueryStage> { fatalError() }
    public static func options(_ text: String) -> RequestBuilder<QueryStage> { fatalError() }
    public func options(_ text: String) -> RequestBuilder<QueryStage> { fatalError() }
    public static func post(_ text: String) -> RequestBuilder<BodyStage> { fatalError() }
    public func post(_ text: String) -> RequestBuilder<BodyStage> { fatalError() }
    public static func put(_ text: String) -> RequestBuilder<BodyStage> { fatalError() }
    public func put(_ text: String) -> RequestBuilder<BodyStage> { fatalError() }
    public static func patch(_ text: String) -> RequestBuilder<BodyStage> { fatalError() }
    public func patch(_ text: String) -> RequestBuilder<BodyStage> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        a header field with any name is header: .custom(name: "X-Name", value: value), and headers(["X-Name": value]) \
        sets several
        """
)
extension RequestBuilder where Stage: HeaderCapableStage {
    public func add(header: String, value: String?) -> RequestBuilder<HeaderStage> { fatalError() }
    public func set(header: String, value: String?) -> RequestBuilder<HeaderStage> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        a dictionary has values of one type that always has a text; give others one by one with add(query:value:), or \
        in a block: query { QueryItem("page", value: 1) }, try query { try QueryItem.items(params: params) }
        """
)
extension RequestBuilder where Stage == QueryStage {
    public func query<Value>(_ items: [String: Value]) -> RequestBuilder<QueryStage> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        this dictionary is not Encodable, because its values have several types, or one that is not: write a struct \
        that is, or bodyJson(params:)
        """
)
extension RequestBuilder where Stage == BodyStage {
    public func bodyJson<Value>(of value: [String: Value]) -> RequestBuilder<QueryStage> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: "an enum has a text in a URL if it conforms to URLTextConvertible: enum Order: String, URLTextConvertible"
)
extension RequestBuilder where Stage == QueryStage {
    public func add<Value: RawRepresentable>(
        query name: String,
        value: Value?
    ) -> RequestBuilder<QueryStage> { fatalError() }

    public func set<Value: RawRepresentable>(
        query name: String,
        value: Value?
    ) -> RequestBuilder<QueryStage> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        query and body are steps: get(path: "/items").add(query: "page", value: 1), and post(path: "/items").\
        bodyJson(of: item)
        """
)
extension RequestBeginning {
    public static func get<Query>(path: RequestPath, query: Query) -> RequestBuilder<QueryStage> { fatalError() }
    public static func post<Body>(path: RequestPath, body: Body) -> RequestBuilder<QueryStage> { fatalError() }
    public static func post<Body>(path: RequestPath, json: Body) -> RequestBuilder<QueryStage> { fatalError() }
    public static func put<Body>(path: RequestPath, body: Body) -> RequestBuilder<QueryStage> { fatalError() }
    public static func put<Body>(path: RequestPath, json: Body) -> RequestBuilder<QueryStage> { fatalError() }
    public static func patch<Body>(path: RequestPath, body: Body) -> RequestBuilder<QueryStage> { fatalError() }
    public static func patch<Body>(path: RequestPath, json: Body) -> RequestBuilder<QueryStage> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RequestBuilder {
    @available(*, unavailable, message: "a JSON body is the step bodyJson(of: item), right after post, put or patch")
    public func json<Value>(_ value: Value) -> RequestBuilder<QueryStage> { fatalError() }

    @available(
        *,
        unavailable,
        message: """
            a header field is the step set(header: .accept(type: .json)), or .custom(name: "X-Name", value: value) for \
            any name
            """
    )
    public func header(_ name: String, _ value: String?) -> RequestBuilder<HeaderStage> { fatalError() }

    @available(*, unavailable, message: "a time is a number of seconds: idleTimeout(5), in which no byte moves")
    public func timeout(_ time: DispatchTimeInterval) -> Self { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: "a dictionary of texts is add(queryItems:), one of other values query(_:); one item is add(query:value:)"
)
extension RequestBuilder where Stage == QueryStage {
    public func add<Value>(query items: [String: Value]) -> RequestBuilder<QueryStage> { fatalError() }
}
