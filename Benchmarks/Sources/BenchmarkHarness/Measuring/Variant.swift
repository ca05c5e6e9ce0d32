/// One of the ways that a comparison compares.
public struct Variant: Sendable {
    /// What it is called in the report.
    public let name: String

    let repeatOperation: @Sendable (Int) async throws -> Void

    /// Takes what repeats the operation; the loop is the variant's own, so that no call through a closure is measured.
    ///
    /// - Parameters:
    ///   - name: What it is called in the report.
    ///   - repeatOperation: Gets how many times.
    public init(_ name: String, _ repeatOperation: @escaping @Sendable (Int) async throws -> Void) {
        self.name = name
        self.repeatOperation = repeatOperation
    }
}
