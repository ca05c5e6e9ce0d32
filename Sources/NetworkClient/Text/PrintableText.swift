/// Text that can't imitate another record, move the cursor, or change the direction of the text after it.
enum PrintableText {
    /// Returns the text as one line: line breaks and control characters are escaped.
    static func line(_ text: String) -> String {
        escaped(text, keepsLines: false)
    }

    /// Returns the text with each line indented: control characters other than line breaks are escaped.
    static func block(_ text: String) -> String {
        let lines = escaped(text, keepsLines: true).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
    }

    private static func escaped(_ text: String, keepsLines: Bool) -> String {
        // Printable ASCII is the usual case, and bytes are read faster than scalars.
        guard !text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }), text.unicodeScalars.contains(where: isUnsafe) else {
            return text
        }
        var result = ""
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            // CR LF is a single line break, like LF.
            if previous == "\r", !(keepsLines && scalar == "\n") { result += "\\r" }
            previous = scalar
            if scalar == "\r" { continue }
            if scalar == "\n" {
                result += keepsLines ? "\n" : "\\n"
            } else if isUnsafe(scalar) {
                result += scalar.escaped(asASCII: true)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return previous == "\r" ? result + "\\r" : result
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09: false
        case 0..<0x20, 0x7F...0x9F: true
        case 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

/// The text of a body, or of its beginning, in UTF-8.
struct BodyText {
    let bytes: [UInt8]

    private let charset: Charset
    private let markLength: Int
    private let source: Data

    /// Reads the beginning of a body; nil if its charset is unknown, or its bytes are not text.
    ///
    /// Bytes that are invalid in UTF-8 are kept, because the text around them is worth reading.
    init?(_ body: Data, type: MediaType, limit: Int) {
        let beginning = body.prefix(limit)
        guard let named = Charset(contentType: type.value) else { return nil }
        (charset, markLength) = named.marked(by: beginning)
        source = beginning.dropFirst(markLength)
        if charset == .utf8 {
            bytes = Array(source)
        } else {
            guard let reading = try? charset.read(source), reading.end != .invalid else { return nil }
            bytes = Array(reading.text.utf8)
        }
        guard !bytes.contains(0) else { return nil }
    }

    /// Returns how many bytes of the body the first bytes of the text represent.
    func sourceLength(of count: Int) -> Int {
        let text = bytes.prefix(count)
        guard charset != .utf8 else { return markLength + text.count }
        return markLength + charset.length(of: String(decoding: text, as: UTF8.self), in: source)
    }

    /// Returns the beginning of a text, at most as long as the limit, which does not end within a character.
    static func cut(_ bytes: [UInt8], at limit: Int) -> [UInt8] {
        guard bytes.count > limit else { return bytes }
        var end = max(limit, 0)
        while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(bytes[..<end])
    }
}
