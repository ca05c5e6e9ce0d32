import SwiftCompilerPlugin
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

@main
struct NetworkClientMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [EndpointMacro.self, MarkMacro.self]
}

extension AttributeSyntax {
    /// The name of a macro of this package; nil for an attribute that names another module.
    var macroName: String? {
        let name = attributeName.trimmedDescription
        let own = ["NetworkClientMacros.", "NetworkClientMacros::"].first(where: name.hasPrefix)
        return own == nil && name.contains { ".:<".contains($0) } ? nil : String(name.dropFirst(own?.count ?? 0))
    }

    /// The arguments in their order.
    var values: [LabeledExprSyntax] { arguments?.as(LabeledExprListSyntax.self).map(Array.init) ?? [] }

    /// Whether the attribute makes a struct an endpoint.
    var isVerb: Bool {
        let verbs = ["Get", "Post", "Put", "Patch", "Delete", "Head", "Options", "Trace", "Connect", "Method"]
        return macroName.map(verbs.contains) == true
    }

    /// Whether no other attribute before this one makes the declaration an endpoint.
    func isFirstVerb(of declaration: some DeclGroupSyntax) -> Bool {
        let first = declaration.attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }.first(where: \.isVerb)
        return first == nil || first?.trimmedDescription == trimmedDescription
    }
}

extension MacroExpansionContext {
    /// Reports what doesn't fit, at its place, with what to write instead.
    func report(_ message: String, at node: some SyntaxProtocol, _ fixes: [Fix] = [], isError: Bool = true) {
        let message: any DiagnosticMessage =
            isError ? MacroExpansionErrorMessage(message) : MacroExpansionWarningMessage(message)
        diagnose(Diagnostic(node: node, message: message, fixIts: fixes.map(\.fixIt)))
    }
}

/// A text to write in the source.
struct Fix {
    let fixIt: FixIt

    /// Writes a text in place of a node.
    init(_ text: String, over node: some SyntaxProtocol) { self.init(text, node.trimmedRange, node) }

    /// Writes a text at a place in a node.
    init(_ text: String, at place: AbsolutePosition, in node: some SyntaxProtocol) {
        self.init(text, place..<place, node)
    }

    private init(_ text: String, _ range: Range<AbsolutePosition>, _ node: some SyntaxProtocol) {
        let message = "write '\(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))'"
        let change = FixIt.Change.replaceText(range: range, with: text, in: Syntax(node))
        fixIt = FixIt(message: MacroExpansionFixItMessage(message), changes: [change])
    }
}
