/// A DocC tutorial that asks its reader to save files, and the reader's package after each section.
struct Tutorial: Sendable {
    /// A file of the reader's package.
    struct File: Sendable, Equatable {
        /// The name of the file in the documentation, such as `main-1.swift`.
        let name: String

        /// The content.
        let text: String
    }

    /// The reader's package at the end of a section.
    struct Section: Sendable, Equatable {
        /// The title of the section.
        let title: String

        /// All files of the reader's package, by their paths in it.
        var files: [String: File]

        /// The paths of the files that the section adds or replaces.
        var changed: Set<String> = []
    }

    /// A mistake in a tutorial.
    struct Mistake: Error, Equatable, CustomStringConvertible {
        let document: String
        let line: Int
        let reason: String

        var description: String { "\(document):\(line): \(reason)" }
    }

    /// The path of the manifest in the reader's package.
    static let manifest = "Package.swift"

    private let document: String
    private let resources: [String: String]

    /// The sections, in order.
    private(set) var sections: [Section] = []

    /// Reads a tutorial.
    ///
    /// - Parameters:
    ///   - text: The tutorial. The `name` of each `@Code` is a path in the reader's package.
    ///   - document: Its path from the root of this package.
    ///   - resources: The contents of the files of the documentation, by name.
    /// - Throws: `Mistake` for a `@Code` that can't be followed or would not be compiled.
    init(_ text: String, document: String, resources: [String: String]) throws {
        self.document = document
        self.resources = resources
        for directive in Directive.all(in: text) {
            switch directive.name {
            case "Section":
                let title = directive.arguments["title"] ?? ""
                sections.append(Section(title: title, files: sections.last?.files ?? [:]))
            case "Code":
                if let reason = save(directive.arguments) {
                    throw Mistake(document: document, line: directive.line, reason: reason)
                }
            default:
                break
            }
        }
    }

    /// Does what a `@Code` asks of the reader; returns the reason why that is not possible.
    private mutating func save(_ code: [String: String]) -> String? {
        guard var section = sections.popLast() else { return "@Code is in no section" }
        guard let path = code["name"], let name = code["file"] else { return "@Code needs a name and a file" }
        guard let text = resources[name] else { return "there is no file \(name)" }
        let present = section.files[path]?.name
        if let previous = code["previousFile"], previous != present {
            return "the reader's \(path) is \(present ?? "not there yet"), not \(previous)"
        }
        guard section.changed.insert(path).inserted else {
            return "the section changes \(path) twice, and only the end of a section is compiled"
        }
        section.files[path] = File(name: name, text: text)
        sections.append(section)
        return nil
    }
}
