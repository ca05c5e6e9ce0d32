/// The `token` grammar of RFC 9110 §5.6.2, which methods, field names and parameter names follow.
package enum HTTPToken {
    /// Whether the text is a token: one or more letters, digits or ``!#$%&'*+-.^_`|~``.
    package static func isValid(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenCharacter)
    }

    /// Whether one byte may stand in a token.
    package static func isTokenCharacter(_ byte: UInt8) -> Bool {
        byte < 128 && (byte < 64 ? lowerHalf >> UInt64(byte) : upperHalf >> UInt64(byte - 64)) & 1 == 1
    }

    private static let lowerHalf = bitmap(from: 0)
    private static let upperHalf = bitmap(from: 64)

    private static func bitmap(from offset: UInt8) -> UInt64 {
        let characters = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        return characters.utf8.reduce(into: 0) { bits, byte in
            if byte >= offset, byte - offset < 64 { bits |= 1 << UInt64(byte - offset) }
        }
    }
}
