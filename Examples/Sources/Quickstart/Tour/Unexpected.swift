/// An answer that is not what the tour expects.
struct Unexpected: Error, CustomStringConvertible {
    /// One sentence.
    let description: String
}
