/// The events that a server sends (WHATWG HTML §9.2), over as many connections as it takes.
///
/// ```swift
/// for try await event in try client.events(.get(path: "feed")) {
///     print(event.type, event.data)
/// }
/// ```
///
/// Nothing is sent before the first event is awaited. Each connection is one call through the interceptors, with its
/// own token, journey and report, as the person whose token the first one had. Leaving the loop, cancelling its task,
/// and `cancelAll()` close the connection. A server waits for a slow reader, as with ``ResponseBody``.
///
/// - Note: A POST is sent again only if it has an `Idempotency-Key`, or with ``Reconnection/always``.
public struct EventStream: AsyncSequence, Sendable {
    /// What happens to the stream besides its events.
    @nonexhaustive
    public enum State: Sendable {
        /// The server has accepted a connection.
        case opened(HTTPURLResponse)
        /// A comment, with which servers keep a connection open.
        case comment(String)
        /// The stream connects again after these seconds, because of a failure; nil if the response has ended.
        case waiting(TimeInterval, because: (any Error)?)
    }

    private let source: EventSource

    init(_ source: EventSource) {
        self.source = source
    }

    /// The id of the last event that the reader was given: keep it, to go on with it after a restart.
    public var lastEventID: String { source.lastEventID }

    /// The decoder of the call.
    var decoder: any DecoderProtocol { source.connector.decoder }

    /// The body of the last connection.
    var body: ResponseBody? { source.body }

    /// The request; nil if it could not be made.
    var request: URLRequest? { source.request }

    /// Closes the stream; the reader's next event is a `CancellationError`.
    public func cancel() { source.cancel() }

    /// Creates an iterator; every iterator except the first throws ``TransportError/Reason/bodyNotReplayable``.
    public func makeAsyncIterator() -> Iterator { iterator(forValues: false) }

    /// Creates an iterator; the reader of values gets types without data, too, and ends the last call.
    func iterator(forValues: Bool) -> Iterator { Iterator(pass: EventPass(source), isForValues: forValues) }

    /// The iterator over the events of a stream.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let pass: EventPass
        private let isForValues: Bool
        private var reader: EventReader?
        /// The seconds that the reader has waited since the head or the last event that ended the silence.
        private var silence: TimeInterval = 0
        private var isAtEnd = false
        /// Whether another connection would give the same events again, and so ends the sequence.
        var isWhole = false
        /// Whether the sequence has ended for that.
        private(set) var hasStopped = false

        /// Whether the server can go on where the connection ends.
        var canGoOn: Bool { pass.source.canGoOn }

        fileprivate init(pass: EventPass, isForValues: Bool) {
            self.pass = pass
            self.isForValues = isForValues
        }

        /// Waits for the next event, also while the stream connects again; returns nil at the end.
        ///
        /// Throws ``NetworkClient/Error``; errors of the error mapper and of interceptors; `CancellationError` if the
        /// task or the stream was cancelled.
        public mutating func next() async throws -> ServerSentEvent? {
            try pass.begin()
            while !isAtEnd {
                var failure: (any Error)?
                do {
                    if let event = try await nextOfConnection() { return event }
                } catch {
                    failure = leave(with: error) ?? error
                }
                guard !isAtEnd else { break }
                // Set before a final failure is thrown, which ends the sequence.
                isAtEnd = true
                let seconds: TimeInterval?
                do {
                    seconds = try pass.source.delayToReconnect(after: failure)
                } catch {
                    leave(with: error)
                    throw error
                }
                guard let seconds else { break }
                guard !isWhole else {
                    hasStopped = true
                    pass.source.end()
                    if let failure { throw failure }
                    break
                }
                leave(with: failure)
                try await pass.source.wait(seconds, after: failure)
                isAtEnd = false
            }
            if !isForValues { leave(with: nil) }
            return nil
        }

        /// Closes the connection, and ends its call with an error; nil for a success.
        ///
        /// Returns the error with the journey.
        @discardableResult
        mutating func leave(with error: (any Error)?) -> (any Error)? {
            defer { reader = nil }
            return reader?.leave(with: error)
        }

        /// Connects if need be; returns nil after the end of a response.
        private mutating func nextOfConnection() async throws -> ServerSentEvent? {
            let source = pass.source
            if reader == nil {
                reader = try await source.open(keepsBare: isForValues)
                silence = 0
                guard reader != nil else {
                    isAtEnd = true
                    source.end()
                    return nil
                }
            }
            guard let limit = source.limit(after: silence) else { return try await nextPart()?.event }
            let (wait, body) = (limit.remaining, source.body)
            let alarm = limit.alarm { [weak source] in source?.stop(silent: body) }
            defer { alarm?.stop() }
            do {
                let part = try await nextPart()
                silence = part?.endsSilence == false ? silence + wait - limit.remaining : 0
                return part?.event
            } catch {
                try source.checkCancellation()
                // The alarm may have stopped the body just after the last event was read.
                throw error is CancellationError ? source.silenceError ?? error : error
            }
        }

        /// Returns the next part that is an event.
        private mutating func nextPart() async throws -> EventParser.Part? {
            while let part = try await reader?.next() {
                try pass.source.checkCancellation()
                pass.source.accept(part)
                if part.event != nil { return part }
            }
            return nil
        }
    }
}

extension EventStream: OpaqueValue {}
extension EventStream.Iterator: OpaqueValue {}

extension EventStream.State: OpaqueValue {
    /// The status, the comment, or the wait and its reason, with secrets masked.
    public var description: String {
        switch self {
        case .opened(let response): "opened: \(response.statusCode)"
        case .comment(let text): "comment: \(LogRedaction.sensitive.maskedText(text))"
        case .waiting(let seconds, let error):
            "waiting \(seconds) s: \(error.map { LogRedaction.sensitive.text(of: $0) } ?? "the response has ended")"
        }
    }
}

/// The one pass over a stream, which closes it when it is released.
private final class EventPass: Sendable {
    let source: EventSource
    private let isFirst: Bool

    init(_ source: EventSource) {
        self.source = source
        isFirst = source.begin()
    }

    deinit {
        if isFirst { source.cancel() }
    }

    func begin() throws {
        guard !isFirst else { return }
        let detail = "an event stream can be read only once"
        throw NetworkClient.Error.requestError(type: TransportError(.bodyNotReplayable, detail: detail))
    }
}

extension TransportError.Reason {
    /// The response is not an event stream (`text/event-stream`).
    public static let notAnEventStream = Self(
        name: "notAnEventStream",
        sentence: "the response is not an event stream"
    )
}
