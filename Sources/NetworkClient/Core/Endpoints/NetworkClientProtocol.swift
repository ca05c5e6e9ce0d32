/// A client that sends endpoints: ``NetworkClient/NetworkClient``, or a mock that replaces it.
///
/// Code that depends on `any NetworkClientProtocol` can be tested with a real client whose transport is a
/// `StubTransport` of NetworkClientTesting, which runs everything above the network. A mock that replaces the client
/// itself implements one method; all others of this protocol use it, or fail if they cannot:
///
/// ```swift
/// struct MockClient: NetworkClientProtocol {
///     let head: HTTPURLResponse
///     let respond: @Sendable (any Endpoint) throws -> any Sendable
///
///     func send<E: Endpoint>(
///         _ endpoint: E
///     ) async throws -> NetworkClient.Response<E.Value> {
///         guard let value = try respond(endpoint) as? E.Value else {
///             throw URLError(.resourceUnavailable)
///         }
///         return .init(item: value, httpResponse: head)
///     }
/// }
///
/// func mock(_ head: HTTPURLResponse) -> any NetworkClientProtocol {
///     MockClient(head: head) { _ in Item(id: 1, name: "a") }
/// }
/// ```
/// Every call of the protocol returns a `Sendable` value, since the client that makes it may run anywhere. For a value
/// that is not, fetch `Data` and decode it where you need it, or call ``NetworkClient/NetworkClient``, which decodes it
/// on the way to its caller.
public protocol NetworkClientProtocol: Sendable {
    /// Sends the request of an endpoint.
    ///
    /// - Returns: The endpoint's value, the status and the header fields.
    /// - Throws: ``NetworkClient/Error``; errors of the error mapper, of interceptors and of the endpoint;
    ///   `CancellationError` if the task was cancelled.
    @discardableResult
    func send<E: Endpoint>(_ endpoint: E) async throws -> NetworkClient.Response<E.Value>

    /// Sends the request of an endpoint with options that override the endpoint's own for this call.
    ///
    /// By default, ``send(_:)`` gets another endpoint that has both, of a type that a mock doesn't know. A mock that
    /// finds endpoints by their types implements this method too: `try await send(endpoint)`.
    ///
    /// - Throws: As ``send(_:)``.
    @discardableResult
    func send<E: Endpoint>(_ endpoint: E, options: CallOptions) async throws -> NetworkClient.Response<E.Value>

    /// Sends the request of an endpoint and returns when the head of an accepted response is received.
    func stream<E: Endpoint>(
        _ endpoint: E,
        options: CallOptions
    ) async throws -> NetworkClient.Response<ResponseBody>

    /// Starts to send the request of an endpoint, and reports the progress of sending its body.
    func upload<E: Endpoint>(_ endpoint: E, options: CallOptions) -> Transfer<NetworkClient.Response<E.Value>>

    /// Starts to receive the body of an endpoint's response into a file.
    func download<E: Endpoint>(
        _ endpoint: E,
        to destination: URL,
        resuming token: ResumeToken?,
        isResumable: Bool,
        options: CallOptions
    ) -> Download

    /// Cancels every call in flight.
    func cancelAll()

    /// The client whose decoder, clock and registry of calls the streams of this one use; by default nil.
    ///
    /// A client that wraps a ``NetworkClient/NetworkClient`` returns it, so that event streams and pages behave like
    /// that client's, and its ``cancelAll()`` reaches them. A mock has none.
    var underlyingClient: NetworkClient? { get }

    /// A builder for requests to this client.
    ///
    /// By default, the builder makes relative URLs and has the default encoders. A client that wraps another one
    /// returns the builder of that client.
    var request: URLRequest.PathBuilder { get }
}

extension NetworkClientProtocol {
    /// No client.
    public var underlyingClient: NetworkClient? { nil }

    /// A builder that makes relative URLs, which a client with a base URL can send.
    public var request: URLRequest.PathBuilder { CallBuilder.builder() }

    /// Sends the request of an endpoint with options that override the endpoint's own for this call.
    @discardableResult
    public func send<E: Endpoint>(
        _ endpoint: E,
        options: CallOptions
    ) async throws -> NetworkClient.Response<E.Value> {
        // A mock knows the endpoint by its type.
        options.isEmpty ? try await send(endpoint) : try await send(AdaptedEndpoint(endpoint, options))
    }

    /// Sends the request of an endpoint: another spelling of ``send(_:options:)``, for the verb that sends anything.
    ///
    /// A `URLRequest` is an endpoint, too, whose value is an ``EmptyResponse``.
    @discardableResult
    public func fetch<E: Endpoint>(
        _ endpoint: E,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<E.Value> {
        try await send(endpoint, options: options)
    }

    /// Sends the request of an endpoint whose value is an ``EmptyResponse``, as if none were named, and
    /// decodes the response as the type that the context demands.
    ///
    /// As in `let response: NetworkClient.Response<User> = try await client.fetch(endpoint)`.
    @_disfavoredOverload
    public func fetch<D: Decodable & Sendable>(
        _ endpoint: some Endpoint<EmptyResponse>,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<D> {
        try await fetch(endpoint, as: D.self, options: options)
    }

    /// Sends the request of an endpoint, and decodes the response as another type than the endpoint's own.
    ///
    /// Use `Data.self` for the bytes, ``EmptyResponse`` for the status alone, or the type for one case of an enum.
    /// `value(from:)` of the endpoint is not called. Throws as `fetch` does, also for a ``GraphQLOperation``.
    public func fetch<D: Decodable & Sendable>(
        _ endpoint: some Endpoint,
        as type: D.Type,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<D> {
        try await send(RetypedEndpoint<D>(endpoint), options: options)
    }

    /// Sends a request that was built before the call, and decodes its response.
    ///
    /// Throws as ``send(_:)`` does.
    public func fetch<D: Decodable & Sendable>(
        request: URLRequest,
        as type: D.Type = D.self,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<D> {
        try await send(RetypedEndpoint<D>(options) { _ in request })
    }

    /// Sends a request that was built before the call, and ignores the body of its response.
    ///
    /// Throws as ``send(_:)`` does.
    @discardableResult
    public func fetch(
        request: URLRequest,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<Void> {
        try await send(RetypedEndpoint<EmptyResponse>(.success(request), options)).map { _ in }
    }

    /// Builds a request, sends it, and decodes its response.
    ///
    /// ```swift
    /// let items = try await client.fetch(
    ///     .get(path: "items").add(query: "page", value: 1),
    ///     as: [Item].self
    /// ).item
    /// ```
    /// A request that begins with a bare verb, such as `.get`, has the base URL and the encoders of ``request``.
    ///
    /// - Parameters:
    ///   - request: A builder at any stage that can be built.
    ///   - type: The type of the value: a model, `Data`, `String`, `Bool` or ``EmptyResponse``.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The decoded value, the status and the header fields.
    /// - Throws: As ``send(_:)``, and the errors of the builder.
    public nonisolated(nonsending) func fetch<D: Decodable & Sendable>(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        as type: D.Type = D.self,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<D> {
        try await send(RetypedEndpoint<D>(made(request), options))
    }

    /// Builds a request, sends it, and ignores the body of its response.
    ///
    /// Otherwise behaves like ``fetch(_:as:options:)-(()->RequestBuilder<CompleteStage>,_,_)``.
    @discardableResult
    public nonisolated(nonsending) func fetch(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<Void> {
        try await send(RetypedEndpoint<EmptyResponse>(made(request), options)).map { _ in }
    }

    /// Builds a request that begins with the builder of this client; an error becomes the failure of the call.
    func made(_ request: () throws -> RequestBuilder<some CompleteStage>) -> Result<URLRequest, any Error> {
        Result { try CallBuilder.request(from: self.request) { try request().build() } }
    }
}

/// The endpoint of a request, with a response type that the caller chooses.
struct RetypedEndpoint<Response: Decodable & Sendable>: Endpoint {
    typealias Value = Response

    let options: CallOptions
    private let make: @Sendable (URLRequest.PathBuilder) throws -> URLRequest

    init(_ options: CallOptions, _ make: @escaping @Sendable (URLRequest.PathBuilder) throws -> URLRequest) {
        self.options = options
        self.make = make
    }

    /// Creates the endpoint of a request that was built before, or could not be built.
    init(_ made: Result<URLRequest, any Error>, _ options: CallOptions) {
        self.init(options) { _ in try made.get() }
    }

    /// Creates the endpoint with another response type; the statuses that the original type accepts stay accepted.
    init<E: Endpoint>(_ endpoint: E) {
        self.init(endpoint.options.accepting(ResponseType<Response>()).accepting(ResponseType<E.Response>())) {
            try endpoint.request(from: $0)
        }
    }

    func request(from builder: URLRequest.PathBuilder) throws -> URLRequest { try make(builder) }
}
