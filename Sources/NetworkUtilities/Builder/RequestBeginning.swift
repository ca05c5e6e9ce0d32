public import Foundation

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// The beginning of the requests that are written where a client sends them.
///
/// The argument of a client's `fetch` is evaluated with a builder of that client, so that a request begun by a bare
/// `.get(path:)` has its base URL and its encoders.
package enum RequestBeginning {
    @TaskLocal private static var clientBuilder: URLRequest.PathBuilder?

    /// A base URL below which requests have relative URLs.
    private static let anyBase = URL(string: "/") ?? URL(fileURLWithPath: "/")

    static var builder: URLRequest.PathBuilder { clientBuilder ?? builder() }

    /// Returns a builder with a base URL; without one, its requests have URLs that a client with a base URL resolves.
    package static func builder(baseURL: URL? = nil, options: URLRequestBuilderOptions = .init())
        -> URLRequest.PathBuilder
    {
        URLRequest.builder(baseURL: baseURL ?? anyBase, options: options)
    }

    /// Creates the request of a closure, in which bare verbs begin with a builder.
    package static func request(
        from builder: URLRequest.PathBuilder,
        _ make: () throws -> RequestBuilder<some CompleteStage>
    ) throws -> URLRequest {
        try $clientBuilder.withValue(builder) { try make().build() }
    }

    /// A builder for complete URLs, with the same encoders.
    static var verbs: URLRequest.Builder { URLRequest.builder(options: builder.options) }
}

// The short way: requests that are written where a client sends them. At any stage, so that the type of the last step
// says where a bare verb is looked up.
extension RequestBuilder {
    /// Begins a GET request to a path below the client's base URL, where a client takes a request:
    /// `try await client.fetch(.get(path: "items").add(query: "page", value: 1), as: [Item].self)`.
    ///
    /// The builder has the client's encoders. Anywhere else the URL is relative, and the encoders are the default ones.
    /// Throws ``RequestPathError`` if the path is empty, or if a value in it would change the resource that it
    /// addresses.
    public static func get(path: RequestPath) throws(RequestPathError) -> RequestBuilder<QueryStage> {
        try RequestBeginning.builder.get(path: path)
    }

    /// Begins a HEAD request to a path; throws ``RequestPathError``.
    public static func head(path: RequestPath) throws(RequestPathError) -> RequestBuilder<QueryStage> {
        try RequestBeginning.builder.head(path: path)
    }

    /// Begins a DELETE request to a path; throws ``RequestPathError``.
    public static func delete(path: RequestPath) throws(RequestPathError) -> RequestBuilder<QueryStage> {
        try RequestBeginning.builder.delete(path: path)
    }

    /// Begins an OPTIONS request to a path; throws ``RequestPathError``.
    public static func options(path: RequestPath) throws(RequestPathError) -> RequestBuilder<QueryStage> {
        try RequestBeginning.builder.options(path: path)
    }

    /// Begins a POST request to a path; throws ``RequestPathError``.
    public static func post(path: RequestPath) throws(RequestPathError) -> RequestBuilder<BodyStage> {
        try RequestBeginning.builder.post(path: path)
    }

    /// Begins a PUT request to a path; throws ``RequestPathError``.
    public static func put(path: RequestPath) throws(RequestPathError) -> RequestBuilder<BodyStage> {
        try RequestBeginning.builder.put(path: path)
    }

    /// Begins a PATCH request to a path; throws ``RequestPathError``.
    public static func patch(path: RequestPath) throws(RequestPathError) -> RequestBuilder<BodyStage> {
        try RequestBeginning.builder.patch(path: path)
    }

    /// Begins a request with any method to a path; throws ``RequestPathError``.
    public static func method(
        _ method: HTTPMethod,
        path: RequestPath
    ) throws(RequestPathError) -> RequestBuilder<BodyStage> {
        try RequestBeginning.builder.method(method, path: path)
    }

    /// Begins a GET request to a complete URL, where a client takes a request; the builder has the client's encoders.
    public static func get(url: URL) -> RequestBuilder<QueryStage> { RequestBeginning.verbs.get(url: url) }

    /// Begins a HEAD request to a complete URL.
    public static func head(url: URL) -> RequestBuilder<QueryStage> { RequestBeginning.verbs.head(url: url) }

    /// Begins a DELETE request to a complete URL.
    public static func delete(url: URL) -> RequestBuilder<QueryStage> { RequestBeginning.verbs.delete(url: url) }

    /// Begins an OPTIONS request to a complete URL.
    public static func options(url: URL) -> RequestBuilder<QueryStage> { RequestBeginning.verbs.options(url: url) }

    /// Begins a POST request to a complete URL.
    public static func post(url: URL) -> RequestBuilder<BodyStage> { RequestBeginning.verbs.post(url: url) }

    /// Begins a PUT request to a complete URL.
    public static func put(url: URL) -> RequestBuilder<BodyStage> { RequestBeginning.verbs.put(url: url) }

    /// Begins a PATCH request to a complete URL.
    public static func patch(url: URL) -> RequestBuilder<BodyStage> { RequestBeginning.verbs.patch(url: url) }

    /// Begins a request with any method to a complete URL.
    public static func method(_ method: HTTPMethod, url: URL) -> RequestBuilder<BodyStage> {
        RequestBeginning.verbs.method(method, url: url)
    }

    /// Begins a GET request to a complete URL that is a text: `.get(http: "https://example.com/items")`.
    ///
    /// Throws ``HTTPURLError`` if the text isn't an `http` or `https` URL with a host.
    public static func get(http text: String) throws(HTTPURLError) -> RequestBuilder<QueryStage> {
        RequestBeginning.verbs.get(url: try URL(http: text))
    }

    /// Begins a HEAD request to a URL that is a text; throws ``HTTPURLError``.
    public static func head(http text: String) throws(HTTPURLError) -> RequestBuilder<QueryStage> {
        RequestBeginning.verbs.head(url: try URL(http: text))
    }

    /// Begins a DELETE request to a URL that is a text; throws ``HTTPURLError``.
    public static func delete(http text: String) throws(HTTPURLError) -> RequestBuilder<QueryStage> {
        RequestBeginning.verbs.delete(url: try URL(http: text))
    }

    /// Begins an OPTIONS request to a URL that is a text; throws ``HTTPURLError``.
    public static func options(http text: String) throws(HTTPURLError) -> RequestBuilder<QueryStage> {
        RequestBeginning.verbs.options(url: try URL(http: text))
    }

    /// Begins a POST request to a URL that is a text; throws ``HTTPURLError``.
    public static func post(http text: String) throws(HTTPURLError) -> RequestBuilder<BodyStage> {
        RequestBeginning.verbs.post(url: try URL(http: text))
    }

    /// Begins a PUT request to a URL that is a text; throws ``HTTPURLError``.
    public static func put(http text: String) throws(HTTPURLError) -> RequestBuilder<BodyStage> {
        RequestBeginning.verbs.put(url: try URL(http: text))
    }

    /// Begins a PATCH request to a URL that is a text; throws ``HTTPURLError``.
    public static func patch(http text: String) throws(HTTPURLError) -> RequestBuilder<BodyStage> {
        RequestBeginning.verbs.patch(url: try URL(http: text))
    }

    /// Begins a request with any method to a URL that is a text; throws ``HTTPURLError``.
    public static func method(_ method: HTTPMethod, http text: String) throws(HTTPURLError) -> RequestBuilder<BodyStage>
    {
        RequestBeginning.verbs.method(method, url: try URL(http: text))
    }
}
