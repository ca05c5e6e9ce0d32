public import BenchmarkHarness
import BenchmarkServer
import Foundation

/// Measures downloads and uploads of large files, by the library and by others.
public struct TransfersBenchmark: Benchmark {
    static let title = "transfers"

    /// `transfers`.
    public let name = title

    /// The description for `--list`, in one line.
    public let summary = "A large file down, up, as a form and to a slow consumer: MB/s, processor time, memory."

    private let rivals: [TransferVariant]

    /// Creates the benchmark, which compares the library with curl, URLSession, and `rivals`.
    public init(rivals: [TransferVariant] = []) {
        self.rivals = rivals
    }

    /// Measures and reports.
    ///
    /// The options are the size of the file, the kinds and variants to measure, and the number of rounds.
    public func run(_ options: Options, _ report: Report) async throws {
        #if os(Linux)
        if let kind = options.settings["turn"] { return try await takeTurn(kind, options, report) }
        let rounds = try options.number("rounds", quick: 2, full: 5)
        let kinds = try Self.chosen(TransferKind.allCases, "kinds", options, name: \.rawValue)
        let variants = try Self.chosen(variants, "variants", options, name: \.name)
        let mebibytes = try options.number("mebibytes", quick: 64, full: 1_024)
        guard rounds > 0, mebibytes > 0 else { throw UsageError("rounds and mebibytes must be positive") }
        let files = try TransferFiles.write(bytes: mebibytes << 20)
        defer { files.remove() }
        let server = try ServerProcess()
        defer { server.stop() }
        let process = TransferProcess(files: files, port: server.port)
        let useBefore = MachineUse(without: [server.identifier])
        let measured = try kinds.map { kind in
            // The time of a slow consumer is determined by the consumer, so it isn't reported.
            try TransferRounds(rounds: kind == .slow ? 1 : rounds, process: process).measure(variants, kind)
        }
        report.note(
            "\(files.bytes >> 20) MiB, \(rounds) interleaved rounds, each turn in a separate process; medians (and "
                + "quartiles), memory is the maximum of all rounds. Ratios are medians of the rounds' ratios. One "
                + "server of one thread in another process; files in the page cache; logging off."
        )
        if let others = MachineUse(without: [server.identifier]).others(since: useBefore) {
            let percent = Figures.number(others * 100, digits: 0)
            report.note("Other processes used \(percent) % of the machine during the run.")
        }
        TransferFigures(kinds: measured).report(to: report)
        TransferGoals(kinds: measured).report(to: report)
        #else
        report.note("n/a: the server needs Linux.")
        #endif
    }

    #if os(Linux)
    private var variants: [TransferVariant] {
        [.curl, .session, .sessionTransport, .curlTransport] + rivals
    }

    /// What a process does that was started for one turn: its figures are the last line that it writes.
    private func takeTurn(_ kind: String, _ options: Options, _ report: Report) async throws {
        guard let kind = TransferKind(rawValue: kind), let folder = options.settings["folder"],
            let port = UInt16(exactly: try options.number("port", quick: 0, full: 0)),
            let variant = variants.first(where: { $0.name == options.settings["variant"] }),
            case .client(let makeClient) = variant.way
        else { throw UsageError("'turn' is only for processes that this benchmark starts") }
        let files = TransferFiles(
            folder: URL(fileURLWithPath: folder),
            bytes: try options.number("bytes", quick: 0, full: 0)
        )
        let client = try await makeClient()
        let turn = try await TransferTurn.take(client, kind, files, port: port)
        try await client.end()
        report.note(String(decoding: try JSONEncoder().encode(turn), as: UTF8.self))
    }

    private static func chosen<Choice>(
        _ all: [Choice],
        _ setting: String,
        _ options: Options,
        name: (Choice) -> String
    ) throws -> [Choice] {
        guard let parts = options.settings[setting]?.split(separator: ",") else { return all }
        let chosen = all.filter { choice in parts.contains { name(choice).contains($0) } }
        if chosen.isEmpty { throw UsageError("'\(setting)' matches no name; the names are \(all.map(name))") }
        return chosen
    }
    #endif
}
