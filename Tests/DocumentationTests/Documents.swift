import Foundation
import NetworkTestSupport

/// Where the documentation of this package is.
enum Documents {
    /// The snippets of the README, of every DocC article and of every doc comment, those for a manifest left out.
    static func snippets() throws -> [Snippet] {
        let readme = PackageFiles.root.appendingPathComponent("README.md")
        let sources = PackageFiles.files(in: PackageFiles.root.appendingPathComponent("Sources"))
        return try ([readme] + sources).flatMap(snippets(in:)).filter { !$0.isForAManifest }
    }

    private static func snippets(in file: URL) throws -> [Snippet] {
        let name = PackageFiles.name(of: file)
        switch file.pathExtension {
        case "md":
            return Snippet.inMarkdown(try String(contentsOf: file, encoding: .utf8), document: name)
        case "swift":
            return Snippet.inComments(of: try String(contentsOf: file, encoding: .utf8), document: name)
        default:
            return []
        }
    }
}
