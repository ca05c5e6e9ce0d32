/// An event stream: its request, its connection, and what is kept from one connection to the next.
final class EventSource: Cancellable {
    private struct State {
        var hasBegun = false
        var isCancelled = false
        var lastEventID: String
        /// Whether the last event has another id than the one before it.
        var canGoOn = false
        /// The seconds of the server's last `retry`.
        var retry: TimeInterval?
        /// Whether the connection was stopped because no event came.
        var isSilent = false
        var body: ResponseBody?
        /// Ends what the stream waits for besides the body.
        var stopWaiting: (@Sendable () -> Void)?
    }

    let connector: EventConnector
    private let made: Result<URLRequest, any Error>
    private let series = CallSeries()
    private let options: CallOptions
    private let reconnection: Reconnection
    private let attempts: ReconnectionAttempts
    private let states: (@Sendable (EventStream.State) -> Void)?
    private let state: Locked<State>

    init(
        _ connector: EventConnector,
        _ made: Result<URLRequest, any Error>,
        _ options: CallOptions,
        _ reconnection: Reconnection,
        after lastEventID: String?,
        _ states: (@Sendable (EventStream.State) -> Void)?
    ) {
        self.connector = connector
        self.made = made
        self.options = options
        self.reconnection = reconnection
        attempts = ReconnectionAttempts(reconnection, on: connector.time)
        self.states = states
        state = Locked(State(lastEventID: lastEventID ?? ""))
    }

    /// The body of the last connection.
    var body: ResponseBody? { state.withLock { $0.body } }

    /// The request; nil if it could not be made.
    var request: URLRequest? { try? made.get() }

    var lastEventID: String { state.withLock { $0.lastEventID } }

    /// Whether the last event had a new id, so that the server can continue after it.
    var canGoOn: Bool { state.withLock { $0.canGoOn } }

    /// Begins the only pass; returns false if there was one before.
    func begin() -> Bool {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        if isFirst { connector.hold(self) }
        return isFirst
    }

    func cancel() {
        let (body, stopWaiting) = state.withLock { state in
            defer { (state.body, state.stopWaiting) = (nil, nil) }
            state.isCancelled = true
            return (state.body, state.stopWaiting)
        }
        body?.cancel()
        stopWaiting?()
        end()
    }

    /// Leaves the calls of the client.
    func end() { connector.release(self) }

    func checkCancellation() throws {
        if state.withLock({ $0.isCancelled }) { throw CancellationError() }
        try Task.checkCancellation()
    }

    /// Sends the request; returns nil after a response that says that there is nothing more.
    func open(keepsBare: Bool) async throws -> EventReader? {
        try checkCancellation()
        let (request, options) = (made.map(completed), callOptions)
        let response = try await waiting { [connector] in try await connector.stream(request, options) }
        guard response.statusCode != 204 else { return nil }
        let type = response.httpResponse.value(forHTTPHeaderField: "Content-Type")
        guard type.map({ MediaType($0).essence }) == MediaType.eventStream.essence else {
            let name = type.map { String(MediaType($0).essence.prefix(100)) } ?? "of no type"
            let detail = "the response is \(name), not an event stream"
            let error = NetworkClient.Error.requestError(
                type: TransportError(.notAnEventStream, request: try? request.get(), detail: detail)
            )
            throw response.item.reading.leave(with: error) ?? error
        }
        let id = state.withLock { state in
            (state.body, state.isSilent) = (response.item, false)
            return state.lastEventID
        }
        attempts.open()
        // A `cancel()` may have come before the body was there.
        do { try checkCancellation() } catch {
            response.item.cancel()
            throw error
        }
        states?(.opened(response.httpResponse))
        let parser = EventParser(
            after: id,
            limit: reconnection.eventLimit,
            keepsComments: states != nil,
            keepsBare: keepsBare
        )
        return EventReader(response.item, parser: parser, endsCall: true)
    }

    /// Waits for an operation, which ``cancel()`` ends.
    private func waiting<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await operation() }
        let isCancelled = state.withLock { state in
            state.stopWaiting = { task.cancel() }
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
        defer { state.withLock { $0.stopWaiting = nil } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Returns the request with the fields of an event stream.
    private func completed(_ request: URLRequest) -> URLRequest {
        var request = request
        if request.value(forHTTPHeaderField: "Accept") == nil {
            request.set(header: .accept(type: .eventStream))
        }
        if request.value(forHTTPHeaderField: "Cache-Control") == nil {
            request.set(header: .cacheControl(value: "no-cache"))
        }
        let id = lastEventID
        // A server's id may contain characters that no field may have.
        if !id.isEmpty, !id.utf8.contains(where: ASCII.isControl) {
            request.set(header: .custom(name: "Last-Event-ID", value: id))
        }
        return request
    }

    private var callOptions: CallOptions {
        var options = options
        options.acceptedStatuses = options.acceptedStatuses ?? [200, 204]
        options.attemptTimeout = options.attemptTimeout ?? .infinity
        options.series = series
        if options.idleTimeout == nil, request?.timeoutInterval == URLRequest.defaultTimeout {
            options.idleTimeout = reconnection.idleTimeout
        }
        attempts.begin(with: &options)
        return options
    }

    /// Notes a part of the stream.
    func accept(_ part: EventParser.Part) {
        switch part {
        case .event(let event), .bare(let event):
            let isSuccess = reconnection.eventTimeout == nil || part.endsSilence
            state.withLock { ($0.canGoOn, $0.lastEventID) = (event.id != $0.lastEventID, event.id) }
            if isSuccess { attempts.succeed() }
        case .id(let id): state.withLock { $0.lastEventID = id }
        case .retry(let seconds): state.withLock { $0.retry = seconds }
        case .comment(let text): states?(.comment(text))
        }
    }

    /// Returns the limit for the next event after some seconds without one; nil if there is none.
    func limit(after silence: TimeInterval) -> TimeLimit? {
        reconnection.eventTimeout.flatMap { TimeLimit(seconds: $0 - silence, on: connector.time) }
    }

    /// Stops a connection that has passed its ``limit(after:)``, and so was no success.
    func stop(silent body: ResponseBody?) {
        let isCurrent = state.withLock { state in
            guard let body, state.body?.reading === body.reading else { return false }
            state.isSilent = true
            attempts.spoil()
            return true
        }
        if isCurrent { body?.reading.stop() }
    }

    /// The error of a connection that was stopped because it was silent; nil for another.
    var silenceError: NetworkClient.Error? {
        guard state.withLock({ $0.isSilent }) else { return nil }
        let detail = "it had no event for its event timeout of \((reconnection.eventTimeout ?? 0).inWords)"
        return .requestError(type: TransportError(.timedOut, request: request, detail: detail))
    }

    /// Returns the seconds before the stream connects again, after a failure, or after the end of a response for nil;
    /// nil at the end of the stream.
    ///
    /// - Throws: The failure, if it is final.
    func delayToReconnect(after error: (any Error)?) throws -> TimeInterval? {
        do {
            try checkCancellation()
            if let error, error is CancellationError { throw error }
            if let seconds = delay(after: error) { return seconds }
            end()
            if let error { throw error }
            return nil
        } catch {
            end()
            throw error
        }
    }

    /// Waits before the stream connects again.
    func wait(_ seconds: TimeInterval, after error: (any Error)?) async throws {
        do {
            states?(.waiting(seconds, because: error))
            try await waiting { [connector] in try await connector.time.sleep(seconds: seconds) }
            try checkCancellation()
        } catch {
            end()
            throw error
        }
    }

    /// Returns the wait before the next attempt, in seconds; nil if the stream ends.
    private func delay(after error: (any Error)?) -> TimeInterval? {
        guard let request else { return nil }
        let retry = state.withLock { state in
            state.body = nil
            return state.retry
        }
        return attempts.delay(after: error, retry: retry) { reconnection.allows(request, after: $0) }
    }
}

/// What an event stream needs of its client.
struct EventConnector: Sendable {
    typealias Stream =
        @Sendable (Result<URLRequest, any Error>, CallOptions) async throws -> NetworkClient.Response<ResponseBody>

    let decoder: any DecoderProtocol
    let time: any TimeSource
    let stream: Stream
    /// Registers the stream with the client, so that `cancelAll()` ends it.
    let hold: @Sendable (EventSource) -> Void
    /// Removes the stream from the client.
    let release: @Sendable (EventSource) -> Void
}
