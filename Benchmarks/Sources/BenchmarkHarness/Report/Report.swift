import Foundation

/// Prints Markdown immediately, and remembers whether all required facts held.
public final class Report: Sendable {
    private let isWithoutFailure = Locked(true)

    /// Creates an empty report.
    public init() {}

    /// Whether all facts that were required so far held.
    public var holds: Bool { isWithoutFailure.withLock { $0 } }

    /// Begins a chapter with a heading and a sentence.
    public func title(_ name: String, _ summary: String) {
        write("\n## \(name)\n\n\(summary)\n")
    }

    /// Writes a paragraph.
    public func note(_ text: String) {
        write("\n\(text)\n")
    }

    /// Writes a table.
    public func table(_ table: Table) {
        write("\n\(table.markdown)")
    }

    /// Requires a fact, or the run fails; not for numbers that depend on the machine's speed.
    public func require(_ holds: Bool, _ fact: String, _ found: String) {
        if !holds { isWithoutFailure.withLock { $0 = false } }
        write("- \(holds ? "holds" : "**FAILS**"): \(fact): \(found)\n")
    }

    /// Reports a goal as met, missed, or (nil) unmeasurable; it never fails the run, since it depends on the machine.
    public func goal(_ isMet: Bool?, _ goal: String, _ found: String) {
        let verdict = isMet.map { $0 ? "met" : "**missed**" } ?? "n/a"
        write("- \(verdict): \(goal): \(found)\n")
    }

    private func write(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }
}

/// A table of a report: the first column is text, the others are numbers.
public struct Table: Sendable {
    private let columns: [String]
    private var rows: [[String]] = []

    /// Creates a table with the headings of its columns.
    public init(_ columns: String...) {
        self.init(columns)
    }

    /// Creates a table with the headings of its columns.
    public init(_ columns: [String]) {
        self.columns = columns
    }

    /// Appends a row.
    public mutating func add(_ cells: String...) {
        add(cells)
    }

    /// Appends a row.
    public mutating func add(_ cells: [String]) {
        rows.append(cells)
    }

    /// The table in Markdown, one line for each row.
    public var markdown: String {
        let rule = columns.indices.map { $0 == 0 ? "---" : "---:" }
        return ([columns, rule] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
    }
}

/// Formats numbers for tables and messages; nil becomes `n/a`.
public enum Figures {
    /// Formats a number with the given number of decimal places.
    public static func number(_ value: Double?, digits: Int = 1) -> String {
        value.map { String(format: "%.\(digits)f", $0) } ?? "n/a"
    }

    /// Formats a number of bytes as megabytes of 1,000,000 bytes.
    public static func megabytes(_ bytes: Int?) -> String {
        bytes.map { String(format: "%.1f MB", Double($0) / 1_000_000) } ?? "n/a"
    }

    /// Formats a count.
    public static func count(_ count: Int?) -> String {
        count.map(String.init) ?? "n/a"
    }
}
