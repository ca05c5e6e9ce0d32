import BenchmarkHarness

/// What was found of one variant with one kind of transfer.
struct MeasuredTransfers: Sendable {
    let name: String
    let bytes: Int
    /// In the order of the rounds.
    let turns: [TransferTurn]

    /// MB/s, of 1,000,000 bytes.
    var speeds: [Double] { turns.map { Double(bytes) / 1_000_000 / $0.seconds } }

    /// Seconds for each GiB.
    var processor: [Double] { turns.map { $0.processorSeconds / (Double(bytes) / Double(1 << 30)) } }

    /// The most of any round.
    var growth: Int? { turns.compactMap(\.growth).max() }

    /// How many times as fast as another variant, the median of the rounds' own ratios.
    func speedRatio(to other: MeasuredTransfers) -> Double {
        zip(speeds, other.speeds).map { $0 / $1 }.median
    }

    /// How many times the processor time of another variant it takes.
    func processorRatio(to other: MeasuredTransfers) -> Double {
        zip(processor, other.processor).map { $0 / $1 }.median
    }
}
