/// What a comparison found of one variant.
public struct Measured: Sendable {
    /// The variant's name.
    public let name: String

    /// Nanoseconds for one operation, one figure for each round, in the order of the rounds.
    public let nanoseconds: [Double]

    /// The same in time of the processor, over all threads.
    public let processorNanoseconds: [Double]

    /// Heap allocations of one operation; nil where they cannot be counted.
    public let allocations: Double?

    /// The median of the rounds.
    public var median: Double { nanoseconds.median }
}
