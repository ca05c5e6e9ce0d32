// Steps in the wrong order. Each step has one unavailable overload for all stages: the compiler prefers the available
// step where there is one, and otherwise reports the overload's message. `Tests/Wire/Misuse` tests each message. The
// compiler tries unavailable declarations only after all others have failed, so they cost no time in code that
// compiles.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        a request has one method, chosen in its first step, and a builder with a base URL takes path: in place of \
        url:; begin another request with URLRequest.build()
        """
)
extension RequestBuilder {
    public func get(url: URL) -> RequestBuilder<QueryStage> { fatalError() }
    public func head(url: URL) -> RequestBuilder<QueryStage> { fatalError() }
    public func delete(url: URL) -> RequestBuilder<QueryStage> { fatalError() }
    public func post(url: URL) -> RequestBuilder<BodyStage> { fatalError() }
    public func put(url: URL) -> RequestBuilder<BodyStage> { fatalError() }
    public func patch(url: URL) -> RequestBuilder<BodyStage> { fatalError() }
    public func method(_ method: HTTPMethod, url: URL) -> RequestBuilder<BodyStage> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        a path needs a builder with a base URL, and a request has one method, chosen in its first step: begin with \
        URLRequest.builder(baseURL:), give the whole URL with url:, or begin another request
        """
)
extension RequestBuilder {
    public func get(path: RequestPath) -> RequestBuilder<QueryStage> { fatalError() }
    public func head(path: RequestPath) -> RequestBuilder<QueryStage> { fatalError() }
    public func delete(path: RequestPath) -> RequestBuilder<QueryStage> { fatalError() }
    public func post(path: RequestPath) -> RequestBuilder<BodyStage> { fatalError() }
    public func put(path: RequestPath) -> RequestBuilder<BodyStage> { fatalError() }
    public func patch(path: RequestPath) -> RequestBuilder<BodyStage> { fatalError() }
    public func method(_ method: HTTPMethod, path: RequestPath) -> RequestBuilder<BodyStage> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        a body step is not possible here: the order is method, body, query, headers, build(). Choose a method first, \
        then give the body once, right after post, put, patch or method and before the headers; GET, HEAD and DELETE \
        carry no body, and method(.delete, url:) begins a DELETE that has one
        """
)
extension RequestBuilder {
    public func noBody() -> RequestBuilder<QueryStage> { fatalError() }
    public func bodyJson<Value: Encodable>(of value: Value?) throws -> RequestBuilder<QueryStage> { fatalError() }
    public func bodyJson(params: Params?) throws -> RequestBuilder<QueryStage> { fatalError() }
    public func bodyForm(params: Params?) throws -> RequestBuilder<QueryStage> { fatalError() }
    public func bodyForm<Value: Encodable>(of value: Value?) throws -> RequestBuilder<QueryStage> { fatalError() }
    public func bodyFormUtf8(params: Params?) throws -> RequestBuilder<QueryStage> { fatalError() }
    public func bodyMultipart(
        boundary: MultipartBoundary = .random(),
        _ build: (MultipartFormBuilder) throws -> Void
    ) rethrows -> RequestBuilder<QueryStage> { fatalError() }
    public func bodyMultipart(_ form: MultipartForm) -> RequestBuilder<QueryStage> { fatalError() }
    public func bodyData(_ data: Data?, type: MediaType = .octetStream) -> RequestBuilder<QueryStage> { fatalError() }
    public func bodyText(_ text: String?, type: MediaType = .plainText) -> RequestBuilder<QueryStage> { fatalError() }
    public func bodyFile(at url: URL, type: MediaType? = nil) throws -> RequestBuilder<QueryStage> { fatalError() }
    public func bodyStream<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        length: Int? = nil,
        type: MediaType = .octetStream
    ) -> RequestBuilder<QueryStage> where Chunks.Element: DataProtocol { fatalError() }
    public func body<Body: RequestBody>(_ body: Body?) throws -> RequestBuilder<QueryStage> { fatalError() }
}

// These unavailable overloads have constraints. Without them, they would match values of any type, and in the query
// stage the compiler would report a wrong order of steps for a value that can't be written in a query.
//
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        a query step is not possible here: the order is method, body, query, headers, build(). Choose a method first; \
        post, put, patch and method need a body step next: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or \
        noBody(); query steps come before the headers: move this call in front of the first header step
        """
)
extension RequestBuilder where Stage: QuerylessStage {
    public func add(query name: String, value: String?) -> RequestBuilder<QueryStage> { fatalError() }
    public func set(query name: String, value: String?) -> RequestBuilder<QueryStage> { fatalError() }
    public func add<Value>(
        query name: String,
        value: Value?,
        style: FormStyle = .query,
        arrays: FormStyle.ArrayStyle = .repeated
    ) -> RequestBuilder<QueryStage> { fatalError() }
    public func set<Value>(
        query name: String,
        value: Value?,
        style: FormStyle = .query,
        arrays: FormStyle.ArrayStyle = .repeated
    ) -> RequestBuilder<QueryStage> { fatalError() }
    public func add<Items>(queryItems: Items, style: FormStyle = .query) -> RequestBuilder<QueryStage> { fatalError() }
    public func set<Items>(queryItems: Items, style: FormStyle = .query) -> RequestBuilder<QueryStage> { fatalError() }
    public func query(_ items: Params) -> RequestBuilder<QueryStage> { fatalError() }
    public func query(
        @QueryItemsBuilder _ items: () throws -> [QueryItem]
    ) rethrows -> RequestBuilder<QueryStage> { fatalError() }
}

// These unavailable overloads are constrained like the real methods. So in a function that is generic over `Stage`, the
// compiler names the protocol that `Stage` must conform to.
//
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        this step comes too early: the order is method, body, query, headers, build(). Choose a method first: get, \
        post, put, patch, delete, head or method, with a url: or a path:; post, put, patch and method need a body step \
        next: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()
        """
)
extension RequestBuilder where Stage: QuerylessStage {
    public func add(header: HeaderField) -> RequestBuilder<HeaderStage> { fatalError() }
    public func set(header: HeaderField) -> RequestBuilder<HeaderStage> { fatalError() }
    public func add(headers: [HeaderField]) -> RequestBuilder<HeaderStage> { fatalError() }
    public func set(headers: [HeaderField]) -> RequestBuilder<HeaderStage> { fatalError() }
    public func add(headers: [String: String?]) -> RequestBuilder<HeaderStage> { fatalError() }
    public func set(headers: [String: String?]) -> RequestBuilder<HeaderStage> { fatalError() }
    public func headers(_ fields: [String: String?]) -> RequestBuilder<HeaderStage> { fatalError() }
    public func headers(
        @HeaderFieldsBuilder _ fields: () throws -> [HeaderField]
    ) rethrows -> RequestBuilder<HeaderStage> { fatalError() }
    public func build() -> URLRequest { fatalError() }
}
