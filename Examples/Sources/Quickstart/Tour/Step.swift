/// One stop of the tour: a title, the code that runs, and what came of it.
protocol Step: Sendable {
    var title: String { get }
    var code: Snippet { get }

    /// Does it, and checks that the answer is right.
    func run() async throws -> [Fact]
}

extension Step {
    /// Throws a sentence about it if the two differ.
    func expect<Value: Equatable>(_ what: String, _ found: Value?, is expected: Value) throws {
        guard found != expected else { return }
        throw Unexpected(description: "\(what) should be \(expected), but is \(found.map { "\($0)" } ?? "missing").")
    }
}
