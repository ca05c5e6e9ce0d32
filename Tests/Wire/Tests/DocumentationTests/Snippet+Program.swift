extension Snippet {
    /// Where a line of a snippet goes in the program that is made of it.
    private enum Scope {
        case file, function, both
    }

    /// A Swift file that compiles if the snippet does, and whose errors name the lines of the document.
    ///
    /// The code goes into a function, so that several snippets can use one name. Imports go above it; where the snippet
    /// has none, that of `NetworkClient` does, which is to be all that is needed on any platform. A
    /// snippet with an extension, which no function can hold, has all its types, extensions and functions above it as
    /// well.
    ///
    /// - Parameter function: The name of the function, different for each snippet.
    /// - Returns: The text of the file.
    func program(function: String) -> String {
        let scopes = scopes()
        func part(_ scope: Scope) -> String {
            let lines = zip(code, scopes).map { line, own in own == scope || own == .both ? line : "" }
            return ([location(line)] + lines).joined(separator: "\n")
        }
        let standard = keywords().contains("import") ? "" : "import NetworkClient; import NetworkClientTesting"
        return """
            \(standard)
            \(part(.file))
            \(location(end))
            func \(function)() async throws {
            \(part(.function))
            \(location(end))
            }

            """
    }

    private func location(_ line: Int) -> String {
        "#sourceLocation(file: \"\(document)\", line: \(line))"
    }

    /// Code is indented, so what begins in the first column is at the top level.
    private func scopes() -> [Scope] {
        let keywords = keywords()
        var scopes: [Scope] = []
        var current = Scope.function
        for (line, keyword) in zip(code, keywords) {
            if keyword == "import" {
                scopes.append(.file)
            } else if line.hasPrefix("#if") || line.hasPrefix("#else") || line.hasPrefix("#endif") {
                scopes.append(.both)
            } else {
                if let keyword {
                    let stands = keywords.contains("extension") && Self.declarations.contains(keyword)
                    current = stands ? .file : .function
                }
                scopes.append(current)
            }
        }
        return scopes
    }

    private static let declarations: Set = [
        "actor", "class", "enum", "extension", "func", "protocol", "struct", "typealias",
    ]

    private static let modifiers: Set = [
        "fileprivate", "final", "indirect", "internal", "nonisolated", "package", "private", "public",
    ]

    /// For each line, the word that says what it begins at the top level; `nil` if it goes on with the line above.
    ///
    /// Attributes and comments on lines of their own belong to what they stand above.
    private func keywords() -> [String?] {
        var below: String?
        let reversed = code.reversed().map { line -> String? in
            if !line.hasPrefix("//") {
                let words = Self.words(of: line)
                guard line.hasPrefix("@"), words.isEmpty else {
                    below = words.first
                    return below
                }
            }
            return below
        }
        return reversed.reversed()
    }

    /// The words of a line at the top level, from the first that is no attribute and no modifier.
    private static func words(of line: String) -> [String] {
        guard let first = line.first, first.isLetter || "@_#".contains(first) else { return [] }
        var rest = line[...]
        while rest.hasPrefix("@") {
            rest = rest.dropFirst().drop { $0.isLetter || $0.isNumber || $0 == "_" }
            if rest.hasPrefix("("), let end = rest.firstIndex(of: ")") { rest = rest[rest.index(after: end)...] }
            rest = rest.drop { $0 == " " }
        }
        let words = rest.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
        return Array(words.drop { modifiers.contains($0) })
    }
}
