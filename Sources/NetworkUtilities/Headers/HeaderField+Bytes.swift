extension HeaderField {
    /// Control characters but for the tab: RFC 9110 §5.5 calls CR, LF and NUL dangerous and the others invalid.
    static func isForbidden(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 || byte == 0x7F
    }

    /// What `OWS` is made of (RFC 9110 §5.6.3).
    static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09
    }

    /// What is left of a range of bytes without white space around it.
    static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isWhiteSpace(bytes[start]) { start += 1 }
        while start < end, isWhiteSpace(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    /// A capital letter of ASCII as a small one, any other byte as it is.
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }

    /// Whether two field names are one name (RFC 9110 §5.1: letters count without case).
    package static func isSameName(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        var others = other.utf8.makeIterator()
        for byte in one.utf8 {
            guard let counterpart = others.next() else { return false }
            if byte != counterpart, lowercased(byte) != lowercased(counterpart) { return false }
        }
        return true
    }
}
