extension NetworkClientProtocol {
    /// Starts to receive the body of a response into a file.
    ///
    /// The bytes go to a hidden file beside the destination. When it is complete and on the disk, it replaces the
    /// destination in one step and takes over the permissions of an existing file. After a failure the hidden file is
    /// removed, unless the download is resumable: then ``Download/resumeToken`` continues it, also after a relaunch.
    ///
    /// When an interceptor sends the request again, for example after a lost connection, only the missing bytes are
    /// requested, if the server identified the state of the resource by a strong `ETag` or a `Last-Modified` (RFC 9110
    /// §14); if the resource has changed, it is received from the beginning. If the server sends fewer bytes than
    /// requested, the download requests the others itself: like the hops of redirects, these requests belong to one
    /// attempt, with its credentials and its total timeout. If one fails, as with 401, the interceptors get the error,
    /// and their next attempt continues from there.
    ///
    /// No compression is requested, so that the file is identical to the server's. A request with a `Range` gets
    /// the bytes that the server sends for it. The body limit does not apply.
    ///
    /// - Parameters:
    ///   - request: The request; a URL without a scheme is appended to the configuration's base URL.
    ///   - destination: A `file:` URL in an existing folder. Symbolic links are followed; folders, devices, pipes and
    ///     sockets are refused.
    ///   - token: The token of an earlier download of the same resource to the same destination. If the bytes of that
    ///     download are missing, this one starts from the beginning; if it was cancelled and has not ended yet, this
    ///     one waits for it.
    ///   - isResumable: Whether an incomplete file is kept; it is always kept if there is a token.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The download; its value is the response, whose item is nil if nothing was written. It throws
    ///   ``TransportError/Reason/fileNotWritten`` if the destination cannot be written, usually before anything is
    ///   sent.
    public func download(
        request: URLRequest,
        to destination: URL,
        resuming token: ResumeToken? = nil,
        isResumable: Bool = false,
        options: CallOptions = CallOptions()
    ) -> Download {
        let endpoint = RetypedEndpoint<EmptyResponse>(.success(request), options)
        return download(endpoint, to: destination, resuming: token, isResumable: isResumable)
    }

    /// Builds a request, and starts to receive the body of its response into a file.
    ///
    /// ```swift
    /// let download = try client.download(.get(path: "photos/1"), to: fileURL)
    /// ```
    /// A request that begins with a bare verb has the client's base URL and its encoders. Otherwise behaves like
    /// ``download(request:to:resuming:isResumable:options:)``.
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
