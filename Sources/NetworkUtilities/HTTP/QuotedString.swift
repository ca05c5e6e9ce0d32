/// The `quoted-string` of RFC 9110 §5.6.4, in which parameters write what is no token.
enum QuotedString {
    /// The text itself if it is a token, else in quotes, with a backslash before each quote and backslash.
    ///
    /// Control characters are not in the grammar and stay as they are: whoever makes a field value replaces them.
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

    /// What stands between the quotes, without its backslashes; text that is not in quotes as it is.
    static func unquoted(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        guard bytes.count >= 2, bytes.first == quote, bytes.last == quote else {
            return String(decoding: bytes, as: UTF8.self)
        }
        let inner = bytes.dropFirst().dropLast()
        guard inner.contains(backslash) else { return String(decoding: inner, as: UTF8.self) }
        var result: [UInt8] = []
        result.reserveCapacity(inner.count)
        var isEscaped = false
        for byte in inner {
            isEscaped = byte == backslash && !isEscaped
            if !isEscaped { result.append(byte) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Where the quoted string that begins at an index ends, behind its closing quote; nil if it does not end, or holds
    /// a control character.
    static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var index = start + 1
        while index < bytes.count {
            let byte = bytes[index]
            if byte == quote { return index + 1 }
            if byte == backslash { index += 1 }
            guard index < bytes.count, !HeaderField.isForbidden(bytes[index]) else { return nil }
            index += 1
        }
        return nil
    }

    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
}
