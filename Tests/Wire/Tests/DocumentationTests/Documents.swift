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

    /// The tutorials of all modules, those without sections left out.
    static func tutorials() throws -> [Tutorial] {
        try catalogs().flatMap { catalog in
            var resources: [String: String] = [:]
            for file in catalog.resources where file.pathExtension == "swift" {
                resources[file.lastPathComponent] = try String(contentsOf: file, encoding: .utf8)
            }
            return try catalog.pages.filter { $0.pathExtension == "tutorial" }.map { page in
                let text = try String(contentsOf: page, encoding: .utf8)
                return try Tutorial(text, document: PackageFiles.name(of: page), resources: resources)
            }
        }
        .filter { !$0.sections.isEmpty }
    }

    /// The names of the files that no article and no tutorial of their module shows.
    static func unusedFiles() throws -> [String] {
        try catalogs().flatMap { catalog in
            let texts = try catalog.pages.map { try String(contentsOf: $0, encoding: .utf8) }
            let used = texts.flatMap(Directive.all).flatMap(\.arguments.values)
            return catalog.resources.filter { resource in
                // A picture for dark pages belongs to the other one.
                let name = resource.lastPathComponent.replacingOccurrences(of: "~dark.", with: ".")
                return !used.contains(name)
            }.map(PackageFiles.name)
        }
    }

    /// The files of each DocC folder: the pages, and what they show.
    private static func catalogs() -> [(pages: [URL], resources: [URL])] {
        let sources = PackageFiles.files(in: PackageFiles.root.appendingPathComponent("Sources"))
        let catalogs = Dictionary(grouping: sources.filter { $0.path.contains(".docc/") }) { file in
            file.path.components(separatedBy: ".docc/")[0]
        }
        return catalogs.sorted { $0.key < $1.key }.map { _, files in
            let isPage = { (file: URL) in ["md", "tutorial"].contains(file.pathExtension) }
            return (files.filter(isPage), files.filter { !isPage($0) })
        }
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
