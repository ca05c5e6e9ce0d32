/// One event of an event stream (WHATWG HTML §9.2).
public struct ServerSentEvent: Hashable, Sendable {
    /// The type that the server names, `message` by default.
    public let type: String

    /// The data; several lines are joined with LF.
    public let data: String

    /// The id of the last event that had one, this one included; empty if there was none.
    ///
    /// The server gets it as `Last-Event-ID` when the stream connects again.
    public let id: String

    /// Creates an event, for tests.
    public init(type: String = "message", data: String, id: String = "") {
        self.type = type
        self.data = data
        self.id = id
    }

    /// Decodes the data.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The decoder; ``EventStream/values(of:in:until:failing:malformed:)`` uses that of the call.
    /// - Returns: The value.
    /// - Throws: The error of the decoder, a `DecodingError`.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self,
        by decoder: any DecoderProtocol = .default
    ) throws -> Value {
        try decoder.decode(data: Data(data.utf8))
    }
}

extension ServerSentEvent: OpaqueValue {
    /// The type and the data, with secrets masked as in a log of a body.
    public var description: String { LogRedaction.sensitive.maskedText("\(type): \(data)") }
}
