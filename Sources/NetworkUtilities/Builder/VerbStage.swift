/// The first stage: the method and the URL of the request.
public enum VerbStage: OpeningStage {}

/// The first stage of a builder that has a base URL: the method and the path of the request.
///
/// Paths are written with interpolation: see ``RequestPath``.
public enum PathVerbStage: OpeningStage {}

/// A stage at which no method has been chosen yet: ``VerbStage`` and ``PathVerbStage``.
public protocol OpeningStage: QuerylessStage {}

extension RequestBuilder where Stage: OpeningStage {
    /// Replaces the encoders of bodies in an existing builder, such as the builder of a client.
    public consuming func encoding(with options: URLRequestBuilderOptions) -> Self { moved { $0.options = options } }
}

extension RequestBuilder where Stage == VerbStage {
    /// Begins a GET request, which has no body.
    ///
    /// The URL is absolute, or relative to the base URL of the client that will send the request.
    public consuming func get(url: URL) -> RequestBuilder<QueryStage> { begin(.get, url) }

    /// Begins a HEAD request, which has no body.
    public consuming func head(url: URL) -> RequestBuilder<QueryStage> { begin(.head, url) }

    /// Begins a DELETE request without a body; use `method(.delete, url:)` to send one with a body.
    public consuming func delete(url: URL) -> RequestBuilder<QueryStage> { begin(.delete, url) }

    /// Begins an OPTIONS request without a body; use `method(.options, url:)` to send one with a body.
    public consuming func options(url: URL) -> RequestBuilder<QueryStage> { begin(.options, url) }

    /// Begins a TRACE request, which has no body.
    public consuming func trace(url: URL) -> RequestBuilder<QueryStage> { begin(.trace, url) }

    /// Begins a CONNECT request, which has no body.
    public consuming func connect(url: URL) -> RequestBuilder<QueryStage> { begin(.connect, url) }

    /// Begins a POST request.
    public consuming func post(url: URL) -> RequestBuilder<BodyStage> { begin(.post, url) }

    /// Begins a PUT request.
    public consuming func put(url: URL) -> RequestBuilder<BodyStage> { begin(.put, url) }

    /// Begins a PATCH request.
    public consuming func patch(url: URL) -> RequestBuilder<BodyStage> { begin(.patch, url) }

    /// Begins a request with any method, and opens the body stage: for DELETE with a body and for custom methods.
    ///
    /// ```swift
    /// let request = try URLRequest.build()
    ///     .method(HTTPMethod("PROPFIND"), url: url)
    ///     .noBody()
    ///     .build()
    /// ```
    ///
    /// A client refuses to send GET, HEAD, TRACE and CONNECT with a body (RFC 9110 §9.3).
    public consuming func method(_ method: HTTPMethod, url: URL) -> RequestBuilder<BodyStage> { begin(method, url) }

    private consuming func begin<Next>(_ method: HTTPMethod, _ url: URL) -> RequestBuilder<Next> {
        moved { $0.begin(method, url) }
    }
}

extension RequestBuilder where Stage == PathVerbStage {
    /// Begins a GET request, which has no body.
    ///
    /// The path is appended to the base URL, with or without a `/` in front. Throws ``RequestPathError`` if the path is
    /// empty, or if a value in it would change the resource that it addresses.
    public consuming func get(path: RequestPath) throws(RequestPathError) -> RequestBuilder<QueryStage> {
        try begin(.get, path)
    }

    /// Begins a HEAD request, which has no body; throws ``RequestPathError``.
    public consuming func head(path: RequestPath) throws(RequestPathError) -> RequestBuilder<QueryStage> {
        try begin(.head, path)
    }

    /// Begins a DELETE request without a body; throws ``RequestPathError``.
    ///
    /// Use `method(.delete, path:)` to send one with a body.
    public consuming func delete(path: RequestPath) throws(RequestPathError) -> RequestBuilder<QueryStage> {
        try begin(.delete, path)
    }

    /// Begins an OPTIONS request without a body; throws ``RequestPathError``.
    ///
    /// Use `method(.options, path:)` to send one with a body.
    public consuming func options(path: RequestPath) throws(RequestPathError) -> RequestBuilder<QueryStage> {
        try begin(.options, path)
    }

    /// Begins a TRACE request, which has no body; throws ``RequestPathError``.
    public consuming func trace(path: RequestPath) throws(RequestPathError) -> RequestBuilder<QueryStage> {
        try begin(.trace, path)
    }

    /// Begins a POST request; throws ``RequestPathError``.
    public consuming func post(path: RequestPath) throws(RequestPathError) -> RequestBuilder<BodyStage> {
        try begin(.post, path)
    }

    /// Begins a PUT request; throws ``RequestPathError``.
    public consuming func put(path: RequestPath) throws(RequestPathError) -> RequestBuilder<BodyStage> {
        try begin(.put, path)
    }

    /// Begins a PATCH request; throws ``RequestPathError``.
    public consuming func patch(path: RequestPath) throws(RequestPathError) -> RequestBuilder<BodyStage> {
        try begin(.patch, path)
    }

    /// Begins a request with any method, and opens the body stage: for DELETE with a body and for custom methods.
    ///
    /// Throws ``RequestPathError``. A client refuses to send GET, HEAD, TRACE and CONNECT with a body (RFC 9110 §9.3).
    public consuming func method(
        _ method: HTTPMethod,
        path: RequestPath
    ) throws(RequestPathError) -> RequestBuilder<BodyStage> {
        try begin(method, path)
    }

    /// Begins a request to the base URL itself.
    package consuming func method(_ method: HTTPMethod) -> RequestBuilder<BodyStage> {
        moved { $0.begin(method, $0.target.url) }
    }

    private consuming func begin<Next>(
        _ method: HTTPMethod,
        _ path: RequestPath
    ) throws(RequestPathError) -> RequestBuilder<Next> {
        try draft.begin(method, path)
        return RequestBuilder<Next>(draft)
    }
}
