import NetworkUtilities

extension TextMask {
    static let schemes: Set<String> = ["basic", "bearer", "digest", "dpop", "negotiate"]

    static let whiteSpace = Set(" \t\r\n".utf8)
    static let queryMarks = Set("?&#;".utf8)
    static let blanks = Set(" \t".utf8)
    static let quotes = Set("\\\"'".utf8)
    static let lineStops = Set("\r\n".utf8)
    static let queryStops = whiteSpace.union("&#\"'<>".utf8)
    static let valueStops = queryStops.union(",;)]}".utf8)
    static let elementStops = Set("<".utf8)
    static let authorityStops = whiteSpace.union("/?#\"'<>\\".utf8)

    /// Whether a byte may stand in the name of a value.
    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "%"): true
        case UInt8(ascii: "["), UInt8(ascii: "]"): true
        default: false
        }
    }

    /// Whether a value runs to the end of its line, since blanks and commas are a part of it.
    static func isLineName(_ name: String) -> Bool {
        let key = Array(SensitiveNames.key(name).utf8)
        return ["authorization", "cookie", "signature"].contains { ByteSearch.contains($0.utf8, in: key) }
    }

    /// Whether the bytes are `name=` and a value, as after the scheme of a challenge; a mere `=` at the end is base64.
    static func isParameter(_ bytes: ArraySlice<UInt8>, before next: UInt8?) -> Bool {
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { return false }
        return next == UInt8(ascii: "\"") || bytes[equals...].contains { $0 != UInt8(ascii: "=") }
    }
}
