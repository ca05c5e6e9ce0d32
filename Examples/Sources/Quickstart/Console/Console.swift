import Foundation

/// How the tour looks: a title, the code, and what came of it, in columns.
struct Console: Sendable {
    private let terminal: Terminal

    init(terminal: Terminal = Terminal()) {
        self.terminal = terminal
    }

    func heading(_ title: String, _ detail: String) {
        terminal.line(terminal.styled(title, .bold))
        terminal.line(terminal.styled(detail, .dim))
    }

    func chapter(_ number: Int, _ title: String) {
        terminal.line()
        terminal.line(terminal.styled("\(number)  \(title)", .bold))
    }

    func section(_ title: String) {
        terminal.line()
        terminal.line(terminal.styled("   \(title)", .bold))
    }

    func code(_ snippet: Snippet) {
        for line in snippet.lines {
            terminal.line("   \(terminal.styled("│", .dim))\(line.isEmpty ? "" : " \(terminal.styled(line, .cyan))")")
        }
    }

    func gap() {
        terminal.line()
    }

    /// A label, and lines beside it; lines that are too long are broken between words.
    func fact(_ fact: Fact, _ style: Terminal.Style? = nil) {
        let lines = fact.lines.flatMap { $0.wrapped(to: Terminal.width - Self.labelWidth) }
        for (index, line) in lines.enumerated() {
            let label = index == 0 ? "   \(fact.label)" : ""
            let column = label.padding(toLength: Self.labelWidth, withPad: " ", startingAt: 0)
            let text = style.map { terminal.styled(line, $0) } ?? line
            terminal.line(index > 0 && line.isEmpty ? "" : terminal.styled(column, .dim) + text)
        }
    }

    func closing(_ lines: String...) {
        terminal.line()
        for line in lines { terminal.line(line) }
    }

    private static let labelWidth = 12
}
