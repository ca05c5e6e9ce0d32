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
    let body: ResponseBody

    /// Creates an iterator; a body can be read only once.
    public func makeAsyncIterator() -> Iterator { iterator(forValues: false) }

    /// Creates an iterator; the reader of values gets types without data, too, and ends the call.
    func iterator(forValues: Bool) -> Iterator {
        Iterator(reader: EventReader(body, parser: EventParser(keepsBare: forValues), endsCall: forValues))
    }

    /// The iterator over the events of a body.
    public struct Iterator: AsyncIteratorProtocol {
        var reader: EventReader

        /// Waits for the next event; returns nil at the end.
        ///
        /// Throws as ``ResponseBody/Iterator/next()``, and ``TransportError/Reason/bodyTooLarge``.
        public mutating func next() async throws -> ServerSentEvent? {
            while let part = try await reader.next() {
                if let event = part.event { return event }
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
    /// The name of the limit in code, if it can be set.
    private let limitName: String
    /// The number of events so far.
    private var count = 0

    /// Creates a reader; one that ends the call does so in ``leave(with:)``, and not at the end of the body.
    init(_ body: ResponseBody, parser: EventParser, endsCall: Bool) {
        chunks = body.makeAsyncIterator()
        if endsCall { chunks.endCallByLeaving() }
        self.parser = parser
        limitName = endsCall ? "eventLimit" : "limit"
    }

    /// Stops the transfer, and ends the call with an error; nil for a success.
    ///
    /// Returns the error with the journey.
    ///
    /// The journey of a call that ends with an error has the number of events.
    @discardableResult
    func leave(with error: (any Error)?) -> (any Error)? {
        chunks.leave(with: error, after: "EventStream: ended after \(count == 1 ? "1 event" : "\(count) events")")
    }

    /// Waits for the next part; returns nil at the end.
    mutating func next() async throws -> EventParser.Part? {
        do {
            while true {
                if let part = try parser.next() {
                    if part.event != nil { count += 1 }
                    return part
                }
                guard let chunk = try await chunks.next() else { return nil }
                parser.append(chunk)
            }
        } catch is EventParser.TooLong {
            let detail = "an event is longer than the \(limitName) of \(parser.limit) bytes"
            let error = NetworkClient.Error.requestError(type: TransportError(.bodyTooLarge, detail: detail))
            throw leave(with: error) ?? error
        }
    }
}
