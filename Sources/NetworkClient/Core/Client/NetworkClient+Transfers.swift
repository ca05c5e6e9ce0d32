extension NetworkClient {
    /// Sends the request of an endpoint, such as a `URLRequest`, and returns when the head of an accepted response is
    /// received, with a body to be read.
    ///
    /// You read the body yourself, so `value(from:)` of the endpoint is not called. Interceptors see the head with an
    /// empty body; the error of a response that is not accepted has the first mebibyte of its body. The client's body
    /// limit does not apply, an attempt timeout of the call includes the time until the last byte is received, and the
    /// call is never shared. On Apple platforms URLSession withholds a `text/plain` response, or one without a type,
    /// until 512 bytes of it are received.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint; a URL without a scheme is appended to the configuration's base URL.
    ///   - options: The settings that differ from the endpoint's for this call.
    /// - Returns: The head, and the body as `item`.
    /// - Throws: ``NetworkClient/Error``; errors of the error mapper, of interceptors and of the endpoint;
    ///   `CancellationError` if the task was cancelled or ``cancelAll()`` was called, which ends the body as well.
    public func stream<E: Endpoint>(
        _ endpoint: E,
        options: CallOptions
    ) async throws -> Response<ResponseBody> {
        let options = endpoint.options.overridden(by: options)
        return try await perform({ try endpoint.request(from: request) }, options, .caller) { _ in
        } outside: { call, _ in
            let channel = call.response.body.channel
            let id = ObjectIdentifier(channel)
            let reading = BodyReading(
                channel,
                of: call.response.head,
                to: call.request,
                decoder: call.chain.settings.decoder,
                chain: call.chain
            ) { [calls] in
                calls.release(id)
            }
            return ResponseBody(reading: reading)
        }
    }

    /// Starts to send the request of an endpoint, and reports the progress of sending its body.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint, whose body is read while it is sent.
    ///   - options: The settings that differ from the endpoint's for this call.
    /// - Returns: The transfer; its value is the response that `send` would return.
    public func upload<E: Endpoint>(
        _ endpoint: E,
        options: CallOptions
    ) -> Transfer<Response<E.Value>> {
        let (board, endpoint) = (ProgressBoard(), AdaptedEndpoint(endpoint, options))
        return Transfer(board) { try await self.send(endpoint, .memory, countBody: Self.counting(on: board)) }
    }

    private static func counting(on board: ProgressBoard) -> CountedBody {
        { CountingBodySource.counting($0, on: board, moved: $1) }
    }

    /// Opens the WebSocket of an endpoint, by which the call ends.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint, a GET without a body.
    ///   - opening: What the socket needs.
    ///   - builder: The builder from which the endpoint makes its request.
    ///   - options: The settings that differ from the endpoint's for this call.
    /// - Returns: The head of the response, and the socket.
    /// - Throws: As a `fetch`; ``TransportError/Reason/unsupported`` if the transport opens no sockets, and
    ///   ``TransportError/Reason/notAWebSocket``.
    func open<E: Endpoint>(
        _ endpoint: E,
        _ opening: WebSocketOpening,
        from builder: URLRequest.PathBuilder,
        options: CallOptions
    ) async throws -> Response<OpenedSocket> {
        var options = endpoint.options.overridden(by: options)
        options.acceptedStatuses = [101]
        let unsupported = TransportError(.unsupported, detail: "the transport, \(transport), opens no WebSockets")
        return try await perform(
            {
                guard transport.defaults.opensSockets else { throw Error.requestError(type: unsupported) }
                return try endpoint.request(from: builder).openingSocket()
            },
            options,
            .socket(opening),
            failure: OpenedSocket.refusal
        ) { _ in
        } outside: { call, _ in
            guard let connection = call.response.body.socket else {
                let detail = "the transport, \(transport), or an interceptor has replaced the response"
                let reason: TransportError.Reason = call.response.head.status == 101 ? .unsupported : .notAWebSocket
                throw Error.requestError(type: TransportError(reason, detail: detail))
            }
            let id = ObjectIdentifier(connection)
            return OpenedSocket(connection, of: call, time: configuration.time) { [calls] in calls.release(id) }
        }
    }
}
