public import Foundation

/// The first stage: which method, and on what.
public enum VerbStage: OpeningStage {}

extension RequestBuilder where Stage == VerbStage {
    /// Starts a GET request, which has no body.
    ///
    /// - Parameter url: The resource, absolute, or relative to the base URL of the client that will send it.
    /// - Returns: The query stage.
    public consuming func get(url: URL) -> RequestBuilder<QueryStage> { begin(.get, url) }

    /// Starts a HEAD request, which has no body.
    ///
    /// - Parameter url: The resource, as for ``get(url:)``.
    /// - Returns: The query stage.
    public consuming func head(url: URL) -> RequestBuilder<QueryStage> { begin(.head, url) }

    /// Starts a DELETE request without a body; one with a body starts with `method(.delete, url:)`.
    ///
    /// - Parameter url: The resource, as for ``get(url:)``.
    /// - Returns: The query stage.
    public consuming func delete(url: URL) -> RequestBuilder<QueryStage> { begin(.delete, url) }

    /// Starts an OPTIONS request without a body; one with a body starts with `method(.options, url:)`.
    ///
    /// - Parameter url: The resource, as for ``get(url:)``.
    /// - Returns: The query stage.
    public consuming func options(url: URL) -> RequestBuilder<QueryStage> { begin(.options, url) }

    /// Starts a TRACE request, which has no body.
    ///
    /// - Parameter url: The resource, as for ``get(url:)``.
    /// - Returns: The query stage.
    public consuming func trace(url: URL) -> RequestBuilder<QueryStage> { begin(.trace, url) }

    /// Starts a CONNECT request, which has no body.
    ///
    /// - Parameter url: The resource, as for ``get(url:)``.
    /// - Returns: The query stage.
    public consuming func connect(url: URL) -> RequestBuilder<QueryStage> { begin(.connect, url) }

    /// Starts a POST request.
    ///
    /// - Parameter url: The resource, as for ``get(url:)``.
    /// - Returns: The body stage.
    public consuming func post(url: URL) -> RequestBuilder<BodyStage> { begin(.post, url) }

    /// Starts a PUT request.
    ///
    /// - Parameter url: The resource, as for ``get(url:)``.
    /// - Returns: The body stage.
    public consuming func put(url: URL) -> RequestBuilder<BodyStage> { begin(.put, url) }

    /// Starts a PATCH request.
    ///
    /// - Parameter url: The resource, as for ``get(url:)``.
    /// - Returns: The body stage.
    public consuming func patch(url: URL) -> RequestBuilder<BodyStage> { begin(.patch, url) }

    /// Starts a request with any method, and opens the body stage: for DELETE with a body and for methods of your own.
    ///
    /// ```swift
    /// let request = try URLRequest.build()
    ///     .method(HTTPMethod("PROPFIND"), url: url)
    ///     .noBody()
    ///     .build()
    /// ```
    ///
    /// - Parameters:
    ///   - method: The method. GET, HEAD, TRACE and CONNECT with a body are refused when they are sent (RFC 9110 §9.3).
    ///   - url: The resource, as for ``get(url:)``.
    /// - Returns: The body stage.
    public consuming func method(_ method: HTTPMethod, url: URL) -> RequestBuilder<BodyStage> { begin(method, url) }

    private consuming func begin<Next>(_ method: HTTPMethod, _ url: URL) -> RequestBuilder<Next> {
        moved { $0.begin(method, url) }
    }
}
