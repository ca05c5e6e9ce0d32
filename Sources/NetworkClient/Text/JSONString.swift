/// The escapes of strings in JSON (RFC 8259 §7).
enum JSONString {
    /// Returns the content of a string without its quotes.
    ///
    /// In an invalid escape, the backslash is dropped.
    static func unescaped(_ string: ArraySlice<UInt8>) -> String {
        guard string.contains(UInt8(ascii: "\\")) else { return String(decoding: string, as: UTF8.self) }
        var bytes: [UInt8] = []
        // The UTF-16 code units of successive `\u` escapes: two of them form a character beyond U+FFFF.
        var units: [UInt16] = []
        var rest = string
        while let byte = rest.popFirst() {
            let escape = byte == UInt8(ascii: "\\") ? rest.popFirst() : nil
            if escape == UInt8(ascii: "u"),
                let unit = UInt16(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16)
            {
                units.append(unit)
                rest = rest.dropFirst(4)
                continue
            }
            if !units.isEmpty {
                bytes += String(decoding: units, as: UTF16.self).utf8
                units = []
            }
            bytes.append(escape.map { controls[$0] ?? $0 } ?? byte)
        }
        bytes += String(decoding: units, as: UTF16.self).utf8
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let controls: [UInt8: UInt8] = [
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
        UInt8(ascii: "t"): 0x09,
    ]

    /// Returns a text as a string in JSON, with its quotes.
    static func quoted(_ text: String) -> [UInt8] {
        var bytes = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x0A: bytes += "\\n".utf8
            case 0..<0x20: bytes += "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: bytes.append(byte)
            }
        }
        return bytes + [UInt8(ascii: "\"")]
    }
}
