/// A URI template (RFC 6570, all four levels), such as `/users{/id}{?page,limit}`.
///
/// For the path of a request use `get(path: .template(_:variables:))`, which also keeps values from leading elsewhere.
/// Expand a template yourself where you want a text of any kind.
///
/// ```swift
/// let template = try URITemplate("/users{/id}{?page,limit}")
/// let text = try template.expand(["id": "a/b", "page": 2])       // /users/a%2Fb?page=2
/// ```
/// - Variables are given as for a form: a dictionary, or a value that is `Encodable`. A text, a number, a Boolean or a
///   date is a string of the template, an array a list, a dictionary or an object an associative array.
/// - A variable that is missing, nil, or an empty list is left out with what belongs to it.
public struct URITemplate: Hashable, Sendable {
    /// The template as it was given.
    public let text: String

    let parts: [Part]

    /// One part of a template, in the order in which they stand.
    enum Part: Hashable, Sendable {
        /// Text that is copied; what may not stand in a URI is escaped.
        case literal(String)
        /// What is replaced.
        case expression(Expression)
    }

    /// Parses a template.
    ///
    /// - Parameter text: The template.
    /// - Throws: ``URITemplateError`` for a brace without its counterpart, an expression without a variable, a name or
    ///   a modifier that is none, and the operators that RFC 6570 §2.2 reserves (`=`, `,`, `!`, `@`, `|`).
    public init(_ text: String) throws(URITemplateError) {
        var parser = URITemplateParser(text)
        parts = try parser.parse()
        self.text = text
    }

    /// The names of the variables, in the order in which they first stand in the template.
    public var variableNames: [String] {
        var names: [String] = []
        for case .expression(let expression) in parts {
            for variable in expression.variables where !names.contains(variable.name) { names.append(variable.name) }
        }
        return names
    }
}

extension URITemplate: CustomStringConvertible {
    /// The template as it was given.
    public var description: String { text }
}
