/// A URI template (RFC 6570, all four levels), such as `/users{/id}{?page,limit}`.
///
/// For the path of a request use `get(path: .template(_:variables:))`, which also prevents values from leading to
/// another resource. Expand a template yourself where any string is needed.
///
/// ```swift
/// let template = try URITemplate("/users{/id}{?page,limit}")
/// let text = try template.expand(["id": "a/b", "page": 2])  // /users/a%2Fb?page=2
/// ```
/// - Variables are given as for a form: a dictionary, or an `Encodable` value. In the terms of RFC 6570, a string, a
///   number, a Boolean or a date is a string; an array is a list; a dictionary or an object is an associative array.
/// - A variable that is missing, nil or an empty list is left out, and so is an expression without other variables.
public struct URITemplate: Hashable, Sendable {
    /// The unparsed template.
    public let text: String

    let parts: [Part]

    /// A part of a template; the parts are in the order in which they are written.
    enum Part: Hashable, Sendable {
        /// Text that is copied; characters that a URI can't contain are escaped.
        case literal(String)
        /// Text that is replaced by the values of variables.
        case expression(Expression)
    }

    /// An operator and the variables that it is applied to, in braces.
    struct Expression: Hashable, Sendable {
        /// The expression with its braces.
        let text: String
        let kind: Operator
        let variables: [Variable]
    }

    /// A variable of an expression with its modifier.
    struct Variable: Hashable, Sendable {
        let name: String
        /// The maximum length of a string in characters (prefix modifier, RFC 6570 §2.4.1); nil for no limit.
        var prefix: Int?
        /// Whether the parts of a list or an associative array are written one by one (explode modifier, RFC 6570
        /// §2.4.2).
        var isExploded = false
    }

    /// The operator of an expression (RFC 6570 §2.2); its raw value is the ASCII character.
    enum Operator: UInt8, Hashable, Sendable {
        case simple = 0
        case reserved = 0x2B
        case fragment = 0x23
        case label = 0x2E
        case path = 0x2F
        case parameter = 0x3B
        case query = 0x3F
        case continuation = 0x26
    }

    /// Parses a template.
    ///
    /// Throws ``URITemplateError`` for an unbalanced brace, an expression without a variable, an invalid name or
    /// modifier, and the operators that RFC 6570 §2.2 reserves (`=`, `,`, `!`, `@`, `|`).
    public init(_ text: String) throws(URITemplateError) {
        var parser = URITemplateParser(text)
        parts = try parser.parse()
        self.text = text
    }

    /// The names of the variables, in the order of their first appearance.
    public var variableNames: [String] {
        var names: [String] = []
        for case .expression(let expression) in parts {
            for variable in expression.variables where !names.contains(variable.name) { names.append(variable.name) }
        }
        return names
    }
}

extension URITemplate: CustomStringConvertible {
    /// The unparsed template.
    public var description: String { text }
}

/// The error for a URI template that can't be parsed, or a variable that can't be expanded in it.
///
/// The description quotes the template, never a value.
@nonexhaustive
public enum URITemplateError: Error, Hashable, Sendable {
    /// The template breaks the grammar of RFC 6570 §2.
    ///
    /// - Parameters:
    ///   - expression: The invalid part.
    ///   - reason: The reason, as the rest of a sentence.
    case malformed(expression: String, reason: String)

    /// A variable has a value that can't be written in the template.
    ///
    /// - Parameters:
    ///   - name: The variable, with the place in its value, as in `filter[tags][0]`.
    ///   - reason: The reason, as the rest of a sentence.
    case unusableVariable(name: String, reason: String)
}

extension URITemplateError: DescribedError {
    /// A sentence that names the part and the reason.
    public var description: String {
        switch self {
        case .malformed(let expression, let reason):
            "The URI template cannot be read: \(expression.debugDescription) \(reason)."
        case .unusableVariable(let name, let reason):
            "The URI template cannot be expanded: \(ValueFailure(path: name, reason: reason))."
        }
    }
}

/// A parser of the grammar of RFC 6570 §2.
private struct URITemplateParser {
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
            throw .malformed(expression: text, reason: "contains an invalid variable name")
        }
        var variable = URITemplate.Variable(name: String(Substring(specifier[..<end])))
        let modifier = specifier[end...]
        if modifier.first == UInt8(ascii: "*"), modifier.count == 1 {
            variable.isExploded = true
        } else if modifier.first == UInt8(ascii: ":") {
            variable.prefix = prefixLength(modifier.dropFirst())
            guard variable.prefix != nil else {
                throw .malformed(expression: text, reason: "has a prefix that is not a number from 1 to 9999")
            }
        } else if !modifier.isEmpty {
            throw .malformed(expression: text, reason: "has an invalid modifier")
        }
        return variable
    }

    /// Returns whether a name consists of letters, digits, `_` and escapes, with single dots between them (RFC 6570
    /// §2.3).
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
