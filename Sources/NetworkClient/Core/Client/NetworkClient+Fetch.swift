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
        return try await perform({ request }, options) { _ in
        } outside: { call, _ in
            try call.decoded(as: type)
        }
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
        try await perform({ request }, options) { _ in
        } outside: { _, _ in
        }
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
        try await perform(made.get, options) { _ in
        } outside: { _, _ in
        }
    }

    /// Sends a request that was built for a call, off the caller's actor.
    @concurrent private func fetchValue<D: Decodable>(
        _ made: Result<URLRequest, any Swift.Error>,
        _ options: CallOptions
    ) async throws -> Response<D> {
        let type = ResponseType<D>()
        let options = options.accepting(type)
        return try await perform(made.get, options) { _ in
        } outside: { call, _ in
            try call.decoded(as: type)
        }
    }
}
