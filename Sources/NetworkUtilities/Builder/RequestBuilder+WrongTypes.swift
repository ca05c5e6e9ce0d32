// Unavailable steps for values of a type that newcomers try. As in `RequestBuilder+OutOfOrder.swift`, the message says
// what to write.

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
    @_disfavoredOverload public static func get(path: String) -> RequestBuilder<QueryStage> { fatalError() }
    @_disfavoredOverload public static func post(path: String) -> RequestBuilder<BodyStage> { fatalError() }
    @_disfavoredOverload public static func delete(path: String) -> RequestBuilder<QueryStage> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        a text is given with http: in place of url:, as in get(http: "https://example.com"), which throws an error if \
        the text isn't a URL; a path below the base URL is path:, as in get(path: "/items")
        """
)
extension RequestBeginning {
    public static func get(url: String) -> RequestBuilder<QueryStage> { fatalError() }
    public static func post(url: String) -> RequestBuilder<BodyStage> { fatalError() }
    public static func get(_ text: String) -> RequestBuilder<QueryStage> { fatalError() }
    public static func post(_ text: String) -> RequestBuilder<BodyStage> { fatalError() }
    public static func delete(_ text: String) -> RequestBuilder<QueryStage> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        what a request carries is given in steps: .get(path: "items").query(["page": 1]).headers(["X-Name": value]), \
        or .post(path: "items").bodyJson(of: value)
        """
)
extension RequestBeginning {
    public static func get(
        path: RequestPath,
        query: Params = [:],
        headers: [String: String] = [:]
    ) -> RequestBuilder<QueryStage> { fatalError() }
    public static func post<Body: Encodable>(
        path: RequestPath,
        body: Body,
        headers: [String: String] = [:]
    ) -> RequestBuilder<QueryStage> { fatalError() }
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
    public func set(header: String, value: String?) -> RequestBuilder<HeaderStage> { fatalError() }
    public func add(header: String, value: String?) -> RequestBuilder<HeaderStage> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        a dictionary of several types is query(["page": 1, "name": "x"]) if all values have a text, such as strings \
        and integers; give others with try query { try QueryItem.items(params: params) }
        """
)
extension RequestBuilder where Stage == QueryStage {
    public func query(_ items: Params) -> RequestBuilder<QueryStage> { fatalError() }
    public func add(queryItems: Params) -> RequestBuilder<QueryStage> { fatalError() }
    public func set(queryItems: Params) -> RequestBuilder<QueryStage> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        a dictionary in a block has values with a text, such as strings and integers; give others with \
        try QueryItem.items(params: params), or one by one with try QueryItem("scale", value: 1.5)
        """
)
extension QueryItemsBuilder {
    public static func buildExpression(_ items: Params) -> [QueryItem] { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RequestBuilder where Stage == QueryStage {
    @available(
        *,
        unavailable,
        message: """
            a value in a query declares URLTextConvertible if it has one text, as in enum Order: String, \
            URLTextConvertible, and Encodable if it is a list or has members
            """
    )
    @_disfavoredOverload
    public func add<Value>(
        query name: String,
        value: Value?
    ) -> RequestBuilder<QueryStage> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RequestBuilder where Stage == BodyStage {
    @available(
        *,
        unavailable,
        message: """
            this dictionary is not Encodable, because its values have several types, or one that is not: write a \
            struct that is, or bodyJson(params:)
            """
    )
    public func bodyJson<Value>(of value: [String: Value]) -> RequestBuilder<QueryStage> { fatalError() }

    @available(
        *,
        unavailable,
        message: """
            a value that is Encodable is bodyJson(of: value) or bodyForm(of: value), a text bodyText(text), and Data \
            bodyData(data, type: .json)
            """
    )
    public func body<Value: Encodable>(_ value: Value?) -> RequestBuilder<QueryStage> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension TimeInterval {
    @available(*, unavailable, message: "a time is a number of seconds: 5 in place of .seconds(5)")
    public static func seconds(_ count: Double) -> TimeInterval { fatalError() }

    @available(*, unavailable, message: "a time is a number of seconds: 0.5 in place of .milliseconds(500)")
    public static func milliseconds(_ count: Double) -> TimeInterval { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RequestBuilder {
    @available(*, unavailable, message: "a request's limit is idleTimeout(_:) in seconds; that of a call is an option")
    public func timeout(_ seconds: TimeInterval) -> RequestBuilder<HeaderStage> { fatalError() }
    @available(*, unavailable, message: "a header field is set(header: .custom(name: \"X-Name\", value: value))")
    public func header<Value>(_ name: String, _ value: Value) -> RequestBuilder<HeaderStage> { fatalError() }
    @available(*, unavailable, message: "an item of the query is add(query: \"page\", value: 1)")
    public func query<Value>(_ name: String, _ value: Value) -> RequestBuilder<QueryStage> { fatalError() }
    @available(*, unavailable, message: "a JSON body is bodyJson(of: value), after post, put or patch")
    public func json<Value>(_ value: Value) -> RequestBuilder<QueryStage> { fatalError() }
    @available(*, unavailable, message: "a form is bodyForm(params: [\"name\": \"tea\"]), after post, put or patch")
    public func form<Value>(_ value: Value) -> RequestBuilder<QueryStage> { fatalError() }
    @available(
        *,
        unavailable,
        message: "a credential is set(header: .authorization(try .basic(user: \"a\", password: \"b\")))"
    )
    public func basicAuth(user: String, password: String) -> RequestBuilder<HeaderStage> { fatalError() }
}
