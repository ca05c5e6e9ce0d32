import Foundation

extension Snippet {
    /// Finds the ```` ```swift ```` fences of a Markdown text, and the code in tables that compare this library with
    /// another: in the columns with the title `Here`.
    ///
    /// - Parameters:
    ///   - text: The text; its fences may be indented, as in a list.
    ///   - document: The path that the snippets are to name.
    /// - Returns: The snippets of the fences, then those of the tables; a fence that is not closed goes on to the end.
    static func inMarkdown(_ text: String, document: String) -> [Snippet] {
        let lines = lines(of: text)
        return extract(from: lines, document: document) + tableCells(in: lines.map { $0 ?? "" }, document: document)
    }

    private static func tableCells(in lines: [String], document: String) -> [Snippet] {
        var column: Int?
        var snippets: [Snippet] = []
        for (index, line) in lines.enumerated() {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
            guard line.hasPrefix("|") else {
                column = nil
                continue
            }
            guard let known = column else {
                column = cells.firstIndex { $0.hasPrefix("Here") } ?? -1
                continue
            }
            guard cells.indices.contains(known) else { continue }
            // The code is between the marks: every second part. Names between two marks are links to symbols.
            let parts = cells[known].replacingOccurrences(of: "``", with: "\u{2}").split(
                separator: "`",
                omittingEmptySubsequences: false
            )
            let code = parts.indices.filter { !$0.isMultiple(of: 2) }.map { String(parts[$0]) }
            if !code.isEmpty {
                snippets.append(Snippet(document: document, line: index + 1, code: [code.joined(separator: "; ")]))
            }
        }
        return snippets
    }

    /// Finds the ```` ```swift ```` fences in the doc comments (`///`) of a Swift source.
    ///
    /// - Parameters:
    ///   - text: The source.
    ///   - document: The path that the snippets are to name.
    /// - Returns: The snippets in order; a fence that is never closed ends with its comment.
    static func inComments(of text: String, document: String) -> [Snippet] {
        let comments = lines(of: text).map { line -> String? in
            let comment = line?.drop { $0 == " " }
            guard let comment, comment.hasPrefix("///") else { return nil }
            return String(comment.dropFirst(comment.hasPrefix("/// ") ? 4 : 3))
        }
        return extract(from: comments, document: document)
    }

    private static func lines(of text: String) -> [String?] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// `nil` stands for a line that is no part of the text, and ends what is open.
    private static func extract(from lines: [String?], document: String) -> [Snippet] {
        var snippets: [Snippet] = []
        var open: (fence: Fence, line: Int, code: [String])?
        for (index, line) in (lines + [nil]).enumerated() {
            if let current = open {
                if let line, !current.fence.isClosed(by: line) {
                    open?.code.append(current.fence.withoutIndentation(line))
                } else {
                    open = nil
                    guard current.fence.language == "swift" else { continue }
                    snippets.append(Snippet(document: document, line: current.line, code: current.code))
                }
            } else if let line, let fence = Fence(opening: line) {
                open = (fence, index + 2, [])
            }
        }
        return snippets
    }
}

/// The line that opens a block of code in Markdown.
private struct Fence {
    let indentation: Int
    let mark: Substring
    let language: String

    init?(opening line: String) {
        let content = line.drop { $0 == " " }
        indentation = line.count - content.count
        mark = content.prefix { $0 == "`" }
        language = content.dropFirst(mark.count).split(separator: " ").first.map(String.init) ?? ""
        guard mark.count >= 3, !language.contains("`") else { return nil }
    }

    func isClosed(by line: String) -> Bool {
        let content = line.drop { $0 == " " }
        let ticks = content.prefix { $0 == "`" }
        return ticks.count >= mark.count && content.dropFirst(ticks.count).allSatisfy { $0 == " " }
    }

    func withoutIndentation(_ line: String) -> String {
        String(line.dropFirst(min(indentation, line.prefix { $0 == " " }.count)))
    }
}
