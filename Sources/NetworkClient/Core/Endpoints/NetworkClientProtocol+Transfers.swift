extension NetworkClientProtocol {
    /// Fails: a client that replaces ``NetworkClient/NetworkClient`` has streams only if it implements this method.
    public func stream<E: Endpoint>(
        _ endpoint: E,
        options: CallOptions
    ) async throws -> NetworkClient.Response<ResponseBody> {
        throw unsupported("streams")
    }

    /// Sends the request of an endpoint by ``send(_:options:)``, without progress.
    public func upload<E: Endpoint>(
        _ endpoint: E,
        options: CallOptions
    ) -> Transfer<NetworkClient.Response<E.Value>> {
        Transfer(ProgressBoard()) { try await self.send(endpoint, options: options) }
    }

    /// Fails: a client that replaces ``NetworkClient/NetworkClient`` has downloads only if it implements this method.
    public func download<E: Endpoint>(
        _ endpoint: E,
        to destination: URL,
        resuming token: ResumeToken?,
        isResumable: Bool,
        options: CallOptions
    ) -> Download {
        let writer = DownloadWriter(destination, resuming: token, isKept: isResumable || token != nil)
        return Download(writer) { throw self.unsupported("downloads") }
    }

    /// Does nothing: a client that replaces ``NetworkClient/NetworkClient`` has calls to cancel only if it implements
    /// this method.
    public func cancelAll() {}

    private func unsupported(_ what: String) -> NetworkClient.Error {
        .requestError(type: TransportError(.unsupported, detail: "the client, a \(type(of: self)), has no \(what)"))
    }
}

extension NetworkClientProtocol {
    /// Sends the request of an endpoint and returns when the head of an accepted response is received.
    ///
    /// Otherwise behaves like ``stream(_:options:)``.
    public func stream<E: Endpoint>(_ endpoint: E) async throws -> NetworkClient.Response<ResponseBody> {
        try await stream(endpoint, options: CallOptions())
    }

    /// Starts to send the request of an endpoint, and reports the progress of sending its body.
    public func upload<E: Endpoint>(_ endpoint: E) -> Transfer<NetworkClient.Response<E.Value>> {
        upload(endpoint, options: CallOptions())
    }

    /// Starts to send the request of an endpoint, and decodes the response as another type than the endpoint's own.
    ///
    /// `value(from:)` of the endpoint is not called.
    public func upload<D: Decodable & Sendable>(
        _ endpoint: some Endpoint,
        as type: D.Type,
        options: CallOptions = CallOptions()
    ) -> Transfer<NetworkClient.Response<D>> {
        upload(RetypedEndpoint<D>(endpoint), options: options)
    }

    /// Starts to send the request of an endpoint whose value is an ``EmptyResponse``, as if none were named, and
    /// decodes the response as the type that the context demands.
    @_disfavoredOverload
    public func upload<D: Decodable & Sendable>(
        _ endpoint: some Endpoint<EmptyResponse>,
        options: CallOptions = CallOptions()
    ) -> Transfer<NetworkClient.Response<D>> {
        upload(endpoint, as: D.self, options: options)
    }

    /// Starts to receive the body of an endpoint's response into a file.
    @_disfavoredOverload
    public func download<E: Endpoint>(
        _ endpoint: E,
        to destination: URL,
        resuming token: ResumeToken? = nil,
        isResumable: Bool = false,
        options: CallOptions? = nil
    ) -> Download {
        let options = options ?? CallOptions()
        return download(endpoint, to: destination, resuming: token, isResumable: isResumable, options: options)
    }

    /// Builds a request, sends it, and returns when the head of an accepted response is received.
    ///
    /// A request that begins with a bare verb, as in `client.stream(.get(path: "events"))`, has the client's base URL
    /// and its encoders. Otherwise behaves like ``stream(_:options:)``; also throws the errors of the builder.
    public nonisolated(nonsending) func stream(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<ResponseBody> {
        try await stream(RetypedEndpoint<EmptyResponse>(made(request), options))
    }

    /// Builds a request, starts to send it, reports the progress of sending its body, and decodes the response.
    ///
    /// ```swift
    /// let upload = try client.upload(
    ///     .put(path: "photos/1").bodyFile(at: fileURL), as: Item.self
    /// )
    /// ```
    /// A body from a file, a multipart form or a sequence is read while it is sent. A request that begins with a bare
    /// verb has the client's base URL and its encoders. The mark `try` belongs to the request; `upload` itself never
    /// throws.
    ///
    /// - Parameters:
    ///   - request: A builder at any stage that can be built; evaluated once, before the function returns.
    ///   - type: The type of the value: a model, `Data`, `String` or `Bool`.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The transfer; its value is the response that `fetch` would return, and throws the errors of the
    ///   builder, too.
    public func upload<D: Decodable & Sendable>(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        as type: D.Type = D.self,
        options: CallOptions = CallOptions()
    ) -> Transfer<NetworkClient.Response<D>> {
        upload(RetypedEndpoint<D>(made(request), options))
    }

    /// Builds a request, starts to send it, reports the progress of sending its body, and ignores the body of its
    /// response.
    public func upload(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        options: CallOptions = CallOptions()
    ) -> Transfer<NetworkClient.Response<EmptyResponse>> {
        upload(try request(), as: EmptyResponse.self, options: options)
    }

    /// Starts to send a file as the body of a request, and decodes the response.
    ///
    /// - Parameters:
    ///   - request: The request; its body is replaced, and its `Content-Type` is kept.
    ///   - file: A regular file, which must not change while it is sent.
    ///   - type: The type of the value: a model, `Data`, `String` or `Bool`.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The transfer; its value throws ``TransportError/Reason/bodyUnreadable`` if the file cannot be opened,
    ///   and nothing is sent then.
    public func upload<D: Decodable & Sendable>(
        request: URLRequest,
        file: URL,
        as type: D.Type = D.self,
        options: CallOptions = CallOptions()
    ) -> Transfer<NetworkClient.Response<D>> {
        let endpoint = RetypedEndpoint<D>(options) { _ in try request.sending(file: file) }
        return upload(endpoint)
    }

    /// Starts to send a file as the body of a request, and ignores the body of its response.
    public func upload(
        request: URLRequest,
        file: URL,
        options: CallOptions = CallOptions()
    ) -> Transfer<NetworkClient.Response<EmptyResponse>> {
        upload(request: request, file: file, as: EmptyResponse.self, options: options)
    }
}

extension URLRequest {
    fileprivate func sending(file: URL) throws -> URLRequest {
        var request = self
        request.httpBodyStream = BodyInputStream(source: try FileBodySource(url: file))
        return request
    }
}
