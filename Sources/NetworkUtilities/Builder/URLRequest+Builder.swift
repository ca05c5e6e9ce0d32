public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLRequest {
    /// A builder at its first stage.
    public typealias Builder = RequestBuilder<VerbStage>

    /// A builder with a base URL, at its first stage.
    public typealias PathBuilder = RequestBuilder<PathVerbStage>

    /// A builder that needs a body step.
    public typealias BodyBuilder = RequestBuilder<BodyStage>

    /// A builder that accepts query items; it can be used where a ``HeaderBuilder`` or ``ResultBuilder`` is expected.
    public typealias QueryBuilder = RequestBuilder<QueryStage>

    /// A builder that accepts header fields.
    public typealias HeaderBuilder = any HeaderBuilding

    /// A builder that can create its request.
    public typealias ResultBuilder = any ResultBuilding

    /// Begins a request.
    public static func build() -> Builder { builder(options: .standard) }

    /// Begins a request.
    public static func builder() -> Builder { build() }

    /// Begins a request whose bodies are encoded with custom encoders.
    public static func builder(with options: URLRequestBuilderOptions) -> Builder { builder(options: options) }

    /// Begins a request whose bodies are encoded with custom encoders.
    public static func builder(options: URLRequestBuilderOptions) -> Builder {
        RequestBuilder(RequestDraft(options: options))
    }

    /// Begins requests to paths below one URL.
    ///
    /// ```swift
    /// let api = URLRequest.builder(baseURL: URL(string: "https://api.example.com/v1")!)
    /// let posts = try api.get(path: "/users/\(42)/posts").build()      // https://api.example.com/v1/users/42/posts
    /// ```
    /// The base URL may end in a `/`. Its query and fragment stay.
    public static func builder(baseURL: URL, options: URLRequestBuilderOptions = .init()) -> PathBuilder {
        RequestBuilder(RequestDraft(options: options, baseURL: baseURL))
    }

    /// Begins a GET request: short for `build().get(url:)`.
    public static func get(url: URL) -> QueryBuilder { build().get(url: url) }

    /// Begins a HEAD request: short for `build().head(url:)`.
    public static func head(url: URL) -> QueryBuilder { build().head(url: url) }

    /// Begins an OPTIONS request: short for `build().options(url:)`.
    public static func options(url: URL) -> QueryBuilder { build().options(url: url) }

    /// Begins a TRACE request: short for `build().trace(url:)`.
    public static func trace(url: URL) -> QueryBuilder { build().trace(url: url) }

    /// Begins a CONNECT request: short for `build().connect(url:)`.
    public static func connect(url: URL) -> QueryBuilder { build().connect(url: url) }

    /// Begins a POST request: short for `build().post(url:)`.
    public static func post(url: URL) -> BodyBuilder { build().post(url: url) }

    /// Begins a PUT request: short for `build().put(url:)`.
    public static func put(url: URL) -> BodyBuilder { build().put(url: url) }

    /// Begins a PATCH request: short for `build().patch(url:)`.
    public static func patch(url: URL) -> BodyBuilder { build().patch(url: url) }

    /// Begins a DELETE request: short for `build().delete(url:)`.
    public static func delete(url: URL) -> QueryBuilder { build().delete(url: url) }

    /// Begins a request with any method and opens the body stage: short for `build().method(_:url:)`.
    public static func method(_ method: HTTPMethod, url: URL) -> BodyBuilder { build().method(method, url: url) }
}
