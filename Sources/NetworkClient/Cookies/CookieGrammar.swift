/// The bytes that tell the parts of a cookie from each other.
enum CookieGrammar {
    static let semicolon = UInt8(ascii: ";")
    static let comma = UInt8(ascii: ",")
    static let equals = UInt8(ascii: "=")
    static let quote = UInt8(ascii: "\"")
    static let slash = UInt8(ascii: "/")

    /// Whether a byte is a control character, the tab not counted (RFC 6265bis §5.6).
    static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 || byte == 0x7F
    }

    /// `WSP`: a space or a tab.
    static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte)
    }

    /// What is left without white space around it.
    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let rest = bytes.drop(while: isWhiteSpace)
        guard let last = rest.lastIndex(where: { !isWhiteSpace($0) }) else { return [] }
        return rest[...last]
    }

    static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
