/// A type whose static functions begin a request: ``RequestBuilder`` and `URLRequest`.
///
/// In the argument of a client's call, these functions begin with the client's base URL and its encoders: `try await
/// client.fetch(.get(path: "items").add(query: "page", value: 1), as: [Item].self)`. Anywhere else, a path becomes a
/// relative URL, and the default encoders are used. Other types need not conform.
public protocol RequestBeginning {}

// A builder conforms at every stage, because Swift looks up a bare verb in the type of the chain's last step.
extension RequestBuilder: RequestBeginning {}

extension URLRequest: RequestBeginning {}

extension RequestBeginning {
    /// Begins a GET request to a path below the client's base URL, in the argument of a client's call.
    ///
    /// Throws ``RequestPathError`` if the path is empty, or if a value in it would change the resource that it
    /// addresses.
    public static func get(path: RequestPath) throws(RequestPathError) -> RequestBuilder<QueryStage> {
        try CallBuilder.current.get(path: path)
    }

    /// Begins a HEAD request to a path; throws ``RequestPathError``.
    public static func head(path: RequestPath) throws(RequestPathError) -> RequestBuilder<QueryStage> {
        try CallBuilder.current.head(path: path)
    }

    /// Begins a DELETE request to a path; throws ``RequestPathError``.
    public static func delete(path: RequestPath) throws(RequestPathError) -> RequestBuilder<QueryStage> {
        try CallBuilder.current.delete(path: path)
    }

    /// Begins an OPTIONS request to a path; throws ``RequestPathError``.
    public static func options(path: RequestPath) throws(RequestPathError) -> RequestBuilder<QueryStage> {
        try CallBuilder.current.options(path: path)
    }

    /// Begins a POST request to a path; throws ``RequestPathError``.
    public static func post(path: RequestPath) throws(RequestPathError) -> RequestBuilder<BodyStage> {
        try CallBuilder.current.post(path: path)
    }

    /// Begins a PUT request to a path; throws ``RequestPathError``.
    public static func put(path: RequestPath) throws(RequestPathError) -> RequestBuilder<BodyStage> {
        try CallBuilder.current.put(path: path)
    }

    /// Begins a PATCH request to a path; throws ``RequestPathError``.
    public static func patch(path: RequestPath) throws(RequestPathError) -> RequestBuilder<BodyStage> {
        try CallBuilder.current.patch(path: path)
    }

    /// Begins a request with any method to a path; throws ``RequestPathError``.
    public static func method(
        _ method: HTTPMethod,
        path: RequestPath
    ) throws(RequestPathError) -> RequestBuilder<BodyStage> {
        try CallBuilder.current.method(method, path: path)
    }

    /// Begins a GET request to a complete URL.
    public static func get(url: URL) -> RequestBuilder<QueryStage> { CallBuilder.verbs.get(url: url) }

    /// Begins a HEAD request to a complete URL.
    public static func head(url: URL) -> RequestBuilder<QueryStage> { CallBuilder.verbs.head(url: url) }

    /// Begins a DELETE request to a complete URL.
    public static func delete(url: URL) -> RequestBuilder<QueryStage> { CallBuilder.verbs.delete(url: url) }

    /// Begins an OPTIONS request to a complete URL.
    public static func options(url: URL) -> RequestBuilder<QueryStage> { CallBuilder.verbs.options(url: url) }

    /// Begins a TRACE request to a complete URL.
    public static func trace(url: URL) -> RequestBuilder<QueryStage> { CallBuilder.verbs.trace(url: url) }

    /// Begins a CONNECT request to a complete URL.
    public static func connect(url: URL) -> RequestBuilder<QueryStage> { CallBuilder.verbs.connect(url: url) }

    /// Begins a POST request to a complete URL.
    public static func post(url: URL) -> RequestBuilder<BodyStage> { CallBuilder.verbs.post(url: url) }

    /// Begins a PUT request to a complete URL.
    public static func put(url: URL) -> RequestBuilder<BodyStage> { CallBuilder.verbs.put(url: url) }

    /// Begins a PATCH request to a complete URL.
    public static func patch(url: URL) -> RequestBuilder<BodyStage> { CallBuilder.verbs.patch(url: url) }

    /// Begins a request with any method to a complete URL.
    public static func method(_ method: HTTPMethod, url: URL) -> RequestBuilder<BodyStage> {
        CallBuilder.verbs.method(method, url: url)
    }

    /// Begins a GET request to a complete URL in a string: `.get(http: "https://example.com/items")`.
    ///
    /// Throws ``HTTPURLError`` if the string isn't an `http` or `https` URL with a host.
    public static func get(http text: String) throws(HTTPURLError) -> RequestBuilder<QueryStage> {
        CallBuilder.verbs.get(url: try URL(http: text))
    }

    /// Begins a HEAD request to a URL in a string; throws ``HTTPURLError``.
    public static func head(http text: String) throws(HTTPURLError) -> RequestBuilder<QueryStage> {
        CallBuilder.verbs.head(url: try URL(http: text))
    }

    /// Begins a DELETE request to a URL in a string; throws ``HTTPURLError``.
    public static func delete(http text: String) throws(HTTPURLError) -> RequestBuilder<QueryStage> {
        CallBuilder.verbs.delete(url: try URL(http: text))
    }

    /// Begins an OPTIONS request to a URL in a string; throws ``HTTPURLError``.
    public static func options(http text: String) throws(HTTPURLError) -> RequestBuilder<QueryStage> {
        CallBuilder.verbs.options(url: try URL(http: text))
    }

    /// Begins a POST request to a URL in a string; throws ``HTTPURLError``.
    public static func post(http text: String) throws(HTTPURLError) -> RequestBuilder<BodyStage> {
        CallBuilder.verbs.post(url: try URL(http: text))
    }

    /// Begins a PUT request to a URL in a string; throws ``HTTPURLError``.
    public static func put(http text: String) throws(HTTPURLError) -> RequestBuilder<BodyStage> {
        CallBuilder.verbs.put(url: try URL(http: text))
    }

    /// Begins a PATCH request to a URL in a string; throws ``HTTPURLError``.
    public static func patch(http text: String) throws(HTTPURLError) -> RequestBuilder<BodyStage> {
        CallBuilder.verbs.patch(url: try URL(http: text))
    }

    /// Begins a request with any method to a URL in a string; throws ``HTTPURLError``.
    public static func method(_ method: HTTPMethod, http text: String) throws(HTTPURLError) -> RequestBuilder<BodyStage>
    {
        CallBuilder.verbs.method(method, url: try URL(http: text))
    }
}

/// The builder with which a request in the argument of a client's call begins.
///
/// The argument of a client's `fetch` is evaluated with a builder of that client, so that a request begun by a bare
/// `.get(path:)` has its base URL and its encoders.
package enum CallBuilder {
    @TaskLocal private static var ofClient: URLRequest.PathBuilder?

    /// A base URL below which requests have relative URLs.
    private static let anyBase = URL(string: "/") ?? URL(fileURLWithPath: "/")

    static var current: URLRequest.PathBuilder { ofClient ?? builder() }

    /// A builder for complete URLs, with the same encoders.
    static var verbs: URLRequest.Builder { URLRequest.builder(options: ofClient?.options ?? .standard) }

    /// Returns a builder with a base URL; without one, the requests have relative URLs, which a client resolves.
    package static func builder(baseURL: URL? = nil, options: URLRequestBuilderOptions = .init())
        -> URLRequest.PathBuilder
    {
        URLRequest.builder(baseURL: baseURL ?? anyBase, options: options)
    }

    /// Creates a request with a closure, in which bare verbs such as `.get(path:)` begin with a builder.
    package static func request(
        from builder: URLRequest.PathBuilder,
        _ make: () throws -> URLRequest
    ) throws -> URLRequest {
        try $ofClient.withValue(builder) { try make() }
    }
}
