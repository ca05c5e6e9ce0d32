extension ResponseBody {
    /// The events of a body that is an event stream (WHATWG HTML §9.2), until it ends.
    ///
    /// For a stream that connects again by itself, and checks what the response is, see
    /// `events`.
    ///
    /// An event longer than 1 MiB is an error with the reason ``TransportError/Reason/bodyTooLarge``.
    public var events: ServerSentEvents { ServerSentEvents(body: self) }
}

/// The events of one response: ``ResponseBody/events``.
public struct ServerSentEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent

    let body: ResponseBody

    /// Creates an iterator; a body can be read only once.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: EventReader(body, parser: EventParser()))
    }

    /// The iterator over the events of a body.
    public struct Iterator: AsyncIteratorProtocol {
        var reader: EventReader

        /// Waits for the next event; returns nil at the end.
        ///
        /// Throws as ``ResponseBody/Iterator/next()``, and ``TransportError/Reason/bodyTooLarge``.
        public mutating func next() async throws -> ServerSentEvent? {
            while let part = try await reader.next() {
                if case .event(let event) = part { return event }
            }
            return nil
        }
    }
}

extension ServerSentEvents: OpaqueValue {}
extension ServerSentEvents.Iterator: OpaqueValue {}

/// Reads the parts of an event stream from a body.
struct EventReader {
    private var chunks: ResponseBody.Iterator
    private var parser: EventParser

    init(_ body: ResponseBody, parser: EventParser) {
        chunks = body.makeAsyncIterator()
        self.parser = parser
    }

    /// Stops the transfer, and ends the call with the error that the reader gets; nil for a success.
    func leave(with error: (any Error)?) { chunks.leave(with: error) }

    /// Waits for the next part; returns nil at the end.
    mutating func next() async throws -> EventParser.Part? {
        do {
            while true {
                if let part = try parser.next() { return part }
                guard let chunk = try await chunks.next() else { return nil }
                parser.append(chunk)
            }
        } catch is EventParser.TooLong {
            let detail = "an event is longer than \(parser.limit) bytes"
            let error = NetworkClient.Error.requestError(type: TransportError(.bodyTooLarge, detail: detail))
            leave(with: error)
            throw error
        }
    }
}
