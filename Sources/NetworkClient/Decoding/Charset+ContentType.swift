import Foundation

extension Charset {
    /// The charset that a `Content-Type` field names (RFC 9110 §8.3.2), UTF-8 if it names none; nil if it is not known.
    init?(contentType: String?) {
        guard let name = contentType.flatMap(Self.name), !name.isEmpty else {
            self = .utf8
            return
        }
        self.init(name: name)
    }

    /// The value of the first `charset` parameter.
    private static func name(in contentType: String) -> String? {
        for parameter in parameters(of: contentType).dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces).lowercased() == "charset" {
                // Single quotes are not in the grammar, but some servers send them and no name contains one.
                return parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t\"'"))
            }
        }
        return nil
    }

    /// The parts between semicolons, those in quoted strings (RFC 9110 §5.6.4) left alone.
    private static func parameters(of contentType: String) -> [Substring] {
        var isQuoted = false
        var isEscaped = false
        return contentType.split(omittingEmptySubsequences: false) { character in
            if isEscaped {
                isEscaped = false
                return false
            }
            isEscaped = isQuoted && character == "\\"
            if character == "\"" { isQuoted.toggle() }
            return character == ";" && !isQuoted
        }
    }
}
