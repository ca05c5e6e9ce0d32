import JSONDecoding

extension ResponseBody {
    /// The values of a body in JSON Lines (`application/jsonl`, `application/x-ndjson`): one in each line.
    ///
    /// A line ends with LF, or the body; empty lines are skipped. They are decoded with the decoder of the call or the
    /// client, as they are received.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - stop: The line at which the sequence ends, and the transfer stops; nil for none. A body that ends without it
    ///     is an error: ``StreamEnd``.
    ///   - failing: Which lines are errors of the server, ``EventStreamError``: a line is like an event of the type
    ///     `message`, so that ``StreamFailures/standard`` finds none, and `.member("error")` does.
    ///   - malformed: What is done with a line that cannot be decoded.
    /// - Returns: The values.
    public func values<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        until stop: StreamEnd? = nil,
        failing: StreamFailures = .standard,
        malformed: MalformedValue = .throwing
    ) -> JSONValues<Value> {
        JSONValues(.lines(self), reading.decoder, types: nil, stop, failing, malformed)
    }
}

extension ServerSentEvents {
    /// The values in the data of the events, decoded with the decoder of the call or the client.
    ///
    /// Behaves like ``EventStream/values(of:in:until:failing:malformed:)``.
    public func values<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        in types: Set<String>? = nil,
        until stop: StreamEnd? = nil,
        failing: StreamFailures = .standard,
        malformed: MalformedValue = .throwing
    ) -> JSONValues<Value> {
        JSONValues(.events(self), body.reading.decoder, types: types, stop, failing, malformed)
    }
}

extension EventStream {
    /// The values in the data of the events, decoded with the decoder of the call or the client.
    ///
    /// ```swift
    /// struct Token: Decodable { var text: String }
    ///
    /// let tokens = try client.events(.post(path: "chat").noBody())
    /// for try await token in tokens.values(of: Token.self, until: "[DONE]") {
    ///     print(token.text, terminator: "")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - types: The types of the events that are decoded, others being skipped; nil for all.
    ///   - stop: The event, of any type, at which the sequence ends, and the connection is closed; nil for none. A
    ///     stream that ends without it, and does not connect again, is an error: ``StreamEnd``. After a value without
    ///     an id, it does not connect again, since the values would come once more.
    ///   - failing: Which events, of any type, are errors of the server. Such an event ends the sequence with an
    ///     ``EventStreamError``, and the stream does not connect again.
    ///   - malformed: What is done with data that cannot be decoded.
    /// - Returns: The values.
    public func values<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        in types: Set<String>? = nil,
        until stop: StreamEnd? = nil,
        failing: StreamFailures = .standard,
        malformed: MalformedValue = .throwing
    ) -> JSONValues<Value> {
        JSONValues(.stream(self), decoder, types: types, stop, failing, malformed)
    }
}

/// The values of JSON Lines, or of the data of events, one after another.
public struct JSONValues<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    enum Texts: Sendable {
        case lines(ResponseBody)
        case events(ServerSentEvents)
        case stream(EventStream)

        /// The body of the last response.
        var body: ResponseBody? {
            switch self {
            case .lines(let body): body
            case .events(let events): events.body
            case .stream(let stream): stream.body
            }
        }

        var request: URLRequest? {
            guard case .stream(let stream) = self else {
                return body?.reading.head.response.url.map { URLRequest(url: $0) }
            }
            return stream.request
        }
    }

    let texts: Texts
    let decoder: any DecoderProtocol
    let types: Set<String>?
    let stop: StreamEnd?
    let failing: StreamFailures
    let malformed: MalformedValue

    init(
        _ texts: Texts,
        _ decoder: any DecoderProtocol,
        types: Set<String>?,
        _ stop: StreamEnd?,
        _ failing: StreamFailures,
        _ malformed: MalformedValue
    ) {
        (self.texts, self.decoder, self.types) = (texts, decoder, types)
        (self.stop, self.failing, self.malformed) = (stop, failing, malformed)
    }

    /// Creates an iterator; only the first one can read the values.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// The iterator over the values.
    public struct Iterator: AsyncIteratorProtocol {
        // One of these readers; it is removed after the last value, which stops the transfer.
        private var lines: ResponseBody.LineReader?
        private var events: ServerSentEvents.Iterator?
        private var stream: EventStream.Iterator?
        private let values: JSONValues
        private var index = -1
        /// The number of values that the reader got.
        private var count = 0
        private var isAtEnd = false

        fileprivate init(_ values: JSONValues) {
            self.values = values
            switch values.texts {
            case .lines(let body): lines = .init(chunks: body.makeAsyncIterator(), endsAtCR: false, endsCall: true)
            case .events(let events): self.events = events.iterator(forValues: true)
            case .stream(let stream): self.stream = stream.iterator(forValues: true)
            }
        }

        /// Waits for the next value; returns nil at the end.
        ///
        /// Throws as the sequence does from which the values are; ``NetworkClient/Error/decodingError(type:)`` for a
        /// value that cannot be decoded, whose path begins with its index; ``EventStreamError`` for an error of the
        /// server; ``TransportError/Reason/endedEarly`` if the end that was asked for is missing; and
        /// ``TransportError/Reason/bodyTooLarge`` for a line of more than 16 MiB.
        public mutating func next() async throws -> Value? {
            guard !isAtEnd else { return nil }
            do {
                while let text = try await nextText() {
                    index += 1
                    guard let value = try value(of: text) else { continue }
                    count += 1
                    let isWhole = values.stop?.isRequired == true && stream?.canGoOn == false
                    stream?.isWhole = isWhole
                    return value
                }
            } catch {
                throw end(with: error) ?? error
            }
            end(with: nil)
            return nil
        }

        /// Stops the transfer.
        ///
        /// The call is a success if the values have ended, by the body's end or a stop word.
        @discardableResult
        private mutating func end(with error: (any Error)?) -> (any Error)? {
            defer { ((lines, events, stream), isAtEnd) = ((nil, nil, nil), true) }
            return lines?.leave(with: error) ?? events?.reader.leave(with: error) ?? stream?.leave(with: error)
        }

        /// Returns the value; nil for one that is skipped.
        private func value(of text: Data) throws -> Value? {
            do {
                return try values.decoder.decode(data: text) as Value
            } catch let thrown where !(thrown is CancellationError) {
                let placed = DecodingError.of(valueAt: index, thrown)
                let response = values.texts.body?.reading.head.response
                let decoder = PartDecoder(decoder: values.decoder)
                let told = response.map { UndecodableResponse.adding($0, text, to: placed, by: decoder) }
                if let error = values.malformed.handle(.decodingError(type: told ?? placed)) { throw error }
                return nil
            }
        }

        /// Returns the next text of a value; nil at the end.
        private mutating func nextText() async throws -> Data? {
            while let part = try await nextPart() {
                if part.event == nil, part.trimmed.isEmpty { continue }
                if values.failing.contains(part) { throw await failure(part.wholeEvent) }
                if values.stop?.contains(part) == true { return nil }
                let isOfType = part.event.flatMap { event in values.types?.contains(event.type) } ?? true
                if isOfType, !part.trimmed.isEmpty { return part.text }
            }
            guard let stop = values.stop, stop.isRequired else { return nil }
            throw stop.missing(in: values.texts.request, after: count)
        }

        private mutating func nextPart() async throws -> StreamPart? {
            if let line = try await lines?.next({ Data($0) }) { return StreamPart(line) }
            if let event = try await events?.next() { return StreamPart(event) }
            do {
                return try await stream?.next().map { StreamPart($0) }
            } catch NetworkClient.Error.requestError(let failure) where stream?.hasStopped == true {
                guard let stop = values.stop else { throw NetworkClient.Error.requestError(type: failure) }
                throw stop.missing(in: values.texts.request, after: count, underlying: failure)
            }
        }

        /// Returns the error for an event, which the mapper of the call may replace.
        private func failure(_ event: ServerSentEvent) async -> any Error {
            let reading = values.texts.body?.reading
            let response = reading?.head.response
            let error = EventStreamError(event, in: response, after: count, decoder: values.decoder)
            guard let reading, let response else { return error }
            reading.stop()
            let info = ResponseErrorMapper.Info(response: response, data: Data(event.data.utf8))
            let mapped = await reading.mapper.map(info)
            return info.isUnchanged(mapped) ? error : mapped
        }
    }
}

extension DecodingError {
    /// Returns the error for a value of a sequence, whose path begins with the index of the value.
    static func of(valueAt index: Int, _ thrown: any Error) -> DecodingError {
        // An initialiser can throw any error.
        let other = DecodingError.Context(
            codingPath: [],
            debugDescription: "The initialiser has thrown an error.",
            underlyingError: thrown
        )
        let error = thrown as? DecodingError ?? .dataCorrupted(other)
        return error.replacingContext { context in
            DecodingError.Context(
                codingPath: [AnyCodingKey(index: index)] + context.codingPath,
                debugDescription: context.debugDescription,
                underlyingError: context.underlyingError
            )
        }
    }
}

/// An event, or a line of JSON Lines.
struct StreamPart {
    /// The event; nil for a line.
    let event: ServerSentEvent?
    let text: Data
    /// The text without white space around it.
    let trimmed: Data

    init(_ event: ServerSentEvent) {
        self.init(Data(event.data.utf8), of: event)
    }

    init(_ text: Data, of event: ServerSentEvent? = nil) {
        self.event = event
        self.text = text
        trimmed = ASCII.trimmed(text.last == UInt8(ascii: "\r") ? text.dropLast() : text)
    }

    var wholeEvent: ServerSentEvent { event ?? ServerSentEvent(data: String(decoding: trimmed, as: UTF8.self)) }
}

extension JSONValues: OpaqueValue {}
extension JSONValues.Iterator: OpaqueValue {}

/// What ``JSONValues`` does with a value that cannot be decoded.
public struct MalformedValue: Sendable {
    /// Returns the error to throw; nil to go on.
    let handle: @Sendable (NetworkClient.Error) -> NetworkClient.Error?

    /// Throws the error, which ends the sequence.
    public static let throwing = MalformedValue { $0 }

    /// Continues with the next value, after a closure that receives the error.
    public static func skipping(
        _ report: @escaping @Sendable (NetworkClient.Error) -> Void = { _ in }
    ) -> MalformedValue {
        MalformedValue { error in
            report(error)
            return nil
        }
    }
}
