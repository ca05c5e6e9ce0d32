extension NetworkClient {
    /// Starts to receive the body of an endpoint's response into a file; a `URLRequest` is an endpoint, too.
    ///
    /// `value(from:)` of the endpoint is not called.
    ///
    /// The bytes go to a hidden file beside the destination. When it is complete and on the disk, it replaces the
    /// destination in one step and takes over the permissions of an existing file. After a failure the hidden file is
    /// removed, unless the download is resumable: then ``Download/resumeToken`` continues it, also after a relaunch.
    ///
    /// When an interceptor sends the request again, for example after a lost connection, only the missing bytes are
    /// requested, if the server identified the state of the resource by a strong `ETag` or a `Last-Modified` (RFC 9110
    /// §14); if the resource has changed, it is received from the beginning. If the server sends fewer bytes than
    /// requested, the download requests the others itself: like the hops of redirects, these requests belong to one
    /// attempt, with its credentials and its timeout. If one fails, as with 401, the interceptors get the error, and
    /// their next attempt continues from there.
    ///
    /// No compression is requested, so that the file is identical to the server's. A request with a `Range` gets
    /// the bytes that the server sends for it. The body limit does not apply.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint; a URL without a scheme is appended to the configuration's base URL.
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
    public func download<E: Endpoint>(
        _ endpoint: E,
        to destination: URL,
        resuming token: ResumeToken?,
        isResumable: Bool,
        options: CallOptions
    ) -> Download {
        let make = { @Sendable in try endpoint.request(from: self.request) }
        let options = endpoint.options.overridden(by: options)
        let writer = DownloadWriter(destination, resuming: token, isKept: isResumable || token != nil)
        return Download(writer) {
            try await writer.run {
                try await self.perform(make, options, .writer(writer)) { call in
                    try await writer.finish(call.response, to: call.request)
                } outside: { _, isWritten in
                    isWritten ? destination : nil
                }
            }
        }
    }
}
