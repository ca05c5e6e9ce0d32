/// The `token` grammar of RFC 9110 §5.6.2, for methods, field names and parameter names.
package enum HTTPToken {
    /// Returns whether the text is a token: one or more letters, digits or ``!#$%&'*+-.^_`|~``.
    package static func isValid(_ text: String) -> Bool {
        // Every field name is checked here, and a loop over the contiguous bytes is several times faster.
        text.utf8.withContiguousStorageIfAvailable { isValid($0) } ?? isValid(text.utf8)
    }

    /// Returns whether the bytes are a token.
    static func isValid(_ bytes: some Collection<UInt8>) -> Bool {
        for byte in bytes where !isTokenCharacter(byte) { return false }
        return !bytes.isEmpty
    }

    /// Returns whether the byte is allowed in a token.
    package static func isTokenCharacter(_ byte: UInt8) -> Bool {
        // One bit for each of the first 128 bytes, 64 in each number.
        let bits: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return byte < 128 && bits >> UInt64(byte & 63) & 1 == 1
    }
}

/// The `quoted-string` grammar of RFC 9110 §5.6.4, for parameter values that are not tokens.
package enum QuotedString {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")

    /// Returns the text itself if it is a token; otherwise the text in quotes, with a backslash before quotes and
    /// backslashes.
    ///
    /// Control characters are kept, although the grammar forbids them: `FieldValue.sanitized(_:)` replaces them.
    static func quotedIfNeeded(_ text: String) -> String {
        guard !HTTPToken.isValid(text) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 8)
        bytes.append(quote)
        for byte in text.utf8 {
            if byte == quote || byte == backslash { bytes.append(backslash) }
            bytes.append(byte)
        }
        bytes.append(quote)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the text of a quoted string without its backslashes, and any other text unchanged.
    ///
    /// As in browsers (WHATWG Fetch, "collect an HTTP quoted string"), the closing quote may be missing, and bytes
    /// after it are ignored.
    static func unquoted(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        guard bytes.first == quote else { return String(decoding: bytes, as: UTF8.self) }
        var rest = bytes.dropFirst()
        var result: [UInt8] = []
        result.reserveCapacity(rest.count)
        while let byte = rest.popFirst(), byte != quote {
            result.append(byte == backslash ? rest.popFirst() ?? byte : byte)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Splits a text at a separator outside quoted strings (RFC 9110 §5.6.4).
    package static func split(_ text: Substring, at separator: Unicode.Scalar) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        var (isQuoted, isEscaped) = (false, false)
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == backslash {
                isEscaped = true
            } else if byte == quote {
                isQuoted.toggle()
            } else if !isQuoted, byte == UInt8(ascii: separator) {
                parts.append(text[start..<index])
                start = text.utf8.index(after: index)
            }
        }
        return parts + [text[start...]]
    }

    /// Returns whether the bytes are one quoted string from the first byte to the last.
    static func isValid(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard bytes.first == quote else { return false }
        var rest = bytes.dropFirst()
        while let byte = rest.popFirst() {
            if byte == quote { return rest.isEmpty }
            guard let content = byte == backslash ? rest.popFirst() : byte, !ASCII.isControl(content) else {
                return false
            }
        }
        return false
    }
}

/// The values of header fields (RFC 9110 §5.5).
package enum FieldValue {
    /// Returns the value with each control character replaced by a space, and without spaces and tabs at both ends.
    package static func sanitized(_ value: String) -> String {
        // Every value is checked here, and nearly every one is clean.
        let isClean = value.utf8.withContiguousStorageIfAvailable(isClean)
        guard isClean != true else { return value }
        let bytes = value.utf8.map { ASCII.isControl($0) ? 0x20 : $0 }
        return String(decoding: ASCII.trimmed(bytes), as: UTF8.self)
    }

    /// Returns whether the value has no control character, which may begin another field.
    package static func isValid(_ value: String) -> Bool {
        let isValid = value.utf8.withContiguousStorageIfAvailable { !holdsControl($0) }
        return isValid ?? !value.utf8.contains(where: ASCII.isControl)
    }

    private static func isClean(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first, let last = bytes.last else { return true }
        guard !ASCII.isWhiteSpace(first), !ASCII.isWhiteSpace(last) else { return false }
        return !holdsControl(bytes)
    }

    private static func holdsControl(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // A loop without branches and early exit, which the compiler vectorises to 16 bytes at a time.
        var forbidden: UInt8 = 0
        for byte in bytes {
            let control: UInt8 = byte < 0x20 ? 1 : 0
            let other: UInt8 = byte != 0x09 ? 1 : 0
            let delete: UInt8 = byte == 0x7F ? 1 : 0
            forbidden |= control & other | delete
        }
        return forbidden != 0
    }
}

/// The weight of one of several choices, from 0 to 1 (RFC 9110 §12.4.2).
enum QualityValue {
    /// Returns the number as the grammar writes it, in any locale: at most three decimals, without zeros at the end.
    ///
    /// A number below 0 becomes 0, and a number above 1 becomes 1. NaN becomes 1, the default weight. A number above 0
    /// becomes at least 0.001, because 0 would forbid the choice.
    static func text(of quality: Double) -> String {
        let thousandths = thousandths(of: quality)
        if thousandths == 0 { return "0" }
        if thousandths == 1000 { return "1" }
        var digits = String(thousandths + 1000).utf8.dropFirst()
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        return "0.\(Substring(digits))"
    }

    private static func thousandths(of quality: Double) -> Int {
        if quality.isNaN { return 1000 }
        if quality <= 0 { return 0 }
        return max(1, Int((min(quality, 1) * 1000).rounded()))
    }
}
