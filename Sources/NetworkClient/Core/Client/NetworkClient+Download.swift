extension NetworkClient {
    /// Starts to receive the body of an endpoint's response into a file.
    ///
    /// `value(from:)` of the endpoint is not called. Otherwise behaves like
    /// ``download(request:to:resuming:isResumable:options:)``.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - destination: A `file:` URL in an existing folder.
    ///   - token: The token of an earlier download of the same resource to the same destination.
    ///   - isResumable: Whether an incomplete file is kept; it is always kept if there is a token.
    ///   - options: The settings that differ from the endpoint's for this call.
    /// - Returns: The download; its value throws the errors of the endpoint, too.
    public func download<E: Endpoint>(
        _ endpoint: E,
        to destination: URL,
        resuming token: ResumeToken? = nil,
        isResumable: Bool = false,
        options: CallOptions = CallOptions()
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
