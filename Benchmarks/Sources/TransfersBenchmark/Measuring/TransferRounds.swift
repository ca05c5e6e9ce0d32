import BenchmarkHarness
import Foundation

/// Interleaved rounds of all variants, so that noise on the machine affects all variants alike.
struct TransferRounds: Sendable {
    let rounds: Int
    let process: TransferProcess

    func measure(_ variants: [TransferVariant], _ kind: TransferKind) throws -> MeasuredKind {
        let variants = variants.filter { $0.kinds.contains(kind) }
        var turns = variants.map { _ in [TransferTurn]() }
        for round in 0..<rounds {
            // Each round begins with a different variant, so that no variant always follows the same one.
            for position in variants.indices {
                let index = (position + round) % variants.count
                turns[index].append(try process.turn(variants[index], kind))
            }
        }
        let bytes = process.files.bytes
        let measured = zip(variants, turns).map { MeasuredTransfers(name: $0.name, bytes: bytes, turns: $1) }
        return MeasuredKind(kind: kind, variants: measured)
    }
}

/// The results of one variant with one kind of transfer.
struct MeasuredTransfers: Sendable {
    let name: String
    let bytes: Int
    /// The turns, in the order of the rounds.
    let turns: [TransferTurn]

    /// MB/s, of 1,000,000 bytes.
    var speeds: [Double] { turns.map { Double(bytes) / 1_000_000 / $0.seconds } }

    /// Seconds for each GiB.
    var processor: [Double] { turns.map { $0.processorSeconds / (Double(bytes) / Double(1 << 30)) } }

    /// The maximum of all rounds.
    var growth: Int? { turns.compactMap(\.growth).max() }

    /// Returns the ratio of speed to another variant: the median of the ratios of all rounds.
    func speedRatio(to other: MeasuredTransfers) -> Double {
        zip(speeds, other.speeds).map { $0 / $1 }.median
    }

    /// Returns the ratio of processor time to another variant.
    func processorRatio(to other: MeasuredTransfers) -> Double {
        zip(processor, other.processor).map { $0 / $1 }.median
    }
}

/// The results for one kind of transfer.
struct MeasuredKind: Sendable {
    let kind: TransferKind
    let variants: [MeasuredTransfers]

    /// The results of a variant; nil if it wasn't measured.
    func figures(of name: String) -> MeasuredTransfers? { variants.first { $0.name == name } }
}

/// The cost of one large transfer to its client's process, without that of a small transfer before.
struct TransferTurn: Codable, Sendable {
    let seconds: Double
    let processorSeconds: Double

    /// The growth of the resident memory at its peak during the transfer; nil if unknown.
    let growth: Int?

    /// Makes both transfers in this process.
    static func take(_ client: TransferClient, _ kind: TransferKind, _ files: TransferFiles, port: UInt16) async throws
        -> TransferTurn
    {
        let watchdog = Watchdog(seconds: 600) { kind.title }
        defer { watchdog.stop() }
        // Loads libraries and opens the connection.
        _ = try await client.transfer(kind, files.small(kind, port: port))
        await Quiescence.wait(atMost: 1)
        let target = try files.large(kind, port: port)
        ProcessFacts.trim()
        ProcessFacts.resetPeak()
        let peakBefore = ProcessFacts.now().peakResidentBytes
        let (start, processorStart) = (Clocks.elapsed, Clocks.processor)
        let count = try await client.transfer(kind, target)
        let (end, processorEnd) = (Clocks.elapsed, Clocks.processor)
        let peak = ProcessFacts.now().peakResidentBytes
        guard target.accepts(count, kind) else { throw UnexpectedTransfer("\(count) bytes instead of \(target.bytes)") }
        return TransferTurn(
            seconds: Double(end - start) / 1_000_000_000,
            processorSeconds: Double(processorEnd - processorStart) / 1_000_000_000,
            growth: peak.flatMap { peak in peakBefore.map { max(0, peak - $0) } }
        )
    }
}
