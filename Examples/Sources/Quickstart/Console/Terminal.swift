import Foundation

/// Standard output: plain text, with colours only where a person looks at it.
struct Terminal: Sendable {
    /// How a piece of text stands out.
    enum Style: String {
        case bold = "1"
        case dim = "2"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }

    static let width = 100

    private let isStyled: Bool

    /// Styled on a terminal, unless `NO_COLOR` is set (no-color.org).
    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let wantsNoColor = !(environment["NO_COLOR"] ?? "").isEmpty
        isStyled = !wantsNoColor && isatty(FileHandle.standardOutput.fileDescriptor) == 1
    }

    /// Writes one line at once, so that what others write to standard error stands in its place.
    func line(_ text: String = "") {
        // Nobody is left to tell if the reader has gone.
        try? FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8))
    }

    /// The text with the codes of its style around it, if there are to be any.
    func styled(_ text: String, _ style: Style) -> String {
        isStyled ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
