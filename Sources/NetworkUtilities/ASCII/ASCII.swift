/// The byte classes and comparisons that the grammars of header fields, URLs, forms and dates share.
///
/// The grammars are defined on bytes, and a `Character` can consist of two bytes, such as CR LF.
package enum ASCII {
    /// Returns whether the byte is a space or a tab (`OWS` of RFC 9110 §5.6.3).
    package static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09
    }

    /// Returns whether the byte is a control character other than the tab, which RFC 9110 §5.5 forbids in field values.
    package static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 || byte == 0x7F
    }

    /// Returns whether the byte is a decimal digit.
    package static func isDigit(_ byte: UInt8) -> Bool {
        byte >= 0x30 && byte <= 0x39
    }

    /// Returns whether the byte is a letter.
    package static func isLetter(_ byte: UInt8) -> Bool {
        byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
    }

    /// Returns the byte, with an uppercase letter lowercased.
    package static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }

    /// Returns whether two texts are equal if the case of letters is ignored.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        // Names of fields are compared many times a call, and a loop over the contiguous bytes is several times faster.
        let isSame = one.utf8.withContiguousStorageIfAvailable { one in
            other.utf8.withContiguousStorageIfAvailable { Self.isSame(one, $0) }
        }
        return (isSame ?? nil) ?? Self.isSame(one.utf8, other.utf8)
    }

    private static func isSame(_ one: some Sequence<UInt8>, _ other: some Sequence<UInt8>) -> Bool {
        for (byte, counterpart) in zip(one, other)
        where byte != counterpart && lowercased(byte) != lowercased(counterpart) {
            return false
        }
        return true
    }

    /// Returns the bytes without spaces and tabs at both ends.
    package static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        var (start, end) = (bytes.startIndex, bytes.endIndex)
        while start < end, isWhiteSpace(bytes[start]) { bytes.formIndex(after: &start) }
        while start < end {
            let last = bytes.index(before: end)
            guard isWhiteSpace(bytes[last]) else { break }
            end = last
        }
        return bytes[start..<end]
    }

    /// Returns whether the bytes contain a sequence of bytes.
    ///
    /// `contains` for a text in a text needs newer platforms than the oldest supported ones.
    package static func contains(_ part: some Collection<UInt8>, in bytes: [UInt8]) -> Bool {
        guard let first = part.first else { return true }
        guard part.count <= bytes.count else { return false }
        return (0...bytes.count - part.count).contains { start in
            bytes[start] == first && bytes[start...].starts(with: part)
        }
    }

    /// Returns the value of a hexadecimal digit in either case; nil for any other byte.
    package static func hexadecimalValue(of byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    /// Returns the uppercase hexadecimal digit of a value from 0 to 15.
    package static func hexadecimalDigit(of value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x37 + value
    }
}

/// A set of ASCII characters, whose members are found without hashing.
package struct ASCIISet: Sendable {
    private let members: (UInt64, UInt64)

    /// Creates a set of the ASCII characters of a text.
    package init(_ text: String) {
        members = text.utf8.reduce(into: (0, 0)) { members, byte in
            if byte < 64 { members.0 |= 1 << byte } else if byte < 128 { members.1 |= 1 << (byte & 63) }
        }
    }

    /// Returns whether the byte is one of the characters.
    package func contains(_ byte: UInt8) -> Bool {
        guard byte < 128 else { return false }
        return (byte < 64 ? members.0 : members.1) >> (byte & 63) & 1 == 1
    }
}

extension Data {
    /// The bytes after a UTF-8 byte order mark.
    package var withoutUTF8ByteOrderMark: Data {
        starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self
    }
}

extension [UInt8] {
    /// Appends the bytes of a text.
    mutating func append(verbatim text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }

    /// Appends the bytes of a literal.
    mutating func append(literal text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }
}
