import BenchmarkHarness
import Foundation

/// What one large transfer took of its client's process, after a small one that is no part of it.
struct TransferTurn: Codable, Sendable {
    let seconds: Double
    let processorSeconds: Double

    /// How much more memory was resident at any time of the transfer than before it; nil where it cannot be known.
    let growth: Int?

    /// Makes both transfers in this process.
    static func take(_ client: TransferClient, _ kind: TransferKind, _ files: TransferFiles, port: UInt16) async throws
        -> TransferTurn
    {
        let watchdog = Watchdog(seconds: 600) { kind.title }
        defer { watchdog.stop() }
        // Loads what is loaded at the first use, and opens the connection.
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
        guard target.accepts(count, kind) else { throw UnexpectedTransfer("\(count) bytes") }
        return TransferTurn(
            seconds: Double(end - start) / 1_000_000_000,
            processorSeconds: Double(processorEnd - processorStart) / 1_000_000_000,
            growth: peak.flatMap { peak in peakBefore.map { max(0, peak - $0) } }
        )
    }
}
