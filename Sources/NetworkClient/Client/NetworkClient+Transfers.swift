extension NetworkClient {
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
    ) async throws -> Response<ResponseBody> {
        try await streamed({ request }, options)
    }

    /// Sends the request of an endpoint and returns when the head of an accepted response is received.
    ///
    /// You read the body yourself, so `value(from:)` of the endpoint is not called. Otherwise behaves like
    /// ``stream(request:options:)``; also throws the errors of the endpoint.
    public func stream<E: Endpoint>(
        _ endpoint: E,
        options: CallOptions = CallOptions()
    ) async throws -> Response<ResponseBody> {
        try await streamed({ try endpoint.request(from: request) }, endpoint.options.overridden(by: options))
    }

    /// Builds a request, sends it, and returns when the head of an accepted response is received.
    ///
    /// A request that begins with a bare verb, as in `client.stream(.get(path: "events"))`, has the client's base URL
    /// and its encoders. Otherwise behaves like ``stream(request:options:)``; also throws the errors of the builder.
    public nonisolated(nonsending) func stream(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        options: CallOptions = CallOptions()
    ) async throws -> Response<ResponseBody> {
        try await stream(made(request), options)
    }

    /// Sends a finished request and returns when the head of an accepted response is received.
    ///
    /// Otherwise behaves like ``stream(request:options:)``.
    public nonisolated(nonsending) func stream(
        _ request: @autoclosure () throws -> URLRequest,
        options: CallOptions = CallOptions()
    ) async throws -> Response<ResponseBody> {
        try await stream(made(request), options)
    }

    @concurrent func stream(
        _ made: Result<URLRequest, any Swift.Error>,
        _ options: CallOptions
    ) async throws -> Response<ResponseBody> {
        try await streamed(made.get, options)
    }

    private nonisolated(nonsending) func streamed(
        _ make: () throws -> URLRequest,
        _ options: CallOptions
    ) async throws -> Response<ResponseBody> {
        try await perform(make, options, .caller) { _ in
        } outside: { call, _ in
            let channel = call.response.body.channel
            let id = ObjectIdentifier(channel)
            // Does not capture the request, whose body would stay in memory as long as the body of the response.
            let reading = BodyReading(
                channel,
                of: call.response.head,
                decoder: decoder(for: options),
                expectedLength: call.response.head.bodyLength(of: call.request),
                record: call.record
            ) { [calls] in
                calls.release(id)
            }
            return ResponseBody(reading: reading)
        }
    }

    /// Starts to send a request, reports the progress of sending its body, and decodes the response.
    ///
    /// A body from a file, a multipart form or a sequence is read while it is sent.
    ///
    /// - Parameters:
    ///   - request: The request with its body; a URL without a scheme is appended to the configuration's base URL.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The transfer; its value is the response that `fetch` would return.
    public func upload<D: Decodable & Sendable>(
        request: URLRequest,
        options: CallOptions = CallOptions()
    ) -> Transfer<Response<D>> {
        upload(.success(request), as: D.self, options)
    }

    /// Builds a request, starts to send it, reports the progress of sending its body, and decodes the response.
    ///
    /// ```swift
    /// let upload = try client.upload(.put(path: "photos/1").bodyFile(at: fileURL), as: Item.self)
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
    ) -> Transfer<Response<D>> {
        upload(made(request), as: type, options)
    }

    /// Starts to send a finished request, reports the progress of sending its body, and decodes the response.
    ///
    /// Otherwise behaves like the overload that builds its request.
    public func upload<D: Decodable & Sendable>(
        _ request: @autoclosure () throws -> URLRequest,
        as type: D.Type = D.self,
        options: CallOptions = CallOptions()
    ) -> Transfer<Response<D>> {
        upload(made(request), as: type, options)
    }

    /// Builds a request, starts to send it, reports the progress of sending its body, and ignores the body of the
    /// response.
    ///
    /// Otherwise behaves like the overload that decodes.
    public func upload(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        options: CallOptions = CallOptions()
    ) -> Transfer<Response<Void>> {
        upload(made(request), options) { _ in }
    }

    /// Starts to send a finished request, reports the progress of sending its body, and ignores the body of the
    /// response.
    ///
    /// Otherwise behaves like the overload that decodes.
    public func upload(
        _ request: @autoclosure () throws -> URLRequest,
        options: CallOptions = CallOptions()
    ) -> Transfer<Response<Void>> {
        upload(made(request), options) { _ in }
    }

    /// Starts to send the request of an endpoint, and reports the progress of sending its body.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint, whose body is read while it is sent.
    ///   - options: The settings that differ from the endpoint's for this call.
    /// - Returns: The transfer; its value is the response that `send` would return.
    public func upload<E: Endpoint>(
        _ endpoint: E,
        options: CallOptions = CallOptions()
    ) -> Transfer<Response<E.Value>> {
        let (board, endpoint) = (ProgressBoard(), AdaptedEndpoint(endpoint, options))
        return Transfer(board) { try await self.send(endpoint, .memory, countBody: Self.counting(on: board)) }
    }

    /// Starts to send a request, reports the progress of sending its body, and ignores the body of the response.
    ///
    /// - Parameters:
    ///   - request: The request with its body; a URL without a scheme is appended to the configuration's base URL.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The transfer; its value is the status and the header fields.
    public func upload(request: URLRequest, options: CallOptions = CallOptions()) -> Transfer<Response<Void>> {
        upload(.success(request), options) { _ in }
    }

    /// Starts to send a file as the body of a request, and decodes the response.
    ///
    /// - Parameters:
    ///   - request: The request; its body is replaced, and its `Content-Type` is kept.
    ///   - file: A regular file, which must not change while it is sent.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The transfer; its value throws `BodySourceError` if the file cannot be opened, and nothing is sent
    ///   then.
    public func upload<D: Decodable & Sendable>(
        request: URLRequest,
        file: URL,
        options: CallOptions = CallOptions()
    ) -> Transfer<Response<D>> {
        upload(.success(request), as: D.self, options, file: file)
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
    ) -> Transfer<Response<Void>> {
        upload(.success(request), options, file: file) { _ in }
    }

    private func upload<Value: Sendable>(
        _ made: Result<URLRequest, any Swift.Error>,
        _ options: CallOptions,
        file: URL? = nil,
        _ decode: @escaping @Sendable (PerformedCall) throws -> Value
    ) -> Transfer<Response<Value>> {
        let board = ProgressBoard()
        return Transfer(board) {
            let make = { try Self.request(made.get(), sending: file) }
            return try await self.perform(make, options, countBody: Self.counting(on: board)) { _ in
            } outside: { call, _ in
                try decode(call)
            }
        }
    }

    private func upload<D: Decodable & Sendable>(
        _ made: Result<URLRequest, any Swift.Error>,
        as type: D.Type,
        _ options: CallOptions,
        file: URL? = nil
    ) -> Transfer<Response<D>> {
        let type = ResponseType<D>()
        let options = options.accepting(type)
        return upload(made, options, file: file) { try self.decode($0, as: type, options) }
    }

    private static func counting(on board: ProgressBoard) -> CountedBody {
        { CountingBodySource.counting($0, on: board, moved: $1) }
    }

    private static func request(_ request: URLRequest, sending file: URL?) throws -> URLRequest {
        guard let file else { return request }
        var request = request
        request.httpBodyStream = BodyInputStream(source: try FileBodySource(url: file))
        return request
    }
}
