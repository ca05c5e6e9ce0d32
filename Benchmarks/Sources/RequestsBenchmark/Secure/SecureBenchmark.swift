public import BenchmarkHarness
import Foundation

/// Measures the requests of ``RequestsBenchmark`` with TLS: over HTTP/1.1, over HTTP/2, and over new connections.
///
/// All variants have their default settings, and keep as many connections as they do then. They trust the system's
/// authorities and that of the server. A variant isn't shown where the server counted requests over another protocol.
public struct SecureBenchmark: Benchmark {
    /// `secure`.
    public let name = "secure"

    /// The description for `--list`, in one line.
    public let summary = "A small JSON object requested and decoded with TLS: HTTP/1.1, HTTP/2, new connections."

    private let server: SecureServerProgram
    private let rivals: [RequestVariant]
    private let goals: [RequestGoal]

    /// Creates the benchmark, which compares the library with URLSession and `rivals`.
    ///
    /// The goals are reported for each part of the report.
    public init(server: SecureServerProgram, rivals: [RequestVariant], goals: [RequestGoal]) {
        self.server = server
        self.rivals = rivals
        self.goals = goals
    }

    /// Returns a command whose process trusts the server; the given one if that isn't possible.
    public func command(toRun command: [String]) -> [String] {
        TrustingCommand(trustRoots: server.trustRoots).command(toRun: command) ?? command
    }

    /// Measures and reports.
    ///
    /// The options are those of ``RequestsBenchmark``, and the names of the kinds of exchange.
    public func run(_ options: Options, _ report: Report) async throws {
        #if os(Linux)
        guard TrustingCommand(trustRoots: server.trustRoots).isInEffect else {
            return report.note("n/a: clients can't be made to trust the server here, which needs a mount namespace.")
        }
        let selection = RequestSelection(options)
        let milliseconds = try options.number("milliseconds", quick: 40, full: 400)
        let rounds = RequestRounds(
            rounds: try options.number("rounds", quick: 3, full: 9),
            seconds: Double(milliseconds) / 1_000
        )
        report.note(
            "\(rounds.rounds) interleaved rounds of \(milliseconds) ms; medians (and quartiles); latencies are "
                + "those of all rounds. One server of one thread in another process; each variant keeps as many "
                + "connections as it does by default; logging off."
        )
        for exchange in try exchanges(options) {
            let variants = try selection.variants(of: variants(for: exchange))
            let concurrency = try selection.concurrency(exchange.concurrency)
            let figures = try await measure(exchange, variants, rounds, concurrency)
            figures.report(to: report)
            for goal in goals { goal.report(on: figures.levels, to: report) }
        }
        #else
        report.note("n/a: the server needs Linux.")
        #endif
    }

    #if os(Linux)
    /// Returns the variants, the reference for ratios first.
    private func variants(for exchange: SecureExchange) -> [RequestVariant] {
        let own: [RequestVariant] = [.secureSession, .secureSessionTransport, .secureCurlTransport]
        return own + (exchange == .handshakes ? [.secureCurlTransportWithRoots] : []) + rivals
    }

    private func exchanges(_ options: Options) throws -> [SecureExchange] {
        guard let list = options.settings["exchanges"] else { return SecureExchange.allCases }
        return try list.split(separator: ",").map { name in
            guard let exchange = SecureExchange(rawValue: String(name)) else {
                throw UsageError("'\(name)' isn't one of \(SecureExchange.allCases.map(\.rawValue))")
            }
            return exchange
        }
    }

    private func measure(
        _ exchange: SecureExchange,
        _ variants: [RequestVariant],
        _ rounds: RequestRounds,
        _ concurrency: [Int]
    ) async throws -> SecureFigures {
        let process = try SecureServerProcess(server, protocols: exchange.offeredProtocols)
        defer { process.stop() }
        var figures = SecureFigures(exchange: exchange, useBefore: MachineUse(without: [process.identifier]))
        for concurrency in concurrency {
            let target = try RequestTarget(
                port: process.port,
                securePath: exchange.path,
                concurrency: concurrency
            )
            let measured = try await rounds.measure(variants.map(process.counting), target)
            figures.add(RequestLevel(concurrency: concurrency, measured: measured), process.takeTallies())
        }
        figures.useAfter = MachineUse(without: [process.identifier])
        return figures
    }
    #endif
}
