#if os(macOS) || os(Linux)
import Foundation
import NetworkTestSupport

extension SwiftCompiler {
    /// Compiles snippets together with the prelude, each as a file of its own.
    ///
    /// - Parameters:
    ///   - snippets: The snippets.
    ///   - check: How far to look.
    /// - Returns: The errors of all of them and of the prelude, each at its line of the document.
    /// - Throws: ``Failure``, or what keeps the files from being written.
    func errors(in snippets: [Snippet], check: Check) async throws -> [Diagnostic] {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        var programs: [String: Snippet] = [:]
        for (index, snippet) in snippets.enumerated() {
            let name = "snippet_\(index + 1)"
            programs[try directory.file(name + ".swift", snippet.program(function: name)).path] = snippet
        }
        let prelude = try directory.file("Prelude.swift", try Self.prelude())
        let files = [prelude] + programs.keys.map { URL(fileURLWithPath: $0) }
        return try await diagnostics(in: files, check: check).filter(\.isError).map { error in
            guard let snippet = programs[error.file] else { return error }
            return Self.missingEnd(error, of: snippet)
        }
    }

    /// A brace that is missing is missed at the end of the file, to which no line of the document can be given.
    private static func missingEnd(_ error: Diagnostic, of snippet: Snippet) -> Diagnostic {
        var error = error
        error.file = snippet.document
        error.line = snippet.end
        return error
    }

    private static func prelude() throws -> String {
        let file = PackageFiles.root.appendingPathComponent("Tests/Wire/Tests/DocumentationTests/Prelude.swift.txt")
        let text = try String(contentsOf: file, encoding: .utf8)
        return "#sourceLocation(file: \"\(PackageFiles.name(of: file))\", line: 1)\n" + text
    }
}
#endif
