extension RedactedJSON {
    var byte: UInt8? {
        position < source.count ? source[position] : nil
    }

    mutating func emit(to end: Int) {
        output += source[position..<end]
        position = end
    }

    mutating func skipWhiteSpace() {
        var end = position
        while end < source.count, TextMask.whiteSpace.contains(source[end]) { end += 1 }
        if isPretty {
            position = end
        } else {
            emit(to: end)
        }
    }

    /// Where the value ends that begins here; nil if there is none, or the source ends first.
    mutating func endOfValue(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "\""): endOfString()
        case UInt8(ascii: "{"), UInt8(ascii: "["): endOfContainer()
        default: endOfLiteral()
        }
    }

    /// Where the string ends that begins here.
    mutating func endOfString() -> Int? {
        endOfString(from: position)
    }

    private mutating func endOfString(from start: Int) -> Int? {
        guard start < source.count, source[start] == UInt8(ascii: "\"") else { return nil }
        var index = start + 1
        while index < source.count {
            switch source[index] {
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\\"): index += 2
            case 0..<0x20: return nil
            default: index += 1
            }
        }
        ranOut = true
        return nil
    }

    /// Where the number, `true`, `false` or `null` ends that begins here.
    private mutating func endOfLiteral() -> Int? {
        let end = source[position...].firstIndex { !Self.isLiteralByte($0) } ?? source.count
        let literal = source[position..<end]
        let isWord = ["true", "false", "null"].contains { literal.elementsEqual($0.utf8) }
        let isNumber = literal.first.map { $0 == UInt8(ascii: "-") || ($0 >= 0x30 && $0 <= 0x39) } ?? false
        guard isWord || isNumber else {
            ranOut = end == source.count
            return nil
        }
        return end
    }

    /// Where the object or array ends that begins here.
    ///
    /// What is in it is hidden, so only strings and brackets count.
    private mutating func endOfContainer() -> Int? {
        var depth = 0
        var index = position
        while index < source.count {
            switch source[index] {
            case UInt8(ascii: "\""):
                guard let end = endOfString(from: index) else { return nil }
                index = end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            index += 1
            if depth == 0 { return index }
        }
        ranOut = true
        return nil
    }

    private static func isLiteralByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// What a string says between its quotes; escapes that are invalid stand for what follows the backslash.
    static func unescaped(_ string: ArraySlice<UInt8>) -> String {
        guard string.contains(UInt8(ascii: "\\")) else { return String(decoding: string, as: UTF8.self) }
        var bytes: [UInt8] = []
        // Two of these make one character beyond U+FFFF.
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

    /// A string of JSON with its quotes.
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
