/// A URI template that cannot be read, or a variable that does not fit into it.
///
/// The text quotes the template, never a value.
public enum URITemplateError: Error, Hashable, Sendable {
    /// The template breaks the grammar of RFC 6570 §2.
    ///
    /// - Parameters:
    ///   - expression: The part that is wrong.
    ///   - reason: What is wrong with it, as the rest of a sentence.
    case malformed(expression: String, reason: String)

    /// A variable has no form in the template.
    ///
    /// - Parameters:
    ///   - name: The variable, and where in its value, as in `filter[tags][0]`.
    ///   - reason: What is wrong with it, as the rest of a sentence.
    case unusableVariable(name: String, reason: String)
}

extension URITemplateError: CustomStringConvertible {
    /// One sentence that names the part and the reason.
    public var description: String {
        switch self {
        case .malformed(let expression, let reason):
            "The URI template cannot be read: \(expression.debugDescription) \(reason)."
        case .unusableVariable(let name, let reason):
            "The URI template cannot be expanded: \(name.isEmpty ? "the value" : "'\(name)'") \(reason)."
        }
    }
}
