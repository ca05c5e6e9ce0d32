// Requests that cannot be built yet, and calls whose mistake the compiler cannot explain. As in
// `RequestBuilder+OutOfOrder.swift`, the message says what to write, and the overloads cost no time in code that
// compiles.
//
// The forms with a `BodyStage` in place of any stage without a query do more: because of their definite type, the
// compiler names a step that doesn't exist, as in `.get(path: "items").timeout(5)`, and not another form of the call.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        this request is not complete: after post, put, patch or method give it a body step: bodyJson(of:), \
        bodyForm(params:), bodyMultipart(_:) or noBody(); without a method, choose one first
        """
)
extension NetworkClientProtocol {
    public func fetch<D: Decodable>(
        _ request: @autoclosure () throws -> RequestBuilder<BodyStage>,
        as type: D.Type = D.self,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<D> { fatalError() }
    public func fetch(
        _ request: @autoclosure () throws -> RequestBuilder<BodyStage>,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<Void> { fatalError() }
    public func fetch(
        _ request: @autoclosure () throws -> RequestBuilder<some OpeningStage>,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<Void> { fatalError() }
    public func stream(
        _ request: @autoclosure () throws -> RequestBuilder<BodyStage>,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<ResponseBody> { fatalError() }
    public func upload<D: Decodable>(
        _ request: @autoclosure () throws -> RequestBuilder<BodyStage>,
        as type: D.Type = EmptyResponse.self,
        options: CallOptions = CallOptions()
    ) -> Transfer<NetworkClient.Response<D>> { fatalError() }
    public func download(
        _ request: @autoclosure () throws -> RequestBuilder<BodyStage>,
        to destination: URL,
        resuming token: ResumeToken? = nil,
        isResumable: Bool = false,
        options: CallOptions = CallOptions()
    ) -> Download { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        a call is fetch with a request: fetch(.get(path: "items"), as: [Item].self) below the client's base URL, or \
        fetch(.get(http: "https://example.com/items"), as: [Item].self)
        """
)
extension NetworkClientProtocol {
    public func fetch<D: Decodable>(
        _ text: String,
        as type: D.Type = EmptyResponse.self
    ) async throws -> NetworkClient.Response<D> { fatalError() }
    public func get<Place>(_ place: Place) async throws -> NetworkClient.Response<Void> { fatalError() }
    public func get<Place, D>(_ place: Place, as type: D.Type = D.self) async throws -> D { fatalError() }
    public func post<Place>(
        _ place: Place,
        body: (any Encodable)? = nil
    ) async throws -> NetworkClient.Response<Void> { fatalError() }
    public func post<Place, D>(
        _ place: Place,
        body: (any Encodable)? = nil,
        as type: D.Type = D.self
    ) async throws -> D { fatalError() }
    public func request<Place, D: Decodable>(
        _ place: Place,
        method: HTTPMethod = .get,
        as type: D.Type = EmptyResponse.self
    ) async throws -> NetworkClient.Response<D> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: "a URLRequest is sent by fetch(request: request, as: Data.self), and a URL by fetch(.get(url: url))"
)
extension NetworkClientProtocol {
    public func data(for request: URLRequest) async throws -> NetworkClient.ChainResult { fatalError() }
    public func data(from url: URL) async throws -> NetworkClient.ChainResult { fatalError() }
    public func execute(_ request: URLRequest) async throws -> NetworkClient.Response<Data> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, renamed: "fetch(_:as:options:)")
extension NetworkClientProtocol {
    public func send<D: Decodable>(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        as type: D.Type = D.self,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<D> { fatalError() }
    public func send(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<Void> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        a call returns the whole response, whose value is its item: fetch(.get(path: "items"), as: [Item].self).item
        """
)
extension NetworkClientProtocol {
    public func fetch<D: Decodable>(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        as type: D.Type = D.self,
        options: CallOptions = CallOptions()
    ) async throws -> D { fatalError() }
    public func fetch<D: Decodable>(
        _ endpoint: some Endpoint,
        as type: D.Type = D.self,
        options: CallOptions = CallOptions()
    ) async throws -> D { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, message: "progress is an option: options: CallOptions(progress: { progress in … })")
extension NetworkClientProtocol {
    public func fetch<D: Decodable>(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        as type: D.Type = EmptyResponse.self,
        progress: (TransferProgress) -> Void
    ) async throws -> NetworkClient.Response<D> { fatalError() }
    public func fetch<D: Decodable>(
        _ endpoint: some Endpoint,
        as type: D.Type = EmptyResponse.self,
        progress: (TransferProgress) -> Void
    ) async throws -> NetworkClient.Response<D> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: "the body of the request itself is sent without a label: upload(request, as: Item.self)"
)
extension NetworkClientProtocol {
    public func upload<D: Decodable>(
        request: URLRequest,
        as type: D.Type = EmptyResponse.self
    ) -> Transfer<NetworkClient.Response<D>> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, message: "a response is decoded as a type that is Decodable and Sendable: declare both")
extension NetworkClientProtocol {
    @_disfavoredOverload
    public func fetch<D>(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        as type: D.Type,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<D> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        request: takes a URLRequest, which a builder becomes by build(); without the label, fetch takes the builder: \
        fetch(.get(path: "items"), as: [Item].self)
        """
)
extension NetworkClientProtocol {
    public func fetch<D: Decodable>(
        request: RequestBuilder<some CompleteStage>,
        as type: D.Type = EmptyResponse.self,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<D> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension NetworkClient {
    @available(
        *,
        unavailable,
        message: """
            all requests get their header fields and their deadline from interceptors: [.headers(["X-Name": \
            value]), .deadline(30)], and their cookies from configuration: .init(cookies: CookieStore())
            """
    )
    public convenience init(
        baseURL: (any CustomStringConvertible)? = nil,
        headers: [String: String] = [:],
        timeout: TimeInterval = 30,
        cookies: CookieStore? = nil,
        interceptors: [any InterceptorProtocol] = []
    ) { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension NetworkClient.Response {
    @available(*, unavailable, renamed: "item")
    public var value: T { fatalError() }
}
