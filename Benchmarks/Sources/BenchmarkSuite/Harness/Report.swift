import Foundation

/// Prints Markdown immediately, and remembers whether all required facts held.
final class Report: Sendable {
    private let isWithoutFailure = Locked(true)

    /// Whether all facts that were required so far held.
    var holds: Bool { isWithoutFailure.withLock { $0 } }

    /// Begins a chapter with a heading and a sentence.
    func title(_ name: String, _ summary: String) {
        write("\n## \(name)\n\n\(summary)\n")
    }

    /// Writes a paragraph.
    func note(_ text: String) {
        write("\n\(text)\n")
    }

    /// Writes a table: the first column is text, the others are numbers.
    func table(_ columns: [String], _ rows: [[String]]) {
        let rule = columns.indices.map { $0 == 0 ? "---" : "---:" }
        let lines = ([columns, rule] + rows).map { "| \($0.joined(separator: " | ")) |\n" }
        write("\n\(lines.joined())\n")
    }

    /// Requires a fact, or the run fails; not for numbers that depend on the machine's speed.
    func require(_ holds: Bool, _ fact: String, _ found: String) {
        if !holds { isWithoutFailure.withLock { $0 = false } }
        write("- \(holds ? "holds" : "**FAILS**"): \(fact): \(found)\n")
    }

    /// Reports a goal as met, missed, or (nil) unmeasurable; it never fails the run, since it depends on the machine.
    func goal(_ isMet: Bool?, _ goal: String, _ found: String) {
        let verdict = isMet.map { $0 ? "met" : "**missed**" } ?? "n/a"
        write("- \(verdict): \(goal): \(found)\n")
    }

    private func write(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }
}

/// Formats a number for a table or a message; nil becomes `n/a`.
func format(_ value: Double?, digits: Int = 1) -> String {
    value.map { String(format: "%.\(digits)f", $0) } ?? "n/a"
}

/// Formats a count; nil becomes `n/a`.
func format(_ count: Int?) -> String {
    count.map(String.init) ?? "n/a"
}

/// Formats a number of bytes as megabytes of 1,000,000 bytes; nil becomes `n/a`.
func megabytes(_ bytes: Int?) -> String {
    bytes.map { String(format: "%.1f MB", Double($0) / 1_000_000) } ?? "n/a"
}
