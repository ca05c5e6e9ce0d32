import NetworkUtilities

/// One challenge of a `WWW-Authenticate` field (RFC 9110 §11.6.1): a scheme and its parameters.
struct AuthenticationChallenge: Hashable, Sendable {
    /// The scheme in the spelling of the server.
    let scheme: String

    /// The parameters by their names in lowercase; of two with one name, the first.
    private(set) var parameters: [String: String] = [:]

    /// Returns the challenges of a field, in their order; text that is not a challenge is skipped.
    static func all(in field: String) -> [AuthenticationChallenge] {
        guard field.utf8.count <= maximumLength else { return [] }
        var parser = Parser(bytes: Array(field.utf8))
        return parser.challenges()
    }

    private static let maximumLength = 1 << 14

    /// Reads a field from its first byte to its last; each step reads at least one byte.
    private struct Parser {
        let bytes: [UInt8]
        var position = 0

        private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

        mutating func challenges() -> [AuthenticationChallenge] {
            var result: [AuthenticationChallenge] = []
            while next != nil {
                skip { ASCII.isWhiteSpace($0) || $0 == UInt8(ascii: ",") }
                let name = text { HTTPToken.isTokenCharacter($0) }
                guard !name.isEmpty else {
                    skip { $0 != UInt8(ascii: ",") }
                    continue
                }
                skip(ASCII.isWhiteSpace)
                guard next == UInt8(ascii: "=") else {
                    result.append(AuthenticationChallenge(scheme: name))
                    continue
                }
                position += 1
                skip(ASCII.isWhiteSpace)
                let value = next == UInt8(ascii: "\"") ? quotedText() : plainText()
                let key = name.lowercased()
                guard let last = result.indices.last, result[last].parameters[key] == nil else { continue }
                result[last].parameters[key] = value
            }
            return result
        }

        private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
            while let byte = next, isSkipped(byte) { position += 1 }
        }

        private mutating func text(_ isPart: (UInt8) -> Bool) -> String {
            let start = position
            skip(isPart)
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }

        private mutating func plainText() -> String { text { !ASCII.isWhiteSpace($0) && $0 != UInt8(ascii: ",") } }

        /// Reads a quoted string (RFC 9110 §5.6.4) without its backslashes; one without an end extends to the end.
        private mutating func quotedText() -> String {
            var content: [UInt8] = []
            position += 1
            while var byte = next {
                position += 1
                if byte == UInt8(ascii: "\"") { break }
                if byte == UInt8(ascii: "\\"), let escaped = next {
                    byte = escaped
                    position += 1
                }
                content.append(byte)
            }
            return String(decoding: content, as: UTF8.self)
        }
    }
}
