/// One chapter of the report: a question about the library and how it is answered.
public protocol Benchmark: Sendable {
    /// What `--filter` finds it by.
    var name: String { get }

    /// One line for `--list`.
    var summary: String { get }

    /// Measures and reports.
    ///
    /// - Parameters:
    ///   - options: How large it is to be.
    ///   - report: Takes figures and facts.
    /// - Throws: What makes it impossible to measure; the run then counts as failed.
    func run(_ options: Options, _ report: Report) async throws
}
