/// Describes a call: its request, the type of its response, and the settings that differ from the client's.
///
/// ```swift
/// struct ItemEndpoint: Endpoint {
///     typealias Response = Item
///     let id: Int
///
///     func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
///         try builder.get(path: "/items/\(id)").build()
///     }
/// }
///
/// extension Endpoint where Self == ItemEndpoint {
///     static func item(id: Int) -> ItemEndpoint { ItemEndpoint(id: id) }
/// }
///
/// let item = try await client.fetch(.item(id: 1)).item
/// ```
/// One endpoint can be sent by several clients, each with its own base URL.
public protocol Endpoint<Value>: Sendable {
    /// The type that the response is decoded as: a model, `Data`, `String`, `Bool` or ``EmptyResponse``.
    associatedtype Response: Decodable & Sendable = EmptyResponse

    /// The type that the caller receives.
    associatedtype Value: Sendable = Response

    /// Returns the request, made from a builder that begins at the base URL of the client.
    ///
    /// A request with a complete URL, from `URLRequest.get(url:)` and the like, needs no base URL. The builder has the
    /// client's encoders, which `builder.encoding(with:)` replaces. If this method throws an error, the call fails with
    /// it, and nothing is sent; a `BodyEncodingError` becomes ``NetworkClient/Error/encodingError(type:)``, and a
    /// `BodySourceError` a ``NetworkClient/Error`` with the reason ``TransportError/Reason/bodyUnreadable``.
    func request(from builder: URLRequest.PathBuilder) throws -> URLRequest

    /// The settings that differ from the client's, such as the decoder, accepted statuses, timeouts and errors by
    /// status: `CallOptions(errorMapper: [404: BookNotFound(id: id)], idleTimeout: 5)`.
    var options: CallOptions { get }

    /// Returns the value for the caller, made from the decoded response.
    ///
    /// It may wait. If it throws an error, the call fails with that error, and the request is not sent again.
    /// Cancelling the caller's task cancels this method. `cancelAll()` also cancels it if `Value` is another type than
    /// `Response`; otherwise the call fails with `CancellationError` when this method returns.
    func value(from response: NetworkClient.Response<Response>) async throws -> Value
}

extension Endpoint {
    /// Options without any setting.
    public var options: CallOptions { CallOptions() }
}

extension Endpoint where Value == Response {
    /// Returns the decoded response unchanged.
    public func value(from response: NetworkClient.Response<Response>) async throws -> Value { response.item }
}

// Without this, the compiler does not infer both types from their defaults.
extension Endpoint where Response == EmptyResponse, Value == EmptyResponse {
    /// Returns the decoded response unchanged.
    public func value(from response: NetworkClient.Response<EmptyResponse>) async throws -> EmptyResponse {
        response.item
    }
}

extension Endpoint {
    /// Returns the endpoint with another type of response, for the calls that take an endpoint.
    ///
    /// ```swift
    /// let pages = client.pages(request.decoded(as: [Item].self))
    /// ```
    /// `value(from:)` of the endpoint is not called; the statuses that the original type accepts stay accepted.
    public func decoded<D: Decodable & Sendable>(as type: D.Type) -> some Endpoint<D> { RetypedEndpoint<D>(self) }
}

extension URLRequest: Endpoint {
    /// A request that was built before has no response type: ``Endpoint/decoded(as:)`` gives it one.
    public typealias Response = EmptyResponse

    /// Returns the request itself; a relative URL is appended to the base URL of the client.
    public func request(from builder: URLRequest.PathBuilder) -> URLRequest { self }
}

/// An endpoint that reads the errors in responses whose status is not accepted.
protocol FailedResponseReader: Endpoint {
    /// Returns the error for the caller, made from the client's error.
    func error(for error: NetworkClient.Error) -> any Error
}

/// An endpoint with other options, and perhaps with a request that was made before.
struct AdaptedEndpoint<Base: Endpoint>: FailedResponseReader {
    typealias Response = Base.Response
    typealias Value = Base.Value

    let base: Base
    let options: CallOptions
    private let made: Result<URLRequest, any Error>?

    /// Creates the endpoint with the options of a call, which override its own.
    init(_ base: Base, _ options: CallOptions, made: Result<URLRequest, any Error>? = nil) {
        self.base = base
        self.options = base.options.overridden(by: options)
        self.made = made
    }

    func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
        try made?.get() ?? base.request(from: builder)
    }

    func value(from response: NetworkClient.Response<Base.Response>) async throws -> Base.Value {
        try await base.value(from: response)
    }

    func error(for error: NetworkClient.Error) -> any Error {
        (base as? any FailedResponseReader)?.error(for: error) ?? error
    }
}
