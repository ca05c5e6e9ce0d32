import JSONDecoding

/// The body of a response for types that are not decoded from JSON: its bytes and its `Content-Type`.
struct PlainBody {
    let data: Data
    private let contentType: String?

    init(_ data: Data, contentType: String? = nil) {
        self.data = data
        self.contentType = contentType
    }

    /// Returns the whole body as text, without a byte order mark.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if the charset is unknown, or the bytes are not valid in it.
    func text() throws -> String {
        do throws(Charset.Unreadable) {
            guard let charset = Charset(contentType: contentType) else { throw .unknownCharset }
            return try charset.text(of: data)
        } catch {
            let reason: DecodingReason = error == .unknownCharset ? .unknownCharset : .invalidText
            throw reason.error()
        }
    }

    /// Whether the body may be JSON: its media type is JSON, or missing.
    var canBeJSON: Bool {
        guard let type = contentType.map({ MediaType($0) }), !type.essence.isEmpty else { return true }
        return type.isJSON
    }

    /// Whether a body that cannot be decoded from JSON may be a plain value: it is empty, of another media type, or not
    /// JSON and of no media type.
    func canBePlain(after error: DecodingError) -> Bool {
        if !canBeJSON || trimmed.isEmpty { return true }
        guard contentType == nil, case .dataCorrupted(let context) = error else { return false }
        return context.codingPath.isEmpty
    }

    /// The bytes without a byte order mark and without JSON white space (RFC 8259 §2) at both ends.
    var trimmed: Data {
        let content = data.withoutUTF8ByteOrderMark
        guard let first = content.firstIndex(where: Self.isContent) else { return Data() }
        guard let last = content.lastIndex(where: Self.isContent) else { return Data() }
        return content[first...last]
    }

    /// Whether the body is the JSON literal `null`.
    var isNull: Bool {
        trimmed.elementsEqual("null".utf8)
    }

    /// Whether the body contains no value: it is empty, only white space, or `null`.
    var isNothing: Bool {
        trimmed.isEmpty || isNull
    }

    private static func isContent(_ byte: UInt8) -> Bool {
        !ASCII.isWhiteSpace(byte) && byte != 0x0A && byte != 0x0D
    }
}

extension Data {
    /// The bytes without the quotes around them; nil if they are not in quotes.
    fileprivate var unquoted: Data? {
        count >= 2 && first == UInt8(ascii: "\"") && last == UInt8(ascii: "\"") ? dropFirst().dropLast() : nil
    }
}

/// A type that ``DefaultDecoder`` does not decode from JSON.
protocol PlainDecodable {
    /// Creates the value from the whole body.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if the body does not represent such a value.
    init(plain body: PlainBody) throws
}

extension Data: PlainDecodable {
    init(plain body: PlainBody) {
        self = body.data
    }
}

extension String: PlainDecodable {
    /// Creates the content of a JSON string literal if the body may be JSON, otherwise the body as text.
    init(plain body: PlainBody) throws {
        let text = try body.text()
        self = body.canBeJSON ? Self.content(ofLiteral: text) ?? text : text
    }

    /// Returns the content of a text that is one JSON string literal; nil for any other text.
    private static func content(ofLiteral text: String) -> String? {
        let literal = PlainBody(Data(text.utf8)).trimmed
        return literal.unquoted == nil ? nil : try? literalDecoder.decode(String.self, from: literal)
    }

    private static let literalDecoder = JSONDecoder()
}

extension Bool: PlainDecodable {
    init(plain body: PlainBody) throws {
        let word = body.trimmed
        // Setting this bit lowercases ASCII letters and turns no other byte into a letter.
        let lowercased = (word.unquoted ?? word).lazy.map { $0 | 0x20 }
        if lowercased.elementsEqual("true".utf8) {
            self = true
        } else if lowercased.elementsEqual("false".utf8) {
            self = false
        } else {
            throw DecodingReason.notABoolean.error()
        }
    }
}

extension Optional: PlainDecodable where Wrapped: PlainDecodable {
    /// Creates nil from the JSON literal `null`: plain types have no other representation of nil.
    init(plain body: PlainBody) throws {
        self = body.isNull ? nil : try Wrapped(plain: body)
    }
}

/// A type that may have a ``PlainDecodable`` type as one of its alternatives.
protocol PlainAlternative {
    /// Creates the value of the first alternative that is plain and that the body represents; nil if there is none.
    static func plain(_ body: PlainBody) -> Self?
}

extension Optional: PlainAlternative where Wrapped: PlainAlternative {
    static func plain(_ body: PlainBody) -> Wrapped?? { Wrapped.plain(body).map { .some($0) } }
}

/// The type to request if you don't need the body of a response, or if the body may be missing.
///
/// ```swift
/// let response = try await client.fetch(request: request, as: EmptyResponse.self)
/// ```
public struct EmptyResponse: Decodable, Hashable, Sendable {
    /// Creates the only value.
    public init() {}

    /// Creates an empty response; nothing is decoded.
    public init(from decoder: any Decoder) {}
}

extension EmptyResponse: PlainDecodable {
    init(plain body: PlainBody) {}
}
