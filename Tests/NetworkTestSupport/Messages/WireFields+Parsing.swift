extension WireFields {
    private static let colon = UInt8(ascii: ":")

    /// Strict, since what is parsed here was written by the code under test (RFC 9112 §5).
    init(parsing lines: some Sequence<ArraySlice<UInt8>>) throws {
        self.init()
        for line in lines {
            guard let colon = line.firstIndex(of: Self.colon) else {
                throw MalformedRequest(reason: "a header line without a colon")
            }
            let name = line[..<colon]
            guard !name.isEmpty, name.allSatisfy(\.isTokenByte) else {
                throw MalformedRequest(reason: "a header name that is not a token")
            }
            let value = line[(colon + 1)...].trimmingBlanks
            guard value.allSatisfy({ $0 == 9 || ($0 >= 32 && $0 != 127) }) else {
                throw MalformedRequest(reason: "a control character in a header value")
            }
            append(
                WireField(name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self))
            )
        }
    }
}

extension UInt8 {
    /// A `tchar` of RFC 9110 §5.6.2.
    var isTokenByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"),
            UInt8(ascii: "~"):
            true
        default:
            false
        }
    }
}

extension ArraySlice<UInt8> {
    /// Without the blanks and tabs around it.
    fileprivate var trimmingBlanks: ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == 32 || byte == 9 }
        guard let end = lastIndex(where: { !isBlank($0) }) else { return [] }
        return self[...end].drop(while: isBlank)
    }
}
