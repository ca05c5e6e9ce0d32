extension NetworkClientProtocol {
    /// Opens a WebSocket (RFC 6455 §4.1), and returns when the handshake is done.
    ///
    /// ```swift
    /// let socket = try await client.webSocket(
    ///     .get(path: "rooms/7").add(query: "since", value: 12),
    ///     protocols: ["chat.v2"]
    /// )
    /// ```
    /// The opening is a call like any other: it passes the interceptors, has cookies, credentials and redirects, is
    /// retried, logged and observed, and a response with another status than 101 is its error. The limits of the call
    /// end with the handshake; `acceptedStatuses`, sharing and the cache do not apply. A socket stays open when a
    /// session signs out; `cancelAll()` of the client ends it.
    ///
    /// - Parameters:
    ///   - request: A GET without a body, by a builder at any stage that can be built. One that begins with a bare verb
    ///     has the client's base URL; a complete URL has a scheme of HTTP or WebSocket.
    ///   - protocols: The subprotocols that are offered, in the order of preference: distinct tokens.
    ///   - socketOptions: The limits of the socket.
    ///   - options: The settings that differ from the client's configuration for the opening.
    /// - Returns: The open socket.
    /// - Throws: As `fetch`; ``TransportError/Reason/malformedResponse`` for a wrong handshake,
    ///   ``TransportError/Reason/notAWebSocket`` for a response with a status of success,
    ///   ``TransportError/Reason/unsupported`` if the client or its transport opens no WebSockets, and
    ///   ``TransportError/Reason/invalidRequest`` for another method, a body, a fragment, a wrong subprotocol, and a
    ///   field of the handshake.
    public nonisolated(nonsending) func webSocket(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        protocols: [String] = [],
        socketOptions: WebSocketOptions = WebSocketOptions(),
        options: CallOptions = CallOptions()
    ) async throws -> WebSocket {
        let endpoint = RetypedEndpoint<EmptyResponse>(made(request), CallOptions())
        return try await webSocket(endpoint, protocols: protocols, socketOptions: socketOptions, options: options)
    }

    /// Opens the WebSocket at a complete URL, such as `wss://example.com/feed`, and returns when the handshake is done.
    ///
    /// Otherwise behaves like the form with a builder; also throws `HTTPURLError` for a text that is no such URL.
    public func webSocket(
        _ url: String,
        protocols: [String] = [],
        socketOptions: WebSocketOptions = WebSocketOptions(),
        options: CallOptions = CallOptions()
    ) async throws -> WebSocket {
        let made = Result { URLRequest(url: try URL(http: URL(string: url)?.withHTTPScheme?.absoluteString ?? url)) }
        let endpoint = RetypedEndpoint<EmptyResponse>(made, CallOptions())
        return try await webSocket(endpoint, protocols: protocols, socketOptions: socketOptions, options: options)
    }

    /// Opens the WebSocket of an endpoint, such as a `URLRequest`, and returns when the handshake is done.
    ///
    /// Otherwise behaves like the form with a builder, with the options of the endpoint.
    public func webSocket<E: Endpoint>(
        _ endpoint: E,
        protocols: [String] = [],
        socketOptions: WebSocketOptions = WebSocketOptions(),
        options: CallOptions = CallOptions()
    ) async throws -> WebSocket {
        guard let client = underlyingClient else {
            let detail = "the client, a \(type(of: self)), has no underlying client that opens WebSockets"
            throw NetworkClient.Error.requestError(type: TransportError(.unsupported, detail: detail))
        }
        let opening = WebSocketOpening(protocols: protocols, options: socketOptions)
        let response = try await client.open(endpoint, opening, from: request, options: options)
        return WebSocket(response.item, response.httpResponse, socketOptions, request.options.encoder)
    }
}
