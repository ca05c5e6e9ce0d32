/// Reads the grammar of RFC 6570 §2.
struct URITemplateParser {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    mutating func parse() throws(URITemplateError) -> [URITemplate.Part] {
        var parts: [URITemplate.Part] = []
        while let byte = rest.first {
            if byte == UInt8(ascii: "{") {
                parts.append(.expression(try parseExpression()))
            } else {
                parts.append(.literal(try parseLiteral()))
            }
        }
        return parts
    }

    private mutating func parseLiteral() throws(URITemplateError) -> String {
        let end = rest.firstIndex { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") } ?? rest.endIndex
        let literal = String(Substring(rest[..<end]))
        guard end == rest.endIndex || rest[end] == UInt8(ascii: "{") else {
            throw .malformed(expression: literal + "}", reason: "closes a brace that was not opened")
        }
        rest = rest[end...]
        return literal
    }

    private mutating func parseExpression() throws(URITemplateError) -> URITemplate.Expression {
        guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else {
            throw .malformed(expression: String(Substring(rest)), reason: "opens a brace that is not closed")
        }
        let text = String(Substring(rest[...end]))
        var content = rest[rest.index(after: rest.startIndex)..<end]
        rest = rest[rest.index(after: end)...]
        let kind = try Self.parseOperator(&content, of: text)
        var variables: [URITemplate.Variable] = []
        for specifier in content.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            variables.append(try Self.parseVariable(specifier, of: text))
        }
        return URITemplate.Expression(text: text, kind: kind, variables: variables)
    }

    private static func parseOperator(
        _ content: inout Substring.UTF8View,
        of text: String
    ) throws(URITemplateError) -> URITemplate.Operator {
        guard let byte = content.first else { throw .malformed(expression: text, reason: "names no variable") }
        guard !"=,!@|".utf8.contains(byte) else {
            throw .malformed(expression: text, reason: "has an operator that RFC 6570 reserves")
        }
        guard byte != 0, let kind = URITemplate.Operator(rawValue: byte) else { return .simple }
        content = content.dropFirst()
        return kind
    }

    private static func parseVariable(
        _ specifier: Substring.UTF8View,
        of text: String
    ) throws(URITemplateError) -> URITemplate.Variable {
        let end = specifier.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "*") } ?? specifier.endIndex
        guard isName(specifier[..<end]) else {
            throw .malformed(expression: text, reason: "holds a name that is none")
        }
        var variable = URITemplate.Variable(name: String(Substring(specifier[..<end])))
        let modifier = specifier[end...]
        if modifier.first == UInt8(ascii: "*"), modifier.count == 1 {
            variable.isExploded = true
        } else if modifier.first == UInt8(ascii: ":") {
            variable.prefix = prefixLength(modifier.dropFirst())
            guard variable.prefix != nil else {
                throw .malformed(expression: text, reason: "has a prefix that is no number from 1 to 9999")
            }
        } else if !modifier.isEmpty {
            throw .malformed(expression: text, reason: "has a modifier that is none")
        }
        return variable
    }

    /// Letters, digits, `_` and escapes, and single dots between them (RFC 6570 §2.3).
    private static func isName(_ name: Substring.UTF8View) -> Bool {
        name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { part in
            var rest = part
            guard !rest.isEmpty else { return false }
            while let byte = rest.popFirst() {
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"):
                    continue
                case UInt8(ascii: "%"):
                    guard let high = rest.popFirst(), let low = rest.popFirst() else { return false }
                    guard PercentEncoding.isHexadecimal(high), PercentEncoding.isHexadecimal(low) else { return false }
                default:
                    return false
                }
            }
            return true
        }
    }

    private static func prefixLength(_ digits: Substring.UTF8View) -> Int? {
        guard (1...4).contains(digits.count), digits.first != UInt8(ascii: "0") else { return nil }
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(Substring(digits))
    }
}
