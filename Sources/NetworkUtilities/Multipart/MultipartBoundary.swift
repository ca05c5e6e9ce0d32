/// The separator of the parts of a form (RFC 2046 §5.1.1).
///
/// Use ``random()``. A fixed boundary from ``init(_:)`` is for tests that compare bytes: a part that contains the
/// boundary would end there.
public struct MultipartBoundary: Hashable, Sendable {
    /// The text in the header, without the hyphens before it in the body.
    public let text: String

    /// Creates a boundary from a text that no part contains.
    ///
    /// - Throws: ``MultipartBoundaryError`` unless the text is 1 to 70 of the characters that RFC 2046 allows, and
    ///   does not end with a space.
    public init(_ text: String) throws(MultipartBoundaryError) {
        let bytes = text.utf8
        guard (1...70).contains(bytes.count), bytes.last != UInt8(ascii: " "), bytes.allSatisfy(Self.isAllowed) else {
            throw MultipartBoundaryError(text: text)
        }
        self.text = text
    }

    private init(token: String) {
        text = token
    }

    /// Creates a boundary with 128 random bits, of letters and digits, so that it needs no quotes in the header.
    public static func random() -> MultipartBoundary {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(44)
        bytes.append(literal: "FormBoundary")
        for _ in 0..<2 {
            var bits = generator.next()
            for _ in 0..<16 {
                bytes.append(ASCII.hexadecimalDigit(of: UInt8(truncatingIfNeeded: bits & 0xF)))
                bits >>= 4
            }
        }
        return MultipartBoundary(token: String(decoding: bytes, as: UTF8.self))
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || ASCII.isLetter(byte) || "'()+_,-./:=? ".utf8.contains(byte)
    }
}

extension MultipartBoundary: CustomStringConvertible {
    /// The text in the header.
    public var description: String { text }
}

/// The error for a text that is not a boundary (RFC 2046 §5.1.1).
public struct MultipartBoundaryError: Error, Hashable, Sendable, DescribedError {
    /// The invalid text.
    public let text: String

    package init(text: String) {
        self.text = text
    }

    /// One sentence that quotes the text and states the rule.
    public var description: String {
        "The multipart boundary \(text.debugDescription) is not valid: "
            + "use 1 to 70 letters, digits, spaces and '()+_,-./:=?, without a space at the end."
    }
}
