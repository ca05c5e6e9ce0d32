/// The `token` grammar of RFC 9110 §5.6.2, which methods, field names and parameter names follow.
package enum HTTPToken {
    /// Whether the text is a token: one or more letters, digits or ``!#$%&'*+-.^_`|~``.
    package static func isValid(_ text: String) -> Bool {
        // Every field name passes here; a loop over the bytes in place is several times faster than over a view.
        text.utf8.withContiguousStorageIfAvailable(isValid) ?? text.utf8.elementsAreToken
    }

    /// Whether bytes are a token.
    static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        for byte in bytes where !isTokenCharacter(byte) { return false }
        return !bytes.isEmpty
    }

    /// Whether one byte may stand in a token.
    package static func isTokenCharacter(_ byte: UInt8) -> Bool {
        // One bit for each of the first 128 bytes, 64 in each number.
        let bits: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return byte < 128 && bits >> UInt64(byte & 63) & 1 == 1
    }
}

extension String.UTF8View {
    fileprivate var elementsAreToken: Bool {
        !isEmpty && allSatisfy(HTTPToken.isTokenCharacter)
    }
}
