import Foundation

/// A type that ``DefaultDecoder`` makes from a body without taking it for JSON.
protocol PlainDecodable {
    /// Takes the value from the whole body.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if the body is not such a value.
    init(plain body: PlainBody) throws
}

extension Data: PlainDecodable {
    /// The bytes as they came.
    init(plain body: PlainBody) {
        self = body.data
    }
}

extension String: PlainDecodable {
    /// The content of a JSON string literal, if the body may be JSON by its type, or else the body as text.
    init(plain body: PlainBody) throws {
        let text = try body.text()
        self = body.canBeJSON ? Self.unquoted(text) ?? text : text
    }

    /// The content of a text that is one JSON string literal in full; nil for any other text.
    private static func unquoted(_ text: String) -> String? {
        let literal = PlainBody(Data(text.utf8)).trimmed
        let quote = UInt8(ascii: "\"")
        guard literal.count >= 2, literal.first == quote, literal.last == quote else { return nil }
        return try? literalDecoder.decode(String.self, from: literal)
    }

    private static let literalDecoder = JSONDecoder()
}

extension Bool: PlainDecodable {
    /// `true` or `false` in any letter case, quoted or not.
    init(plain body: PlainBody) throws {
        var word = body.trimmed
        let quote = UInt8(ascii: "\"")
        if word.count >= 2, word.first == quote, word.last == quote {
            word = word.dropFirst().dropLast()
        }
        // Setting this bit lowers ASCII letters and makes a letter of nothing else.
        let lowered = word.lazy.map { $0 | 0x20 }
        if lowered.elementsEqual("true".utf8) {
            self = true
        } else if lowered.elementsEqual("false".utf8) {
            self = false
        } else {
            throw DecodingReason.notABoolean.error()
        }
    }
}

extension Optional: PlainDecodable where Wrapped: PlainDecodable {
    /// nil for the JSON literal `null`, which no plain type can be told from otherwise.
    init(plain body: PlainBody) throws {
        self = body.isNull ? nil : try Wrapped(plain: body)
    }
}
