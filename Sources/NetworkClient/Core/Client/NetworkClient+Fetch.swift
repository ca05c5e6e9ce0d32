import JSONDecoding

extension NetworkClient {
    /// Sends a request and decodes its response, off the caller's actor.
    ///
    /// - Parameters:
    ///   - request: The request; a URL without a scheme is appended to the configuration's base URL.
    ///   - type: The type of the value: a model, `Data`, `String`, `Bool` or ``EmptyResponse``.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The decoded value, the status and the header fields.
    /// - Throws: ``NetworkClient/Error``; errors of the error mapper and of interceptors; `CancellationError` if the
    ///   task was cancelled or ``cancelAll()`` was called. Redirects and 1xx responses are *not* errors.
    public func fetch<D: Decodable>(
        request: URLRequest,
        as type: D.Type = D.self,
        options: CallOptions = CallOptions()
    ) async throws -> Response<D> {
        let type = ResponseType<D>()
        let options = options.accepting(type)
        return try await perform({ request }, options) { try decode($0, as: type, options) }
    }

    /// Sends a request and ignores the body of its response.
    ///
    /// - Parameters:
    ///   - request: The request; a URL without a scheme is appended to the configuration's base URL.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The status and the header fields.
    /// - Throws: As ``fetch(request:as:options:)``, except for decoding errors.
    @discardableResult
    public func fetch(request: URLRequest, options: CallOptions = CallOptions()) async throws -> Response<Void> {
        try await perform({ request }, options) { _ in }
    }

    /// Builds a request, sends it, and decodes its response, off the caller's actor.
    ///
    /// ```swift
    /// let items = try await client.fetch(
    ///     .get(path: "items").add(query: "page", value: 1),
    ///     as: [Item].self
    /// ).item
    /// ```
    /// A request that begins with a bare verb has the client's base URL and its encoders. Building it is part of the
    /// call: a failure is observed and logged like any other, and nothing is sent.
    ///
    /// - Parameters:
    ///   - request: A builder at any stage that can be built; evaluated once, on the caller's executor.
    ///   - type: The type of the value: a model, `Data`, `String`, `Bool` or ``EmptyResponse``.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The decoded value, the status and the header fields.
    /// - Throws: As ``fetch(request:as:options:)``, and the errors of the builder, a `BodyEncodingError` and a
    ///   `BodySourceError` as ``NetworkClient/Error``.
    public nonisolated(nonsending) func fetch<D: Decodable>(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        as type: D.Type = D.self,
        options: CallOptions = CallOptions()
    ) async throws -> Response<D> {
        try await fetchValue(made(request), options)
    }

    /// Builds a request, sends it, and ignores the body of its response.
    ///
    /// `try await client.fetch(.delete(path: "items/1"))` needs neither a type nor a variable.
    ///
    /// - Parameters:
    ///   - request: A builder at any stage that can be built.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The status and the header fields.
    /// - Throws: As ``fetch(_:as:options:)``, except for decoding errors.
    @discardableResult
    public nonisolated(nonsending) func fetch(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        options: CallOptions = CallOptions()
    ) async throws -> Response<Void> {
        try await fetch(made(request), options)
    }

    @concurrent private func fetch(
        _ made: Result<URLRequest, any Swift.Error>,
        _ options: CallOptions
    ) async throws -> Response<Void> {
        try await perform(made.get, options) { _ in }
    }

    /// Sends a request that was built for a call, off the caller's actor.
    @concurrent private func fetchValue<D: Decodable>(
        _ made: Result<URLRequest, any Swift.Error>,
        _ options: CallOptions
    ) async throws -> Response<D> {
        let type = ResponseType<D>()
        let options = options.accepting(type)
        return try await perform(made.get, options) { try decode($0, as: type, options) }
    }

    /// The length in bytes beyond which decoding a body may take so long that the call's limit matters.
    private static var longBody: Int { 16 << 10 }

    /// Decodes an accepted response.
    func decode<D>(_ call: PerformedCall, as type: ResponseType<D>, _ options: CallOptions) throws -> D {
        let response = call.response
        let limit = options.bodyLimit(configuration)
        guard response.body.data.count <= limit else {
            let error = TransportError(tooLargeBody: limit, request: call.request)
            throw Error.wrapping(error, call.request.url)
        }
        do {
            guard response.body.data.count > Self.longBody else {
                return try response.decoded(as: type, by: decoder(for: options))
            }
            let hasPassed = call.chain.limit.map { limit in { @Sendable in limit.remaining <= 0 } }
            return try DecodingScope(until: hasPassed).decode {
                try response.decoded(as: type, by: decoder(for: options))
            }
        } catch let error where DecodingScope.ends(with: error) {
            if error is CancellationError { throw call.cancelled() }
            let timeout = TransportError(passed: call.chain.limit?.passed, request: call.request)
            throw Error.wrapping(timeout, call.request.url)
        }
    }

    /// Returns the decoder of a call, for values as well as for errors.
    func decoder(for options: CallOptions) -> any DecoderProtocol { options.decoder(insteadOf: decoder) }
}
