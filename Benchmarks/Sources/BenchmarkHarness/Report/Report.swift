import Foundation

/// Prints Markdown as it comes, and remembers whether every fact held.
public final class Report: Sendable {
    private let isWithoutFailure = Locked(true)

    /// An empty report.
    public init() {}

    /// Whether every fact that was required so far held.
    public var holds: Bool { isWithoutFailure.withLock { $0 } }

    /// Begins a chapter.
    ///
    /// - Parameters:
    ///   - name: Its heading.
    ///   - summary: What it is about.
    public func title(_ name: String, _ summary: String) {
        write("\n## \(name)\n\n\(summary)\n")
    }

    /// Writes a paragraph.
    ///
    /// - Parameter text: Markdown.
    public func note(_ text: String) {
        write("\n\(text)\n")
    }

    /// Writes a table.
    ///
    /// - Parameter table: The table.
    public func table(_ table: Table) {
        write("\n\(table.markdown)")
    }

    /// A fact that must hold, or the run fails; figures that depend on the machine's speed are none.
    ///
    /// - Parameters:
    ///   - holds: Whether it does.
    ///   - fact: What is to hold.
    ///   - found: What was found.
    public func require(_ holds: Bool, _ fact: String, _ found: String) {
        if !holds { isWithoutFailure.withLock { $0 = false } }
        write("- \(holds ? "holds" : "**FAILS**"): \(fact): \(found)\n")
    }

    /// A goal that is reported and does not fail the run, since it depends on the machine.
    ///
    /// - Parameters:
    ///   - isMet: Whether it is met; nil where it cannot be measured.
    ///   - goal: What was wanted.
    ///   - found: What was found.
    public func goal(_ isMet: Bool?, _ goal: String, _ found: String) {
        let verdict = isMet.map { $0 ? "met" : "**missed**" } ?? "n/a"
        write("- \(verdict): \(goal): \(found)\n")
    }

    private func write(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }
}
