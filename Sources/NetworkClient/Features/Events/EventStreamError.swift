import JSONDecoding

/// The error that a server sends inside a stream whose response was accepted, such as an event of the type `error`.
///
/// ```swift
/// struct Overload: Decodable { var message: String }
///
/// do {
///     let deltas = try client.events(.post(path: "chat").noBody())
///     for try await delta in deltas.values(of: Item.self) { print(delta) }
/// } catch let error as EventStreamError {
///     print(try error.decoded(as: Overload.self).message)
/// }
/// ```
/// The text has the type of the event, the number of values before it, and the `type` and `code` of the error if they
/// are short words; it contains no other part of the data. A ``ResponseErrorMapper`` can replace the error: it receives
/// the response, and the data as the body.
public struct EventStreamError: Error {
    /// The event; a line of JSON Lines is an event of the type `message`.
    public let event: ServerSentEvent

    /// The response that has the stream, whose status the call has accepted.
    public let response: HTTPURLResponse?

    /// The decoder of the call, for data that is only a part of the response: its media type is not that of the data.
    public let decoder: any DecoderProtocol

    private let sentence: String

    init(_ event: ServerSentEvent, in response: HTTPURLResponse?, after count: Int, decoder: any DecoderProtocol) {
        let words = Self.words(in: event.data)
        let type = event.type == "message" ? nil : Self.word(event.type)
        let name = words.isEmpty ? "an error" : "the error \(words.joined(separator: ", "))"
        let place = response?.url.map { " from '\($0.shownPlace)'" } ?? ""
        let origin = type.map { " in an event '\($0)'" } ?? ""
        sentence = "The stream\(place) failed: the server sent \(name)\(origin), after \(StreamEnd.values(count))."
        self.event = event
        self.response = response
        self.decoder = PartDecoder(decoder: decoder)
    }

    private init(_ error: EventStreamError, _ event: ServerSentEvent) {
        (self.event, response, decoder, sentence) = (event, error.response, error.decoder, error.sentence)
    }

    /// The data of the event.
    public var data: Data? { Data(event.data.utf8) }
}

extension EventStreamError: DescribedError, OpaqueValue, RespondedError {
    /// One sentence that names the error and the URL.
    public var description: String { sentence }

    /// Returns the error with at most `limit` bytes of the data, the type and the id of the event, each.
    public func keeping(bytes limit: Int) -> EventStreamError {
        func cut(_ text: String) -> String {
            text.utf8.count > limit ? String(decoding: text.utf8.prefix(limit), as: UTF8.self) : text
        }
        let cut = ServerSentEvent(type: cut(event.type), data: cut(event.data), id: cut(event.id))
        return EventStreamError(self, cut)
    }
}

/// Decodes a part of a body, such as the data of an event, without the head of the response.
struct PartDecoder: DecoderProtocol, LayeredDecoder {
    let decoder: any DecoderProtocol

    var withoutEnvelope: any DecoderProtocol { PartDecoder(decoder: decoder.withoutAnyEnvelope) }

    func decode<T: Decodable>(data: Data) throws -> T { try decoder.decode(data: data) }
}

extension EventStreamError {
    /// The names of an error that its text may show: the `type` and `code` of its `error` member, or its own.
    private static func words(in data: String) -> [String] {
        let text = Data(data.utf8)
        guard text.count <= StreamFailures.longestData,
            case .object(var members)? = try? DefaultDecoder().decode(data: text) as JSONTree
        else { return [] }
        if case .object(let error)? = members["error"] { members = error }
        return ["type", "code"].compactMap { name in
            switch members[name] {
            case .text("error")?: nil
            // A code with digits may be a secret, such as an authorization code or a one-time password.
            case .text(let text)? where name == "type" || !text.utf8.contains(where: ASCII.isDigit): word(text)
            case .integer(let number)? where abs(Double(number)) < 100_000: "\(number)"
            default: nil
            }
        }
    }

    /// Returns a text that is a short word, and not recognizable as a secret; nil for any other.
    private static func word(_ text: String) -> String? {
        let isWord = text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "_-.".utf8.contains($0) }
        return isWord && 1...40 ~= text.utf8.count ? RecognizableSecret.masked(text) : nil
    }
}

/// Which events of a stream are errors of the server.
public struct StreamFailures: Sendable {
    private enum Rule {
        case none, standard
        case member(String)
        case closure(@Sendable (ServerSentEvent) -> Bool)
    }

    private let rule: Rule

    private init(rule: Rule) {
        self.rule = rule
    }

    /// Decides with a closure which events are errors; it also receives the event that marks the end.
    ///
    /// ```swift
    /// let failures = StreamFailures { event in
    ///     ["error", "response.failed"].contains(event.type)
    /// }
    /// ```
    public init(_ isFailure: @escaping @Sendable (ServerSentEvent) -> Bool) {
        rule = .closure(isFailure)
    }

    /// Events of the type `error`.
    public static let standard = StreamFailures(rule: .standard)

    /// No event.
    public static let none = StreamFailures(rule: .none)

    /// As ``standard``, and data that is a JSON object with a member of this name at its top, unless that is null.
    ///
    /// Only the first 64 KiB of the data are searched, even if the JSON is incomplete. Don't use it for values that
    /// have such a member.
    public static func member(_ name: String) -> StreamFailures { StreamFailures(rule: .member(name)) }

    static let longestData = 64 << 10

    func contains(_ part: StreamPart) -> Bool {
        switch rule {
        case .none: false
        case .standard: part.event?.type == "error"
        case .member(let name): part.event?.type == "error" || Self.member(name, isIn: part.text)
        case .closure(let isFailure): isFailure(part.wholeEvent)
        }
    }

    /// Searches the members of an object, without those inside other members, as far as the text is JSON.
    private static func member(_ name: String, isIn text: Data) -> Bool {
        let text = [UInt8](text.prefix(longestData))
        var (depth, index, isKey) = (0, 0, false)
        while index < text.count {
            let byte = text[index]
            index += 1
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard depth > 0 || byte == UInt8(ascii: "{") else { return false }
                depth += 1
                isKey = depth == 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ","): isKey = depth == 1
            case UInt8(ascii: "\""):
                let start = index
                while index < text.count, text[index] != byte { index += text[index] == UInt8(ascii: "\\") ? 2 : 1 }
                guard index < text.count else { return false }
                index += 1
                guard isKey, JSONString.unescaped(text[start..<index - 1]) == name else { break }
                let value = text[index...].drop { $0 == UInt8(ascii: ":") || ASCII.isWhiteSpace($0) }
                let isNull = value.starts(with: "null".utf8) || !value.isEmpty && "null".utf8.starts(with: value)
                if !isNull { return true }
            case _ where ASCII.isWhiteSpace(byte): break
            default:
                guard depth > 0 else { return false }
                if byte == UInt8(ascii: ":") { isKey = false }
            }
        }
        return false
    }
}

/// How a server marks the end of a stream; a text is the data that it sends: `until: "[DONE]"`.
///
/// The end is not a value. A stream that ends without it was cut: unless ``isRequired`` is false, this is an error with
/// the reason ``TransportError/Reason/endedEarly``.
public struct StreamEnd: Sendable, ExpressibleByStringLiteral {
    private enum Mark: Sendable {
        case data(String)
        case event(String)
    }

    private let mark: Mark

    /// Whether it is an error if the stream ends without this end.
    public var isRequired = true

    /// An event, or a line, with this data; white space around it is ignored.
    public static func data(_ data: String) -> StreamEnd { StreamEnd(mark: .data(data)) }

    /// An event of this type; not for JSON Lines, whose lines have no type.
    public static func event(_ type: String) -> StreamEnd { StreamEnd(mark: .event(type)) }

    /// Creates the end by this data.
    public init(stringLiteral data: String) {
        self = .data(data)
    }

    private init(mark: Mark) {
        self.mark = mark
    }

    func contains(_ part: StreamPart) -> Bool {
        switch mark {
        case .data(let data): part.trimmed.elementsEqual(data.utf8)
        case .event(let type): part.event?.type == type
        }
    }

    /// Returns the error of a stream that ended without its required end.
    func missing(
        in request: URLRequest?,
        after count: Int,
        underlying: TransportError? = nil
    ) -> NetworkClient.Error {
        let end =
            switch mark {
            case .data(let data): "'\(data)'"
            case .event(let type): "an event '\(type)'"
            }
        let detail = "the stream has ended without \(end), after \(Self.values(count))"
        var failure = TransportError(.endedEarly, request: request, detail: detail, underlying: underlying)
        // The call of the connection has ended, and its journey tells how.
        failure.attachment = underlying?.attachment
        return .requestError(type: failure)
    }

    fileprivate static func values(_ count: Int) -> String { count == 1 ? "1 value" : "\(count) values" }
}

extension TransportError.Reason {
    /// A stream has ended without the end that it must have: ``StreamEnd``.
    public static let endedEarly = Self(name: "endedEarly", sentence: "the stream has ended before its end")
}
