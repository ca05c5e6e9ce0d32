/// Describes a call by a route and the properties of a struct.
///
/// ```swift
/// struct ItemsOfUser: RoutedEndpoint {
///     typealias Response = [Item]
///     static let route: Route = .get("/users/:id/items")
///
///     @Path var id: Int
///     @Query var page: Int?
///     @Query("q") var text: String? = nil
///     @Header var acceptLanguage = "el"
/// }
///
/// let items = try await client.fetch(ItemsOfUser(id: 42, page: 2)).item
/// // GET /users/42/items?page=2 with Accept-Language: el
/// ```
/// The properties give the names, and query items have the order of the declarations. A property named `body`, or one
/// that is marked `@Body`, is the body. Only a struct can be a routed endpoint, and it must not have a custom mirror.
/// Its properties are found once for each type.
public protocol RoutedEndpoint: Endpoint {
    /// The type of the body.
    associatedtype Content: Sendable = Never?

    /// The method and the template of the path.
    static var route: Route { get }

    /// The format of dates, arrays and Booleans in `@Query` properties.
    ///
    /// Its key style applies to the names of the properties, and is read once for each type.
    static var queryStyle: FormStyle { get }

    /// The encoders of the body; nil for those of the client (``NetworkClient/Configuration/encoders``).
    static var encoders: URLRequestBuilderOptions? { get }

    /// Whether a cache may supply the response: see `RequestBuilder.cachePolicy(_:)`; nil for the rules of HTTP.
    static var cachePolicy: URLRequest.CachePolicy? { get }

    /// More query items, which follow the items of the `@Query` properties.
    @QueryItemsBuilder var queryItems: [QueryItem] { get throws }

    /// More header fields, which follow the fields of the `@Header` properties.
    ///
    /// Two fields with one name become one, as in a `headers` block of the builder.
    @HeaderFieldsBuilder var headers: [HeaderField] { get throws }

    /// The body; nil for no body.
    ///
    /// A `RequestBody` such as `MultipartForm` or `URLEncodedForm` decides how it is sent, `Data` is sent unchanged, a
    /// string as text, and any other `Encodable` value or `[String: any Sendable]` as JSON.
    var body: Content { get throws }
}

extension RoutedEndpoint {
    /// Marks the property whose value takes the place of `:name` or `{name}` in the route's template.
    ///
    /// The value stays one segment. It is a text, an integer, a Boolean, a `UUID`, an enum that declares
    /// `URLTextConvertible`, or another value of that protocol; an array of them is several segments, as in
    /// `@Path var path: [String]` for a file in folders. A property that the template doesn't name is an error of the
    /// call (``RouteError``).
    public typealias Path<Value: PathValue & Sendable> = EndpointProperty<PathPart, Value>

    /// Marks a property that is sent as a query item.
    ///
    /// The value is a text, a number, a Boolean, a date, an enum, any other `Encodable`, an array or an optional of
    /// these, in the style ``queryStyle``; nil and an empty array are left out. A value that can't be written in a
    /// query is an error of the call.
    public typealias Query<Value: Sendable> = EndpointProperty<QueryPart, Value>

    /// Marks a property that is sent as a header field.
    ///
    /// The value is a text, a number, a Boolean, a date (written as an HTTP-date), an enum, a `MediaType`, a
    /// `Credential`, an `EntityTag`, an array (written as `a, b`) or an optional of these; nil and an empty array are
    /// left out. The field of a property `acceptLanguage` is `Accept-Language`. A value with a control character is an
    /// error of the call.
    public typealias Header<Value: Sendable> = EndpointProperty<HeaderPart, Value>

    /// Marks the property that is sent as the body, under another name than `body`.
    ///
    /// The value is sent like ``body``; no body is sent for nil. A second body is an error of the call. Beside a nested
    /// type of the name `Body`, which hides this one, write `let body: Body`, which needs no mark.
    public typealias Body<Value: Sendable> = EndpointProperty<BodyPart, Value>

    /// Gives a property without a default value another name, as in `@Query @Named("q") var text: String`.
    public typealias Named<Value: Sendable> = NamedProperty<Value>

    /// The style of queries: arrays repeat their name, dates are ISO 8601.
    public static var queryStyle: FormStyle { .query }

    /// The encoders of the client.
    public static var encoders: URLRequestBuilderOptions? { nil }

    /// The rules of HTTP.
    public static var cachePolicy: URLRequest.CachePolicy? { nil }

    /// No more query items.
    public var queryItems: [QueryItem] { [] }

    /// No more header fields.
    public var headers: [HeaderField] { [] }

    /// Returns the request that the route and the properties describe: see ``routedRequest(from:)``.
    public func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
        try routedRequest(from: builder)
    }

    /// Returns the request that the route and the properties describe, for an endpoint with its own `request(from:)`.
    ///
    /// Throws ``RouteError`` if the template is malformed or doesn't fit the properties, `RequestPathError` for a value
    /// that would change the resource, and the errors of values that can't be written in a query, a field or a body.
    public func routedRequest(from builder: URLRequest.PathBuilder) throws -> URLRequest {
        let plan = try RoutePlan.plan(of: self)
        var draft = try plan.draft(of: self)
        var builder = Self.encoders.map { builder.encoding(with: $0) } ?? builder
        if let policy = Self.cachePolicy { builder = builder.cachePolicy(policy) }
        let body = try builder.method(plan.route.method, path: try plan.route.path(draft.values))
        let query: URLRequest.QueryBuilder
        if let content = draft.content {
            query = try body.body(any: content, of: plan)
        } else if Content.self == Never?.self {
            query = body.noBody()
        } else {
            query = try body.body(any: try self.body, of: plan)
        }
        let (moreItems, moreFields) = (try queryItems, try headers)
        if !moreItems.isEmpty { draft.items += moreItems }
        if !moreFields.isEmpty { draft.fields += moreFields }
        let described = draft.items.isEmpty ? query : query.add(items: draft.items)
        let fields = draft.fields
        return fields.isEmpty ? described.build() : described.headers { fields }.build()
    }
}

extension RoutedEndpoint where Content == Never? {
    /// No body.
    public var body: Never? { nil }
}

extension RequestBuilder where Stage == BodyStage {
    /// Sends a body of any type.
    fileprivate consuming func body(any content: Any, of plan: RoutePlan) throws -> URLRequest.QueryBuilder {
        if (content as? any NilableContent)?.isNil == true { return noBody() }
        if let body = content as? any RequestBody { return try send(body) }
        if let data = content as? Data { return bodyData(data) }
        if let text = content as? String { return bodyText(text) }
        if let value = content as? any Encodable { return try sendJSON(value) }
        if let params = content as? Params { return try bodyJson(params: params) }
        throw plan.route.error(
            "body",
            "is of the type \(type(of: content)), which is neither Encodable nor a RequestBody"
        )
    }

    private consuming func send(_ body: some RequestBody) throws -> URLRequest.QueryBuilder { try self.body(body) }

    private consuming func sendJSON(_ value: some Encodable) throws -> URLRequest.QueryBuilder {
        try bodyJson(of: value)
    }
}

/// An optional of any type.
private protocol NilableContent {
    var isNil: Bool { get }
}

extension Optional: NilableContent {
    fileprivate var isNil: Bool {
        guard let self else { return true }
        return (self as? any NilableContent)?.isNil ?? false
    }
}
