extension NetworkClientProtocol {
    /// Builds a request, and starts to receive the body of its response into a file.
    ///
    /// ```swift
    /// let download = try client.download(.get(path: "photos/1"), to: fileURL)
    /// ```
    /// A request that begins with a bare verb has the client's base URL and its encoders. The mark `try` belongs to the
    /// request; `download` itself never throws. Otherwise behaves like
    /// ``download(_:to:resuming:isResumable:options:)``.
    ///
    /// - Parameters:
    ///   - request: A builder at any stage that can be built; evaluated once, before the function returns.
    ///   - destination: A `file:` URL in an existing folder.
    ///   - token: The token of an earlier download of the same resource to the same destination.
    ///   - isResumable: Whether an incomplete file is kept; it is always kept if there is a token.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The download; its value throws the errors of the builder, too.
    public func download(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        to destination: URL,
        resuming token: ResumeToken? = nil,
        isResumable: Bool = false,
        options: CallOptions = CallOptions()
    ) -> Download {
        let endpoint = RetypedEndpoint<EmptyResponse>(made(request), options)
        return download(endpoint, to: destination, resuming: token, isResumable: isResumable)
    }
}
