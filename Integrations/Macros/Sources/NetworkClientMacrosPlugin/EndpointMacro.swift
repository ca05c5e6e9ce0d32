public import SwiftSyntax
import SwiftSyntaxBuilder
public import SwiftSyntaxMacros

/// Writes the conformance of a struct to `Endpoint` for `@Get` and its like.
///
/// What doesn't fit is reported and left out of the expansion, so that nothing else is reported for it.
public enum EndpointMacro: ExtensionMacro {
    /// Returns the extension with `request(from:)`.
    public static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) -> [ExtensionDeclSyntax] {
        guard let declaration = declaration.as(StructDeclSyntax.self) else {
            let keyword = declaration.introducer
            let message = "@\(node.macroName ?? "") describes a request by the properties of a struct: write 'struct'"
            context.report(message, at: keyword, keyword.text == "enum" ? [] : [Fix("struct", over: keyword)])
            return []
        }
        guard node.isFirstVerb(of: declaration) else {
            let message = "a struct is one request: remove @\(node.macroName ?? ""), or declare another struct for it"
            context.report(message, at: node)
            return []
        }
        let request = DescribedRequest(of: declaration, verb: Verb(node, in: context), in: context)
        request.check()
        let expansion: DeclSyntax = """
            extension \(type.trimmed)\(raw: protocols.isEmpty ? "" : ": DescribedEndpoint") {
            public nonisolated func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
            try builder
            \(raw: request.steps.map { "    \($0)" }.joined(separator: "\n"))
            }
            }
            """
        return [expansion.cast(ExtensionDeclSyntax.self)]
    }
}

extension EndpointMacro: MemberMacro {
    /// Returns the type of the response as a member, which sees the types around the struct; an extension doesn't.
    public static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        guard declaration.is(StructDeclSyntax.self), node.isFirstVerb(of: declaration),
            let response = node.values.first(where: { $0.label != nil })
        else {
            return []
        }
        let members = declaration.memberBlock.members.compactMap { $0.decl.asProtocol((any NamedDeclSyntax).self) }
        guard !members.contains(where: { $0.name.text == "Response" }) else {
            let message = "the type 'Response' in the struct is the response: remove 'of:'"
            context.report(message, at: response, isError: false)
            return []
        }
        guard let type = response.expression.as(MemberAccessExprSyntax.self), type.declName.baseName.text == "self",
            let base = type.base
        else {
            context.report("write the type of the response here, as in 'of: [Item].self'", at: response)
            return []
        }
        return ["public typealias Response = \(base.trimmed)"]
    }
}

/// Expands `@Path`, `@Query`, `@Header` and `@Body` to nothing: they are marks that an ``EndpointMacro`` reads.
public enum MarkMacro: PeerMacro {
    /// Reports a mark that no macro reads: it hides the property wrapper of a `RoutedEndpoint` with its name.
    public static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        let attributes = context.lexicalContext.first?.asProtocol((any WithAttributesSyntax).self)?.attributes ?? []
        if !attributes.contains(where: { $0.as(AttributeSyntax.self)?.isVerb == true }) {
            let message =
                "@\(node.macroName ?? "") marks a property of a struct with @Get, @Post or another method; write a "
                + "RoutedEndpoint in a file that does not import NetworkClientMacros"
            context.report(message, at: node)
        }
        return []
    }
}
