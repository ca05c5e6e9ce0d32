/// Text that cannot pass for another record, move a cursor or turn the direction of what follows.
enum PrintableText {
    /// The text in one line: line breaks and control characters are escaped.
    static func line(_ text: String) -> String {
        escaped(text, keepsLines: false)
    }

    /// The text with its line breaks, each line indented, other control characters escaped.
    static func block(_ text: String) -> String {
        let lines = escaped(text, keepsLines: true).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
    }

    private static func escaped(_ text: String, keepsLines: Bool) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var result = ""
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            // A line that ends in CR LF is a line like any other.
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
