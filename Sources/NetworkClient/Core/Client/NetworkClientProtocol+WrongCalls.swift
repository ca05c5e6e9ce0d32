#if canImport(Combine)
public import Combine
#endif

// Calls as other libraries spell them, and requests that cannot be built yet. As in `RequestBuilder+OutOfOrder.swift`,
// the message says what to write, and the overloads cost no time in code that compiles.

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
        _ request: @autoclosure () throws -> RequestBuilder<some QuerylessStage>,
        as type: D.Type = D.self,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<D> { fatalError() }
    public func fetch(
        _ request: @autoclosure () throws -> RequestBuilder<some QuerylessStage>,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<Void> { fatalError() }
    public func start<D: Decodable>(
        _ request: @autoclosure () throws -> RequestBuilder<some QuerylessStage>,
        as type: D.Type,
        options: CallOptions = CallOptions(),
        completion: @escaping @MainActor @Sendable (Result<NetworkClient.Response<D>, any Error>) -> Void
    ) -> Task<Void, Never> { fatalError() }
    #if canImport(Combine)
    public func publisher<D: Decodable>(
        for request: @autoclosure () throws -> RequestBuilder<some QuerylessStage>,
        as type: D.Type,
        options: CallOptions = CallOptions()
    ) -> AnyPublisher<NetworkClient.Response<D>, any Error> { fatalError() }
    #endif
    public func stream(
        _ request: @autoclosure () throws -> RequestBuilder<some QuerylessStage>,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<ResponseBody> { fatalError() }
    public func upload<D: Decodable>(
        _ request: @autoclosure () throws -> RequestBuilder<some QuerylessStage>,
        as type: D.Type = D.self,
        options: CallOptions = CallOptions()
    ) -> Transfer<NetworkClient.Response<D>> { fatalError() }
    public func upload(
        _ request: @autoclosure () throws -> RequestBuilder<some QuerylessStage>,
        options: CallOptions = CallOptions()
    ) -> Transfer<NetworkClient.Response<Void>> { fatalError() }
    public func download(
        _ request: @autoclosure () throws -> RequestBuilder<some QuerylessStage>,
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
        leave out build(), or label a request that was built before: fetch(request: request, as: Item.self), \
        stream(request: request), upload(request: request), download(request: request, to: url)
        """
)
extension NetworkClientProtocol {
    public func fetch<D: Decodable>(
        _ request: @autoclosure () throws -> URLRequest,
        as type: D.Type = D.self,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<D> { fatalError() }
    public func fetch(
        _ request: @autoclosure () throws -> URLRequest,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<Void> { fatalError() }
    public func stream(
        _ request: @autoclosure () throws -> URLRequest,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<ResponseBody> { fatalError() }
    public func upload<D: Decodable>(
        _ request: @autoclosure () throws -> URLRequest,
        as type: D.Type = D.self,
        options: CallOptions = CallOptions()
    ) -> Transfer<NetworkClient.Response<D>> { fatalError() }
    public func download(
        _ request: @autoclosure () throws -> URLRequest,
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
        a call is fetch with a request: client.fetch(.get(path: "items").add(query: "page", value: 1), as: \
        [Item].self), or client.fetch(.post(path: "items").bodyJson(of: item))
        """
)
extension NetworkClientProtocol {
    public func get(_ text: String) async throws -> NetworkClient.Response<Data> { fatalError() }
    public func get<D>(_ text: String) async throws -> D { fatalError() }
    public func get<D, Q>(_ text: String, query: Q) async throws -> D { fatalError() }
    public func get<D, Q>(_ text: String, query: Q) async throws -> NetworkClient.Response<D> { fatalError() }
    public func get<D, Q>(path: RequestPath, query: Q) async throws -> D { fatalError() }
    public func get<D, Q>(path: RequestPath, query: Q) async throws -> NetworkClient.Response<D> { fatalError() }
    public func delete(_ text: String) async throws -> NetworkClient.Response<Data> { fatalError() }
    public func post<B>(_ text: String, _ body: B) async throws -> NetworkClient.Response<Data> { fatalError() }
    public func post<D, B>(path: RequestPath, json: B? = nil, body: B? = nil) async throws -> D { fatalError() }
    public func post<D, B>(
        path: RequestPath,
        json: B? = nil,
        body: B? = nil
    ) async throws -> NetworkClient.Response<D> { fatalError() }
    @_disfavoredOverload
    public func post<B>(
        path: RequestPath,
        json: B? = nil,
        body: B? = nil
    ) async throws -> NetworkClient.Response<Data> { fatalError() }
    public func put<B>(_ text: String, _ body: B) async throws -> NetworkClient.Response<Data> { fatalError() }
    public func put<D, B>(path: RequestPath, json: B? = nil, body: B? = nil) async throws -> D { fatalError() }
    public func put<D, B>(
        path: RequestPath,
        json: B? = nil,
        body: B? = nil
    ) async throws -> NetworkClient.Response<D> { fatalError() }
    @_disfavoredOverload
    public func put<B>(
        path: RequestPath,
        json: B? = nil,
        body: B? = nil
    ) async throws -> NetworkClient.Response<Data> { fatalError() }
    public func patch<B>(_ text: String, _ body: B) async throws -> NetworkClient.Response<Data> { fatalError() }
    public func patch<D, B>(path: RequestPath, json: B? = nil, body: B? = nil) async throws -> D { fatalError() }
    public func patch<D, B>(
        path: RequestPath,
        json: B? = nil,
        body: B? = nil
    ) async throws -> NetworkClient.Response<D> { fatalError() }
    @_disfavoredOverload
    public func patch<B>(
        path: RequestPath,
        json: B? = nil,
        body: B? = nil
    ) async throws -> NetworkClient.Response<Data> { fatalError() }
    public func send<D: Decodable>(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>
    ) async throws -> NetworkClient.Response<D> { fatalError() }
    @_disfavoredOverload
    public func send<D>(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>
    ) -> Transfer<D> { fatalError() }
    @_disfavoredOverload
    public func send(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>
    ) -> NetworkClient.Response<EmptyResponse> { fatalError() }
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

    // Swift 6.3 does not find the type of `fetch(…).value` in Swift 6 mode if no argument gives it.
    public func fetch<D: Decodable>(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        options: CallOptions = CallOptions()
    ) -> Transfer<D> { fatalError() }
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
        limits are options, in seconds: CallOptions(idleTimeout: 5) without a byte, totalTimeout: for an attempt, \
        deadline: for the call; a client's are configuration: .init(idleTimeout: 5)
        """
)
extension NetworkClientProtocol {
    public func fetch<D>(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        as type: D.Type = D.self,
        timeout: TimeInterval
    ) async throws -> NetworkClient.Response<D> { fatalError() }
    public func fetch(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        timeout: TimeInterval
    ) async throws -> NetworkClient.Response<Void> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension NetworkClient {
    @available(
        *,
        unavailable,
        message: """
            limits are in the configuration, in seconds: configuration: .init(idleTimeout: 10) without a byte, \
            totalTimeout: for an attempt; .standardResilience has a deadline for the call
            """
    )
    public convenience init(baseURL: String, interceptors: [any InterceptorProtocol] = [], timeout: TimeInterval) {
        fatalError()
    }
}
