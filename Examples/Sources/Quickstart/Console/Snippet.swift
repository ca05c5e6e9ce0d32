import Foundation

/// Code that is shown: the very lines that run, read from their source file.
struct Snippet: Sendable {
    let lines: [String]

    /// Takes lines that do not stand in a source file.
    init(lines: [String]) {
        self.lines = lines
    }

    /// Reads what stands between `snippet.show` and `snippet.hide` in a source file; where the program has moved away
    /// from its sources, there is nothing to show.
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
    /// One piece of code, an empty line, and another.
    static func + (first: Snippet, second: Snippet) -> Snippet {
        Snippet(lines: first.lines + [""] + second.lines)
    }
}
