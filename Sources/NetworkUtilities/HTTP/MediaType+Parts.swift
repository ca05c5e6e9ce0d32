import Foundation

extension MediaType {
    /// `type/subtype` in lower case, without parameters.
    package var essence: String {
        value.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    }

    /// Whether the bytes are JSON: `application/json`, `text/json`, or a type with the suffix `+json` (RFC 6839 §3.1).
    package var isJSON: Bool {
        let essence = essence
        return essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
    }

    /// Whether the bytes are form fields in one line.
    package var isForm: Bool {
        essence == "application/x-www-form-urlencoded"
    }

    /// The value of a parameter, unquoted; nil if there is none of that name, which is compared without case.
    package func parameter(_ name: String) -> String? {
        var rest = value.drop { $0 != ";" }
        while !rest.isEmpty {
            rest = rest.dropFirst()
            let end = Self.endOfParameter(in: rest)
            let parameter = rest[..<end]
            if let equals = parameter.firstIndex(of: "="),
                parameter[..<equals].trimmingCharacters(in: .whitespaces).lowercased() == name.lowercased()
            {
                let text = parameter[parameter.index(after: equals)...].trimmingCharacters(in: .whitespaces)
                return Self.unquoted(text)
            }
            rest = rest[end...]
        }
        return nil
    }

    /// The `charset` parameter in lower case.
    package var charset: String? {
        parameter("charset")?.lowercased()
    }

    private static func endOfParameter(in text: Substring) -> Substring.Index {
        var isQuoted = false
        var isEscaped = false
        for index in text.indices {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, text[index] == "\\" {
                isEscaped = true
            } else if text[index] == "\"" {
                isQuoted.toggle()
            } else if text[index] == ";", !isQuoted {
                return index
            }
        }
        return text.endIndex
    }

    private static func unquoted(_ text: String) -> String {
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        var result = ""
        var isEscaped = false
        for character in text.dropFirst().dropLast() {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                result.append(character)
                isEscaped = false
            }
        }
        return result
    }
}
