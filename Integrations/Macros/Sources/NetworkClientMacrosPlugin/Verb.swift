import SwiftSyntax
import SwiftSyntaxMacros

/// The method of a request and its path, as an attribute writes them.
struct Verb {
    /// The method, such as `GET`; empty for an expression.
    let method: String

    /// The expression for the method.
    private let token: String

    /// The place of the path; nil if it is no literal, which was reported.
    let place: ExprSyntax?

    let template: PathTemplate

    init(_ attribute: AttributeSyntax, in context: some MacroExpansionContext) {
        let name = attribute.macroName ?? ""
        let values = attribute.values.filter { $0.label == nil }.map(\.expression)
        let path = name == "Method" ? values.dropFirst().first : values.first
        method = name == "Method" ? values.first?.literal ?? "" : name.uppercased()
        if let first = values.first, !method.isToken {
            let hint = "write a literal token, such as \"PROPFIND\""
            context.report("\(first.trimmedDescription) isn't a valid method: \(hint)", at: first)
        }
        token = values.first?.trimmedDescription ?? ""
        place = path?.literal == nil ? nil : path
        template = PathTemplate(path?.literal ?? "/")
        guard let path, place == nil else { return }
        let message = "a path is a literal, with ':name' for the value of a @Path property"
        let segments = path.as(StringLiteralExprSyntax.self)?.segments.map { segment in
            switch segment {
            case .stringSegment(let text): text.content.text
            case .expressionSegment(let value): "{\(value.expressions.trimmedDescription)}"
            }
        }
        context.report(message, at: path, segments.map { [Fix("\"\($0.joined())\"", over: path)] } ?? [])
    }

    /// Whether a request of the method may have a body (RFC 9110 §9.3).
    var allowsBody: Bool { !["GET", "HEAD", "TRACE", "CONNECT"].contains(method) }

    /// Returns the first step of the builder, and whether a step for the body follows.
    func step(_ path: String, hasBody: Bool) -> (text: String, opensBody: Bool) {
        let name = method.lowercased()
        return switch method {
        case "GET", "HEAD", "TRACE": (".\(name)(path: \(path))", false)
        case "DELETE" where !hasBody, "OPTIONS" where !hasBody: (".\(name)(path: \(path))", false)
        case "POST", "PUT", "PATCH": (".\(name)(path: \(path))", true)
        case "DELETE", "OPTIONS", "CONNECT": (".method(.\(name), path: \(path))", true)
        default: (".method(NetworkUtilities::HTTPMethod(\(token)), path: \(path))", true)
        }
    }
}

/// The path of an endpoint, with `:name` and `{name}` in the places of its values.
///
/// The grammar is that of the library's `Route`, without a query: `:name` counts at the beginning of a segment, where
/// `::` is a colon, and `{name}` anywhere.
struct PathTemplate {
    private enum Part {
        case text(String)
        case value(String)
    }

    private var parts: [Part] = []

    /// The rule that the template breaks, as a sentence that says what to write instead.
    private(set) var fault: String?

    init(_ template: String) {
        var rest = template[...]
        var isAtSegmentStart = true
        if rest.isEmpty { fault = "the path is empty: write \"/\"" }
        if rest.hasPrefix("//") || rest.prefix(while: { $0 != "/" }).hasSuffix(":") && rest.contains("://") {
            fault = "a path has no scheme and no host, which are those of the client's baseURL: write what follows them"
        }
        while fault == nil, let character = rest.popFirst() {
            switch character {
            case "?": fault = "a path has no query: mark a property of the query with @Query in place of '?'"
            case "#": fault = "a path has no fragment, which is never sent: write '%23' for the character '#'"
            case "}": fault = "the path has a '}' without its '{'"
            case "{":
                append(name: rest.prefix { $0 != "}" }, of: &rest) {
                    "'{\($0)}' in the path names no property: use the name of a property, such as '{userID}'"
                }
                if rest.popFirst() == nil { fault = "the path has a '{' without its '}'" }
            case ":" where isAtSegmentStart && rest.first != ":":
                append(name: rest.prefix(while: Self.isPartOfName), of: &rest) {
                    "':\($0)' in the path names no property: write '::' for a colon at this place"
                }
            default:
                if character == ":", isAtSegmentStart { rest.removeFirst() }
                parts.append(.text(String(character)))
            }
            isAtSegmentStart = character == "/"
        }
    }

    private mutating func append(name: Substring, of rest: inout Substring, orSay message: (Substring) -> String) {
        rest = rest[name.endIndex...]
        guard let first = name.first, !first.isNumber, name.allSatisfy(Self.isPartOfName) else {
            return fault = message(name)
        }
        parts.append(.value(String(name)))
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character == "_" || character.isLetter || character.isNumber
    }

    /// The names of the values, in the order of their first appearance.
    var names: [String] {
        parts.reduce(into: []) { names, part in
            if case .value(let name) = part, !names.contains(name) { names.append(name) }
        }
    }

    /// Returns the Swift literal of the path, with the expression for each name; names without one stay text.
    func literal(_ expressions: [String: String]) -> String {
        let texts = parts.map { part in
            switch part {
            // The description of a text is a literal of Swift.
            case .text(let text): String(String(reflecting: text).dropFirst().dropLast())
            case .value(let name): expressions[name].map { "\\(\($0))" } ?? name
            }
        }
        return "\"\(texts.joined())\""
    }
}
