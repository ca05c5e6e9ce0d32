import Foundation

/// The layout of the tour: a title, the code, and the results, in columns.
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

    /// Writes a label and the lines beside it; lines that are too long are wrapped.
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

/// Standard output: plain text, with colours on a terminal.
struct Terminal: Sendable {
    /// The styles of text.
    enum Style: String {
        case bold = "1"
        case dim = "2"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }

    static let width = 100

    private let isStyled: Bool

    /// Creates a terminal that styles text unless `NO_COLOR` is set (no-color.org).
    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let wantsNoColor = !(environment["NO_COLOR"] ?? "").isEmpty
        isStyled = !wantsNoColor && isatty(FileHandle.standardOutput.fileDescriptor) == 1
    }

    /// Writes one line without buffering, so that it appears in the right order with text on standard error.
    func line(_ text: String = "") {
        // Fails if the reader has closed the pipe; then there is no place to report the error.
        try? FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8))
    }

    /// Returns the text in a style, or unchanged if text isn't styled.
    func styled(_ text: String, _ style: Style) -> String {
        isStyled ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}

extension String {
    /// Returns lines of at most `width` characters, broken between words; all but the first are indented.
    ///
    /// Longer words aren't broken.
    func wrapped(to width: Int) -> [String] {
        guard count > width else { return [self] }
        var lines: [String] = []
        for word in split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(lines.isEmpty ? String(word) : "  \(word)")
            }
        }
        return lines
    }
}
