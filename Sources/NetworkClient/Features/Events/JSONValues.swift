import JSONDecoding

extension ResponseBody {
    /// The values of a body in JSON Lines (`application/jsonl`, `application/x-ndjson`): one in each line.
    ///
    /// A line ends with LF, or the body; empty lines are skipped. They are decoded with the decoder of the call or the
    /// client, as they are received.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - stop: A line at which the sequence ends, and the transfer stops; nil for none.
    ///   - malformed: What is done with a line that cannot be decoded.
    /// - Returns: The values.
    public func values<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        until stop: String? = nil,
        malformed: MalformedValue = .throwing
    ) -> JSONValues<Value> {
        JSONValues(texts: .lines(self), decoder: reading.decoder, stop: stop, malformed: malformed)
    }
}

extension ServerSentEvents {
    /// The values in the data of the events, decoded with the decoder of the call or the client.
    ///
    /// Behaves like ``EventStream/values(of:until:malformed:)``.
    public func values<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        until stop: String? = nil,
        malformed: MalformedValue = .throwing
    ) -> JSONValues<Value> {
        JSONValues(texts: .events(self), decoder: body.reading.decoder, stop: stop, malformed: malformed)
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
    ///   - stop: The data of an event at which the sequence ends, and the connection is closed; nil for none.
    ///   - malformed: What is done with data that cannot be decoded.
    /// - Returns: The values.
    public func values<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        until stop: String? = nil,
        malformed: MalformedValue = .throwing
    ) -> JSONValues<Value> {
        JSONValues(texts: .stream(self), decoder: decoder, stop: stop, malformed: malformed)
    }
}

/// The values of JSON Lines, or of the data of events, one after another.
public struct JSONValues<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    /// A value.
    public typealias Element = Value

    enum Texts: Sendable {
        case lines(ResponseBody)
        case events(ServerSentEvents)
        case stream(EventStream)
    }

    let texts: Texts
    let decoder: any DecoderProtocol
    let stop: String?
    let malformed: MalformedValue

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

        fileprivate init(_ values: JSONValues) {
            self.values = values
            switch values.texts {
            case .lines(let body): lines = .init(chunks: body.makeAsyncIterator(), endsAtCR: false)
            case .events(let events): self.events = events.makeAsyncIterator()
            case .stream(let stream): self.stream = stream.makeAsyncIterator()
            }
        }

        /// Waits for the next value; returns nil at the end.
        ///
        /// Throws as the sequence does from which the values are; ``NetworkClient/Error/decodingError(type:)`` for a
        /// value that cannot be decoded, whose path begins with its index; and ``TransportError/Reason/bodyTooLarge``
        /// for a line of more than 16 MiB.
        public mutating func next() async throws -> Value? {
            do {
                while let text = try await nextText() {
                    index += 1
                    if let value = try value(of: text) { return value }
                }
            } catch {
                end(with: error)
                throw error
            }
            end(with: nil)
            return nil
        }

        /// Stops the transfer, which is a success if the values have ended, by a stop word too.
        private mutating func end(with error: (any Error)?) {
            lines?.leave(with: error)
            events?.reader.leave(with: error)
            stream?.leave(with: error)
            (lines, events, stream) = (nil, nil, nil)
        }

        /// Returns the value; nil for one that is skipped.
        private func value(of text: Data) throws -> Value? {
            do {
                return try values.decoder.decode(data: text) as Value
            } catch let thrown where !(thrown is CancellationError) {
                let key = JSONKey(index: index)
                // An initialiser can throw any error.
                let other = DecodingError.Context(
                    codingPath: [],
                    debugDescription: "The initialiser has thrown an error.",
                    underlyingError: thrown
                )
                let error = thrown as? DecodingError ?? .dataCorrupted(other)
                let placed = error.replacingContext { context in
                    DecodingError.Context(
                        codingPath: [key] + context.codingPath,
                        debugDescription: context.debugDescription,
                        underlyingError: context.underlyingError
                    )
                }
                if let error = values.malformed.handle(.decodingError(type: placed)) { throw error }
                return nil
            }
        }

        /// Returns the next text that is not empty; nil at the end, or at the stop word.
        private mutating func nextText() async throws -> Data? {
            while let text = try await nextPart() {
                let trimmed = ASCII.trimmed(text.last == UInt8(ascii: "\r") ? text.dropLast() : text)
                guard !trimmed.isEmpty else { continue }
                return values.stop.map { trimmed.elementsEqual($0.utf8) } == true ? nil : text
            }
            return nil
        }

        private mutating func nextPart() async throws -> Data? {
            if let line = try await lines?.next() { return Data(line) }
            if let event = try await events?.next() { return Data(event.data.utf8) }
            return try await stream?.next().map { Data($0.data.utf8) }
        }
    }
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
