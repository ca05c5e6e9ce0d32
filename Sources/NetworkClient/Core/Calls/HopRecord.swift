/// The record of one request that was passed to the transport, for the log and for observers of the exchange; the
/// request of a redirect is a hop too.
struct HopRecord: Sendable {
    let record: CallRecord
    let request: URLRequest
    let attempt: Int
    let start: Double
    let observations: [ExchangeObservation]

    /// Records that the response was received.
    ///
    /// The exchange of a response with a streamed body ends with the body, or at once if the caller reads the body
    /// after the call.
    func responded(_ response: TransportResponse, isReadByTheCaller: Bool) -> TransportResponse {
        for observation in observations { observation.onHead?(response.head.responseSoFar) }
        guard response.body.isStreamed, response.body.socket == nil else {
            ended(response.head, response.body.data)
            return response
        }
        if isReadByTheCaller { ended(response.head, Data()) }
        let body = RecordedBody(response.body.channel, of: response.head, in: self, hasEnded: isReadByTheCaller)
        return TransportResponse(head: response.head, body: .streamed(body))
    }

    /// Records that the response is missing or incomplete.
    ///
    /// A cancellation is a timeout for observers if the client has cancelled the exchange since it is overdue.
    func failed(_ error: any Error, isOverdue: @autoclosure () -> Bool = false) {
        if !observations.isEmpty {
            var failure = NetworkClient.Error.wrapping(error, request.url)
            if case NetworkClient.Error.requestError(let error) = failure { failure = error }
            if failure is CancellationError, isOverdue() { failure = TransportError(.timedOut, request: request) }
            for observation in observations { observation.onEnd(.failure(failure)) }
        }
        logFailure(error)
    }

    fileprivate func logFailure(_ error: any Error) {
        // A transport may throw the error of another call, for example one that it made itself. It is a failure of this
        // call.
        record.log(.failed(NetworkClient.Error.wrapping(error, request.url)), of: self)
    }

    /// Records that the exchange has ended with a response.
    ///
    /// If `data` is only the beginning of the body, `length` is the size of the whole body in bytes.
    fileprivate func ended(_ head: ResponseHead, _ data: Data, length: Int? = nil) {
        for observation in observations {
            observation.onEnd(.success(TransportResponse(head: head, body: .whole(data, isCut: length != nil))))
        }
        record.log(.received(response: head.responseSoFar, data: data), of: self, length: length)
    }
}

/// A streamed body that records its end or its failure in its hop.
private final class RecordedBody: BodyChannel {
    private struct State {
        var recorded: Recorded
        var beginning = Data()
        var length = 0
    }

    /// The part of a hop that is recorded.
    private enum Recorded {
        case nothing
        case response
        case failure
    }

    /// The maximum number of bytes that are kept for a logger that shows bodies.
    private static var limit: Int { 1 << 20 }

    private let wrapped: any BodyChannel
    private let head: ResponseHead
    private let hop: HopRecord
    private let keepsBytes: Bool
    private let state: Locked<State>

    init(_ wrapped: any BodyChannel, of head: ResponseHead, in hop: HopRecord, hasEnded: Bool) {
        self.wrapped = wrapped
        self.head = head
        self.hop = hop
        keepsBytes = hop.record.log?.logger.responseLevel.contains(.body) == true
        state = Locked(State(recorded: hasEnded ? .response : .nothing))
    }

    deinit {
        end()
    }

    func next() async throws -> Data? {
        do {
            let chunk = try await wrapped.next()
            if let chunk { note(chunk) } else { end() }
            return chunk
        } catch {
            fail(error)
            throw error
        }
    }

    func cancel() {
        // Before the reader wakes, which may be another thread.
        end()
        wrapped.cancel()
    }

    private func note(_ chunk: Data) {
        state.withLock { state in
            state.length += chunk.count
            guard keepsBytes else { return }
            state.beginning.append(chunk.prefix(max(0, Self.limit - state.beginning.count)))
        }
    }

    private func end() {
        let (isFirst, beginning, length) = state.withLock { state in
            defer { if state.recorded == .nothing { state.recorded = .response } }
            return (state.recorded == .nothing, state.beginning, state.length)
        }
        if isFirst { hop.ended(head, beginning, length: length) }
    }

    /// Logs a failure even if the head was logged before, but a cancellation only if nothing was logged.
    private func fail(_ error: any Error) {
        let recorded = state.withLock { state in
            defer { state.recorded = .failure }
            return state.recorded
        }
        switch recorded {
        case .nothing: hop.failed(error)
        case .response where !(error is CancellationError): hop.logFailure(error)
        case .response, .failure: break
        }
    }
}
