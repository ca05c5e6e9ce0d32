/// A command line that says nothing.
public struct UsageError: Error, CustomStringConvertible {
    /// What is wrong with it.
    public let description: String

    /// Takes what is wrong.
    ///
    /// - Parameter description: One sentence.
    public init(_ description: String) {
        self.description = description
    }
}
