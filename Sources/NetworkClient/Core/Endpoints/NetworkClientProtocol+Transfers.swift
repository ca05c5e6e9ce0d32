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
    public func stream<E: Endpoint>(_ endpoint: E) async throws -> NetworkClient.Response<ResponseBody> {
        try await stream(endpoint, options: CallOptions())
    }

    /// Starts to send the request of an endpoint, and reports the progress of sending its body.
    public func upload<E: Endpoint>(_ endpoint: E) -> Transfer<NetworkClient.Response<E.Value>> {
        upload(endpoint, options: CallOptions())
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

    /// Sends a request and returns when the head of an accepted response is received, with a body to be read.
    ///
    /// Interceptors see the head with an empty body; the error of a response that is not accepted has the first
    /// mebibyte of its body. The client's body limit does not apply, a total timeout includes the time until the last
    /// byte is received, and the call is never shared. On Apple platforms URLSession withholds a `text/plain` response,
    /// or one without a type, until 512 bytes of it are received.
    ///
    /// - Parameters:
    ///   - request: The request; a URL without a scheme is appended to the configuration's base URL.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The head, and the body as `item`.
    /// - Throws: ``NetworkClient/Error``; errors of the error mapper and of interceptors; `CancellationError` if the
    ///   task was cancelled or ``cancelAll()`` was called, which ends the body as well.
    public func stream(
        request: URLRequest,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<ResponseBody> {
        try await stream(.success(request), options)
    }

    /// Builds a request, sends it, and returns when the head of an accepted response is received.
    ///
    /// A request that begins with a bare verb, as in `client.stream(.get(path: "events"))`, has the client's base URL
    /// and its encoders. Otherwise behaves like ``stream(request:options:)``; also throws the errors of the builder.
    public nonisolated(nonsending) func stream(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<ResponseBody> {
        try await stream(made(request), options)
    }

    @concurrent func stream(
        _ made: Result<URLRequest, any Error>,
        _ options: CallOptions
    ) async throws -> NetworkClient.Response<ResponseBody> {
        try await stream(RetypedEndpoint<EmptyResponse>(made, options))
    }

    /// Starts to send a request, reports the progress of sending its body, and decodes the response.
    ///
    /// A body from a file, a multipart form or a sequence is read while it is sent.
    ///
    /// - Parameters:
    ///   - request: The request with its body; a URL without a scheme is appended to the configuration's base URL.
    ///   - type: The type of the value: a model, `Data`, `String`, `Bool` or ``EmptyResponse``.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The transfer; its value is the response that `fetch` would return.
    public func upload<D: Decodable & Sendable>(
        request: URLRequest,
        as type: D.Type = D.self,
        options: CallOptions = CallOptions()
    ) -> Transfer<NetworkClient.Response<D>> {
        upload(RetypedEndpoint<D>(.success(request), options))
    }

    /// Builds a request, starts to send it, reports the progress of sending its body, and decodes the response.
    ///
    /// ```swift
    /// let upload = try client.upload(
    ///     .put(path: "photos/1").bodyFile(at: fileURL), as: Item.self
    /// )
    /// ```
    /// A request that begins with a bare verb has the client's base URL and its encoders.
    ///
    /// - Parameters:
    ///   - request: A builder at any stage that can be built; evaluated once, before the function returns.
    ///   - type: The type of the value: a model, `Data`, `String`, `Bool` or ``EmptyResponse``.
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

    /// Builds a request, starts to send it, reports the progress of sending its body, and ignores the body of the
    /// response.
    ///
    /// Otherwise behaves like ``upload(_:as:options:)``.
    public func upload(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        options: CallOptions = CallOptions()
    ) -> Transfer<NetworkClient.Response<Void>> {
        upload(ValuelessEndpoint(made(request), options))
    }

    /// Starts to send a request, reports the progress of sending its body, and ignores the body of the response.
    ///
    /// - Parameters:
    ///   - request: The request with its body; a URL without a scheme is appended to the configuration's base URL.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The transfer; its value is the status and the header fields.
    public func upload(
        request: URLRequest,
        options: CallOptions = CallOptions()
    ) -> Transfer<NetworkClient.Response<Void>> {
        upload(ValuelessEndpoint(.success(request), options))
    }

    /// Starts to send a file as the body of a request, and decodes the response.
    ///
    /// - Parameters:
    ///   - request: The request; its body is replaced, and its `Content-Type` is kept.
    ///   - file: A regular file, which must not change while it is sent.
    ///   - type: The type of the value: a model, `Data`, `String`, `Bool` or ``EmptyResponse``.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The transfer; its value throws `BodySourceError` if the file cannot be opened, and nothing is sent
    ///   then.
    public func upload<D: Decodable & Sendable>(
        request: URLRequest,
        file: URL,
        as type: D.Type = D.self,
        options: CallOptions = CallOptions()
    ) -> Transfer<NetworkClient.Response<D>> {
        let endpoint = RetypedEndpoint<D>(options) { _ in try request.sending(file: file) }
        return upload(endpoint)
    }

    /// Starts to send a file as the body of a request, and ignores the body of the response.
    ///
    /// - Parameters:
    ///   - request: The request; its body is replaced, and its `Content-Type` is kept.
    ///   - file: A regular file, which must not change while it is sent.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The transfer; its value throws `BodySourceError` if the file cannot be opened, and nothing is sent
    ///   then.
    public func upload(
        request: URLRequest,
        file: URL,
        options: CallOptions = CallOptions()
    ) -> Transfer<NetworkClient.Response<Void>> {
        let endpoint = ValuelessEndpoint(options) { try request.sending(file: file) }
        return upload(endpoint)
    }
}

/// The endpoint of a request whose response has no value.
private struct ValuelessEndpoint: Endpoint {
    let options: CallOptions
    private let make: @Sendable () throws -> URLRequest

    init(_ options: CallOptions, _ make: @escaping @Sendable () throws -> URLRequest) {
        self.options = options
        self.make = make
    }

    init(_ made: Result<URLRequest, any Error>, _ options: CallOptions) {
        self.init(options) { try made.get() }
    }

    func request(from builder: URLRequest.PathBuilder) throws -> URLRequest { try make() }

    func value(from response: NetworkClient.Response<EmptyResponse>) async throws {}
}

extension URLRequest {
    fileprivate func sending(file: URL) throws -> URLRequest {
        var request = self
        request.httpBodyStream = BodyInputStream(source: try FileBodySource(url: file))
        return request
    }
}
