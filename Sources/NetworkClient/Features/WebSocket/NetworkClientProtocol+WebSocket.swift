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
    /// Otherwise behaves like the form with a builder; also throws `HTTPURLError` if the text is not a complete URL.
    public func webSocket(
        _ url: String,
        protocols: [String] = [],
        socketOptions: WebSocketOptions = WebSocketOptions(),
        options: CallOptions = CallOptions()
    ) async throws -> WebSocket {
        let made = Result { URLRequest(url: try URL(http: URL.withHTTPScheme(url) ?? url)) }
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

    /// Opens a WebSocket, and opens it again when its connection is lost.
    ///
    /// ```swift
    /// let feed = try client.webSocket(
    ///     .get(path: "feed"), reconnecting: .standard
    /// ) { socket in
    ///     try await socket.send(json: ["subscribe": 7])
    /// }
    /// ```
    /// - Parameters:
    ///   - request: A GET without a body, as for the form without `reconnecting`; the errors of the builder are those
    ///     of the first message.
    ///   - protocols: The subprotocols that are offered.
    ///   - socketOptions: The limits of each connection, and the bytes of messages that may wait for the reader.
    ///   - options: The settings that differ from the client's configuration for each opening.
    ///   - reconnecting: When it is opened again; the timeouts of events do not apply, nor does the limit of an event.
    ///   - onOpen: Called with each connection, before any message of it is read or anything else is sent. A failure of
    ///     the connection is one of the socket; any other error ends the socket.
    ///   - states: Learns of connections, waits and lost messages, on any thread.
    /// - Returns: The socket.
    public func webSocket(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        protocols: [String] = [],
        socketOptions: WebSocketOptions = WebSocketOptions(),
        options: CallOptions = CallOptions(),
        reconnecting: Reconnection,
        onOpen: @escaping @Sendable (WebSocket) async throws -> Void = { _ in },
        states: (@Sendable (ReconnectingWebSocket.State) -> Void)? = nil
    ) -> ReconnectingWebSocket {
        let endpoint = RetypedEndpoint<EmptyResponse>(made(request), options)
        let opening = WebSocketOpening(protocols: protocols, options: socketOptions)
        return reconnected(endpoint, opening, reconnecting, states, onOpen)
    }

    /// Opens the WebSocket of an endpoint, and opens it again when its connection is lost.
    ///
    /// Otherwise behaves like the form with a builder, with the options of the endpoint.
    public func webSocket<E: Endpoint>(
        _ endpoint: E,
        protocols: [String] = [],
        socketOptions: WebSocketOptions = WebSocketOptions(),
        options: CallOptions = CallOptions(),
        reconnecting: Reconnection,
        onOpen: @escaping @Sendable (WebSocket) async throws -> Void = { _ in },
        states: (@Sendable (ReconnectingWebSocket.State) -> Void)? = nil
    ) -> ReconnectingWebSocket {
        let made = Result { try endpoint.request(from: request) }
        let endpoint = RetypedEndpoint<EmptyResponse>(made, endpoint.options.overridden(by: options))
        let opening = WebSocketOpening(protocols: protocols, options: socketOptions)
        return reconnected(endpoint, opening, reconnecting, states, onOpen)
    }

    private func reconnected(
        _ endpoint: RetypedEndpoint<EmptyResponse>,
        _ opening: WebSocketOpening,
        _ reconnection: Reconnection,
        _ states: (@Sendable (ReconnectingWebSocket.State) -> Void)?,
        _ onOpen: @escaping @Sendable (WebSocket) async throws -> Void
    ) -> ReconnectingWebSocket {
        let (client, series) = (underlyingClient, CallSeries())
        let connector = WebSocketLoop.Connector(
            decoder: endpoint.options.decoder(insteadOf: client?.decoder ?? .default),
            encoder: request.options.encoder,
            time: client?.configuration.time ?? SystemTimeSource(),
            hold: { client?.calls.hold($0) },
            release: { client?.calls.release(ObjectIdentifier($0)) }
        ) { attempts in
            var options = CallOptions()
            options.series = series
            attempts.begin(with: &options)
            return try await self.webSocket(
                endpoint,
                protocols: opening.protocols,
                socketOptions: opening.options,
                options: options
            )
        }
        let buffer = opening.options.receiveBuffer
        return ReconnectingWebSocket(
            WebSocketLoop(connector, reconnection, buffer: buffer, states: states, onOpen: onOpen)
        )
    }
}
