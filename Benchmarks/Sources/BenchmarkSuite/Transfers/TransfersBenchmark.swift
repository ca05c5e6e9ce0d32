import Foundation

/// Measures downloads and uploads of large files, by the library and by others.
struct TransfersBenchmark: Benchmark {
    let name = "transfers"
    let summary = "A large file down, up, as a form and to a slow consumer: MB/s, processor time, memory."

    func run(_ options: Options, _ report: Report) async throws {
        #if os(Linux)
        if let kind = options.settings["turn"] { return try await takeTurn(kind, options, report) }
        let rounds = try options.number("rounds", quick: 2, full: 5)
        let kinds = try options.chosen("kinds", of: TransferKind.allCases, \.rawValue)
        let variants = try options.chosen("variants", of: variants, \.name)
        let mebibytes = try options.number("mebibytes", quick: 64, full: 1_024)
        guard rounds > 0, mebibytes > 0 else { throw UsageError("rounds and mebibytes must be positive") }
        let server = try ServerProcess()
        defer { server.stop() }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("transfers-\(UUID().uuidString)")
        let files = TransferFiles(folder: folder, bytes: mebibytes << 20, port: server.port)
        defer { files.remove() }
        try files.write()
        let useBefore = MachineUse(server: server.identifier)
        var measured: [(kind: TransferKind, results: [MeasuredTransfers])] = []
        for kind in kinds {
            // The time of a slow consumer is determined by the consumer, so it isn't reported.
            let turns = try await Comparison.interleaved(variants, rounds: kind == .slow ? 1 : rounds) { variant in
                try TransferTurn.take(variant, kind, files)
            }
            let results = zip(variants, turns).map { MeasuredTransfers(name: $0.name, bytes: files.bytes, turns: $1) }
            measured.append((kind, results))
        }
        report.note(
            "\(mebibytes) MiB, \(rounds) interleaved rounds, each turn in a separate process; medians (and "
                + "quartiles), memory is the maximum of all rounds. Ratios are medians of the rounds' ratios. One "
                + "server of one thread in another process; files in the page cache; logging off."
        )
        MachineUse(server: server.identifier).report(since: useBefore, to: report)
        for (kind, results) in measured {
            report.note("\(kind.title):")
            table(kind, results, report)
        }
        for (kind, results) in measured where kind != .slow { reportSpeed(kind, results, report) }
        for (kind, results) in measured { reportGrowth(kind, results, report) }
        #else
        report.note("n/a: the server needs Linux.")
        #endif
    }

    #if os(Linux)
    private let variants: [TransferVariant] = [.curl, .session, .sessionTransport, .curlTransport]

    /// What a process does that was started for one turn: its measurements are the last line that it writes.
    private func takeTurn(_ kind: String, _ options: Options, _ report: Report) async throws {
        guard let kind = TransferKind(rawValue: kind), let folder = options.settings["folder"],
            let port = UInt16(exactly: try options.number("port", quick: 0, full: 0)),
            let variant = variants.first(where: { $0.name == options.settings["variant"] }),
            case .client(let makeClient) = variant.way
        else { throw UsageError("'turn' is only for processes that this benchmark starts") }
        let bytes = try options.number("bytes", quick: 0, full: 0)
        let client = try await makeClient()
        let files = TransferFiles(folder: URL(fileURLWithPath: folder), bytes: bytes, port: port)
        let turn = try await TransferTurn.make(client, kind, files)
        try await client.end()
        report.note(String(decoding: try JSONEncoder().encode(turn), as: UTF8.self))
    }

    private func table(_ kind: TransferKind, _ results: [MeasuredTransfers], _ report: Report) {
        guard kind != .slow else {
            return report.table(["variant", "memory growth"], results.map { [$0.name, megabytes($0.growth)] })
        }
        let curl = results.first { $0.name == TransferVariant.curl.name }
        let rows = results.map { variant in
            [
                variant.name,
                variant.speeds.quartiles(digits: 0),
                format(curl.map { variant.speeds.medianRatio(to: $0.speeds) }, digits: 2),
                format(variant.processor.median, digits: 2),
                format(curl.map { variant.processor.medianRatio(to: $0.processor) }, digits: 2),
                megabytes(variant.growth),
            ]
        }
        let columns = ["variant", "MB/s", "ratio to curl", "CPU s a GiB", "ratio to curl", "memory growth"]
        report.table(columns, rows)
    }

    /// Reports nothing if one of the two variants wasn't measured.
    private func reportSpeed(_ kind: TransferKind, _ results: [MeasuredTransfers], _ report: Report) {
        let (name, curl) = (TransferVariant.curlTransport.name, TransferVariant.curl.name)
        guard let library = results.first(where: { $0.name == name }),
            let other = results.first(where: { $0.name == curl })
        else { return }
        let ratio = library.speeds.medianRatio(to: other.speeds)
        let goal = "\(kind.rawValue): \(name): at least 0.9 × the MB/s of \(curl)"
        report.goal(ratio >= 0.9, goal, format(ratio, digits: 2))
    }

    private func reportGrowth(_ kind: TransferKind, _ results: [MeasuredTransfers], _ report: Report) {
        let library = [TransferVariant.curlTransport.name, TransferVariant.sessionTransport.name]
        for variant in results where library.contains(variant.name) {
            let goal = "\(kind.rawValue): \(variant.name): memory grows by less than 32 MiB"
            report.goal(variant.growth.map { $0 < 32 << 20 }, goal, megabytes(variant.growth))
        }
    }
    #endif
}

/// The results of one variant with one kind of transfer.
private struct MeasuredTransfers: Sendable {
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
}
