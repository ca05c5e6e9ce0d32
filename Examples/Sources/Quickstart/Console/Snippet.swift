import Foundation

/// Code that the tour shows: the lines that run, read from their source file.
struct Snippet: Sendable {
    let lines: [String]

    /// Creates a snippet of lines that aren't in a source file.
    init(lines: [String]) {
        self.lines = lines
    }

    /// Reads the lines between `snippet.show` and `snippet.hide` in a source file.
    ///
    /// The snippet is empty if the file is missing, since the program was moved.
    init(path: String) {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        var shown: [Substring] = []
        var isShown = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            switch line.drop(while: { $0 == " " }) {
            case "// snippet.show": isShown = true
            case "// snippet.hide": isShown = false
            default: if isShown { shown.append(line) }
            }
        }
        while shown.last?.isEmpty == true { shown.removeLast() }
        let indentation = shown.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        lines = shown.map { String($0.dropFirst(indentation)) }
    }
}

extension Snippet {
    /// Joins two snippets with an empty line.
    static func + (first: Snippet, second: Snippet) -> Snippet {
        Snippet(lines: first.lines + [""] + second.lines)
    }
}
