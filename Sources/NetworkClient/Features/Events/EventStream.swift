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
/// - Note: A POST is not sent again when its response has ended, or has failed, unless you ask for it:
///   ``Reconnection/always``.
public struct EventStream: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent

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

    /// Closes the stream; the reader's next event is a `CancellationError`.
    public func cancel() { source.cancel() }

    /// Creates an iterator; every iterator except the first throws ``TransportError/Reason/bodyNotReplayable``.
    public func makeAsyncIterator() -> Iterator {
        Iterator(pass: EventPass(source))
    }

    /// The iterator over the events of a stream.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let pass: EventPass
        private var reader: EventReader?
        private var isAtEnd = false

        fileprivate init(pass: EventPass) {
            self.pass = pass
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
                    failure = error
                }
                reader = nil
                guard !isAtEnd else { break }
                // Set before the wait, since `waits` throws a final failure, which ends the sequence.
                isAtEnd = true
                isAtEnd = try await !pass.source.waitToReconnect(after: failure)
            }
            return nil
        }

        /// Closes the connection, and ends its call with the error that the reader gets; nil for a success.
        func leave(with error: (any Error)?) { reader?.leave(with: error) }

        /// Connects if need be; returns nil after the end of a response.
        private mutating func nextOfConnection() async throws -> ServerSentEvent? {
            let source = pass.source
            if reader == nil {
                reader = try await source.open()
                guard reader != nil else {
                    isAtEnd = true
                    source.end()
                    return nil
                }
            }
            while let part = try await reader?.next() {
                try source.checkCancellation()
                if let event = source.accept(part) { return event }
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
