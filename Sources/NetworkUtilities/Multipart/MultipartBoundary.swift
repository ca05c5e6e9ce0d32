/// The line that separates the parts of a form (RFC 2046 §5.1.1).
///
/// Use ``random()``. A fixed boundary, made by ``init(_:)``, is for tests that compare bytes: a part that holds it
/// would end there.
public struct MultipartBoundary: Hashable, Sendable {
    /// The text as it stands in the header, without the hyphens that lead it in the body.
    public let text: String

    /// Takes a text that is known not to stand in any part.
    ///
    /// - Parameter text: 1 to 70 of the characters that RFC 2046 allows, the last of them not a space.
    /// - Throws: ``InvalidMultipartBoundary`` for any other text.
    public init(_ text: String) throws(InvalidMultipartBoundary) {
        let bytes = text.utf8
        guard (1...70).contains(bytes.count), bytes.last != UInt8(ascii: " "), bytes.allSatisfy(Self.isAllowed) else {
            throw InvalidMultipartBoundary(text: text)
        }
        self.text = text
    }

    private init(token: String) {
        text = token
    }

    /// Makes a boundary that no payload holds.
    ///
    /// It has 128 random bits, in letters and digits only, so that it needs no quotes in the header.
    ///
    /// - Returns: A boundary that no other form has.
    public static func random() -> MultipartBoundary {
        var generator = SystemRandomNumberGenerator()
        let bytes = [UInt8](unsafeUninitializedCapacity: prefix.utf8CodeUnitCount + 32) { buffer, count in
            count = prefix.utf8CodeUnitCount
            prefix.withUTF8Buffer { _ = buffer.update(fromContentsOf: $0) }
            for _ in 0..<2 {
                var bits = generator.next()
                for _ in 0..<16 {
                    buffer[count] = digit(UInt8(truncatingIfNeeded: bits & 0xF))
                    bits >>= 4
                    count += 1
                }
            }
        }
        return MultipartBoundary(token: String(decoding: bytes, as: UTF8.self))
    }

    private static let prefix: StaticString = "FormBoundary"

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "'()+_,-./:=? ".utf8.contains(byte)
        }
    }
}

extension MultipartBoundary: CustomStringConvertible {
    /// The text as it stands in the header.
    public var description: String { text }
}
