/// The first stage of a builder that has a base URL: which method, and on which path.
///
/// Paths are written with interpolation: see ``RequestPath``.
public enum PathVerbStage: OpeningStage {}

extension RequestBuilder where Stage == PathVerbStage {
    /// Starts a GET request, which has no body.
    ///
    /// - Parameter path: The path behind the base URL, with or without a `/` in front.
    /// - Returns: The query stage.
    /// - Throws: ``RequestPathError`` if the path would lead elsewhere than it says.
    public consuming func get(path: RequestPath) throws(RequestPathError) -> RequestBuilder<QueryStage> {
        try begin(.get, path)
    }

    /// Starts a HEAD request, which has no body.
    ///
    /// - Parameter path: The path, as for ``get(path:)``.
    /// - Returns: The query stage.
    /// - Throws: ``RequestPathError``.
    public consuming func head(path: RequestPath) throws(RequestPathError) -> RequestBuilder<QueryStage> {
        try begin(.head, path)
    }

    /// Starts a DELETE request without a body; one with a body starts with `method(.delete, path:)`.
    ///
    /// - Parameter path: The path, as for ``get(path:)``.
    /// - Returns: The query stage.
    /// - Throws: ``RequestPathError``.
    public consuming func delete(path: RequestPath) throws(RequestPathError) -> RequestBuilder<QueryStage> {
        try begin(.delete, path)
    }

    /// Starts an OPTIONS request without a body; one with a body starts with `method(.options, path:)`.
    ///
    /// - Parameter path: The path, as for ``get(path:)``.
    /// - Returns: The query stage.
    /// - Throws: ``RequestPathError``.
    public consuming func options(path: RequestPath) throws(RequestPathError) -> RequestBuilder<QueryStage> {
        try begin(.options, path)
    }

    /// Starts a TRACE request, which has no body.
    ///
    /// - Parameter path: The path, as for ``get(path:)``.
    /// - Returns: The query stage.
    /// - Throws: ``RequestPathError``.
    public consuming func trace(path: RequestPath) throws(RequestPathError) -> RequestBuilder<QueryStage> {
        try begin(.trace, path)
    }

    /// Starts a POST request.
    ///
    /// - Parameter path: The path, as for ``get(path:)``.
    /// - Returns: The body stage.
    /// - Throws: ``RequestPathError``.
    public consuming func post(path: RequestPath) throws(RequestPathError) -> RequestBuilder<BodyStage> {
        try begin(.post, path)
    }

    /// Starts a PUT request.
    ///
    /// - Parameter path: The path, as for ``get(path:)``.
    /// - Returns: The body stage.
    /// - Throws: ``RequestPathError``.
    public consuming func put(path: RequestPath) throws(RequestPathError) -> RequestBuilder<BodyStage> {
        try begin(.put, path)
    }

    /// Starts a PATCH request.
    ///
    /// - Parameter path: The path, as for ``get(path:)``.
    /// - Returns: The body stage.
    /// - Throws: ``RequestPathError``.
    public consuming func patch(path: RequestPath) throws(RequestPathError) -> RequestBuilder<BodyStage> {
        try begin(.patch, path)
    }

    /// Starts a request with any method, and opens the body stage: for DELETE with a body and for methods of your own.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, as for ``get(path:)``.
    /// - Returns: The body stage.
    /// - Throws: ``RequestPathError``.
    public consuming func method(_ method: HTTPMethod, path: RequestPath) throws(RequestPathError) -> RequestBuilder<
        BodyStage
    > {
        try begin(method, path)
    }

    private consuming func begin<Next>(_ method: HTTPMethod, _ path: RequestPath) throws(RequestPathError)
        -> RequestBuilder<Next>
    {
        try draft.begin(method, path)
        return RequestBuilder<Next>(draft)
    }
}
