#if canImport(Combine)
public import Combine
#endif

// Requests that cannot be built yet. Each function that accepts a builder has one unavailable overload, like the steps
// in the wrong order in `RequestBuilder+OutOfOrder.swift`.

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
        a call is fetch with a request: client.fetch(.get(path: "items"), as: [Item].self), or \
        client.fetch(.post(path: "items").bodyJson(of: item))
        """
)
extension NetworkClientProtocol {
    public func get(_ text: String) async throws -> NetworkClient.Response<Data> { fatalError() }
    public func delete(_ text: String) async throws -> NetworkClient.Response<Data> { fatalError() }
    public func post<Body>(_ text: String, _ body: Body) async throws -> NetworkClient.Response<Data> { fatalError() }
    public func put<Body>(_ text: String, _ body: Body) async throws -> NetworkClient.Response<Data> { fatalError() }
    public func patch<Body>(_ text: String, _ body: Body) async throws -> NetworkClient.Response<Data> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message:
        "a credential is given to .authentication, with its origins: .authentication(.bearer(token), origins: [url])"
)
extension InterceptorProtocol where Self == AuthenticationInterceptor {
    public static func bearer(_ token: String) -> AuthenticationInterceptor { fatalError() }
    public static func apiKey(_ key: String, header: String) -> AuthenticationInterceptor { fatalError() }
}
