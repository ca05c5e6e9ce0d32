extension NetworkClient: NetworkClientProtocol {
    /// This client.
    public var underlyingClient: NetworkClient? { self }

    /// A builder for requests to this client, which begins at the configuration's base URL and has its encoders.
    ///
    /// Without a base URL its requests have relative URLs, which a client with a base URL can send.
    public var request: URLRequest.PathBuilder {
        CallBuilder.builder(baseURL: configuration.baseURL, options: configuration.encoders)
    }

    /// Sends the request of an endpoint, as one call: it is observed once, and cancelled as a whole.
    ///
    /// - Returns: The endpoint's value, the status and the header fields.
    /// - Throws: As ``fetch(request:as:options:)``, and the errors of the endpoint.
    @discardableResult
    public func send<E: Endpoint>(_ endpoint: E) async throws -> Response<E.Value> {
        try await send(endpoint, .memory)
    }

    /// Sends the request of an endpoint and makes its value, both inside one registered call, so that `cancelAll()`
    /// reaches the endpoint's own code.
    ///
    /// If the value has another type than the response, the endpoint's code makes it, and may suspend.
    nonisolated(nonsending) func send<E: Endpoint>(
        _ endpoint: E,
        _ destination: BodyDestination,
        countBody: CountedBody? = nil
    ) async throws -> Response<E.Value> {
        let type = ResponseType<E.Response>()
        let options = endpoint.options.accepting(type)
        return try await perform(
            { try endpoint.request(from: request) },
            options,
            destination,
            countBody: countBody,
            mayWait: E.Value.self != E.Response.self,
            failure: { error in
                guard !Task.isCancelled else { return CancellationError() }
                guard let known = error as? Error else { return error }
                return (endpoint as? any FailedResponseReader)?.error(for: known) ?? known
            }
        ) { call in
            try CallScope.checkCancellation()
            return try await endpoint.value(from: call.response(call.decoded(as: type)))
        } outside: { _, value in
            value
        }
    }
}
