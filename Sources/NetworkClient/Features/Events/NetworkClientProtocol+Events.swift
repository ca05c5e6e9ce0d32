extension NetworkClientProtocol {
    /// Builds a request for an event stream, and connects again when the connection is lost.
    ///
    /// Nothing is sent before the first event is awaited. Unless the request has them, it gets `Accept:
    /// text/event-stream` and `Cache-Control: no-cache`; when it connects again, also `Last-Event-ID`. The client's
    /// attempt timeout does not hold, and a deadline of the options is that of each connection; the connections to a
    /// host are limited as for all calls.
    ///
    /// - Parameters:
    ///   - request: A builder at any stage that can be built. One that begins with a bare verb, as in
    ///     `client.events(.get(path: "feed"))`, has the client's base URL and its encoders; the errors of the builder
    ///     are those of the first event.
    ///   - options: The settings that differ from the client's configuration.
    ///   - reconnecting: When the stream connects again.
    ///   - lastEventID: The id of the last event that was received earlier, with which the stream goes on.
    ///   - states: Learns of connections, comments and waits, on any thread.
    /// - Returns: The events.
    public func events(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        options: CallOptions = CallOptions(),
        reconnecting: Reconnection = .standard,
        lastEventID: String? = nil,
        states: (@Sendable (EventStream.State) -> Void)? = nil
    ) -> EventStream {
        events(made(request), options, reconnecting, lastEventID, states)
    }

    /// Sends the request of an endpoint for an event stream, and connects again when the connection is lost.
    ///
    /// A `URLRequest` is an endpoint. Otherwise behaves like the form with a builder; the errors of the endpoint are
    /// those of the first event.
    public func events<E: Endpoint>(
        _ endpoint: E,
        options: CallOptions = CallOptions(),
        reconnecting: Reconnection = .standard,
        lastEventID: String? = nil,
        states: (@Sendable (EventStream.State) -> Void)? = nil
    ) -> EventStream {
        let made = Result { try endpoint.request(from: request) }
        return events(made, endpoint.options.overridden(by: options), reconnecting, lastEventID, states)
    }

    private func events(
        _ made: Result<URLRequest, any Error>,
        _ options: CallOptions,
        _ reconnection: Reconnection,
        _ lastEventID: String?,
        _ states: (@Sendable (EventStream.State) -> Void)?
    ) -> EventStream {
        // A type that wraps no `NetworkClient` has no decoder and no clock, so the default ones are used.
        let client = underlyingClient
        let connector = EventConnector(
            decoder: options.decoder(insteadOf: client?.decoder ?? .default),
            time: client?.configuration.time ?? SystemTimeSource(),
            stream: { try await self.stream(RetypedEndpoint<EmptyResponse>($0, $1)) },
            hold: { client?.calls.hold($0) },
            release: { client?.calls.release(ObjectIdentifier($0)) }
        )
        return EventStream(EventSource(connector, made, options, reconnection, after: lastEventID, states))
    }
}

// As in `NetworkClientProtocol+WrongCalls.swift`: the definite stage makes the compiler name a step that doesn't exist.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, message: "this request is not complete: give it a body step, such as noBody()")
extension NetworkClientProtocol {
    public func events(
        _ request: @autoclosure () throws -> RequestBuilder<BodyStage>,
        options: CallOptions = CallOptions(),
        reconnecting: Reconnection = .standard,
        lastEventID: String? = nil,
        states: (@Sendable (EventStream.State) -> Void)? = nil
    ) -> EventStream { fatalError() }
}
