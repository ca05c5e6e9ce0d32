import NetworkClientMacrosPlugin
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

/// What the macros write in a file, and what they report.
struct Expansion {
    /// The file with the code of the macros in place of their attributes.
    let text: String

    private let file: SourceFileSyntax
    private let diagnostics: [Diagnostic]

    init(of source: String) {
        let verbs = ["Get", "Post", "Put", "Patch", "Delete", "Head", "Options", "Trace", "Connect", "Method"]
        let endpoint = verbs.map { ($0, MacroSpec(type: EndpointMacro.self, conformances: ["Endpoint"])) }
        let marks = ["Path", "Query", "Header", "Body"].map { ($0, MacroSpec(type: MarkMacro.self)) }
        let file = Parser.parse(source: source)
        let place = BasicMacroExpansionContext.KnownSourceFile(moduleName: "App", fullFilePath: "App.swift")
        let context = BasicMacroExpansionContext(sourceFiles: [file: place])
        let expanded = file.expand(
            macroSpecs: Dictionary(uniqueKeysWithValues: endpoint + marks),
            contextGenerator: {
                BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
            }
        )
        self.file = file
        text = String(expanded.description.drop { $0 == "\n" })
        diagnostics = context.diagnostics
    }

    /// The messages, each with the source at its place, as in `userId: the path has no …`.
    var reports: [String] {
        diagnostics.map { "\($0.node.trimmedDescription.prefix { $0 != "\n" }): \($0.message)" }
    }

    /// The file after each fix-it alone, by the fix-it's text.
    var fixed: [String: String] {
        Dictionary(diagnostics.flatMap(\.fixIts).map { ($0.message.message, file.description.edited($0.edits)) }) { $1 }
    }
}

extension String {
    fileprivate func edited(_ edits: [SourceEdit]) -> String {
        var bytes = Array(utf8)
        for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            let range = edit.range.lowerBound.utf8Offset..<edit.range.upperBound.utf8Offset
            bytes.replaceSubrange(range, with: edit.replacement.utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
