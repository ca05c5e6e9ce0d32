import Foundation

/// Takes each turn in a separate process, so that turns don't share memory or processor time.
struct TransferProcess: Sendable {
    let files: TransferFiles
    let port: UInt16

    func turn(_ variant: TransferVariant, _ kind: TransferKind) throws -> TransferTurn {
        files.removeReceived()
        switch variant.way {
        case .client: return try clientTurn(variant, kind)
        case .command(let arguments): return try commandTurn(arguments, kind)
        }
    }

    /// Takes one turn in a second process of the running program.
    private func clientTurn(_ variant: TransferVariant, _ kind: TransferKind) throws -> TransferTurn {
        let settings = [
            "turn=\(kind.rawValue)", "variant=\(variant.name)", "port=\(port)", "folder=\(files.folder.path)",
            "bytes=\(files.bytes)",
        ]
        let arguments = ["--in-process", "--filter", TransfersBenchmark.title] + settings.flatMap { ["--set", $0] }
        let output = try run(Bundle.main.executableURL, arguments)
        guard let line = output.last else { throw UnexpectedTransfer("\(variant.name) wrote no output") }
        return try JSONDecoder().decode(TransferTurn.self, from: Data(line.utf8))
    }

    /// Measures a program: one run for the small transfer, one for the large transfer.
    private func commandTurn(
        _ arguments: (TransferKind, TransferTarget) -> [String],
        _ kind: TransferKind
    ) throws -> TransferTurn {
        let program = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent("MeasuredRun")
        let (small, large) = (try files.small(kind, port: port), try files.large(kind, port: port))
        let first = try CommandOutput(run(program, arguments(kind, small)), small, kind)
        let output = try CommandOutput(run(program, arguments(kind, large)), large, kind)
        return TransferTurn(
            seconds: output.seconds,
            processorSeconds: max(0, output.processorSeconds - first.processorSeconds),
            growth: max(0, output.peakBytes - first.peakBytes)
        )
    }

    /// Runs a program and returns the lines that it wrote.
    private func run(_ program: URL?, _ arguments: [String]) throws -> [String] {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let command = arguments.joined(separator: " ")
            throw UnexpectedTransfer("\(command): status \(process.terminationStatus): \(lines.last ?? "")")
        }
        return lines
    }
}

/// The output of a program: the server's response to an upload, then bytes received and seconds, then the lines that
/// `MeasuredRun` adds.
struct CommandOutput {
    let seconds: Double
    let processorSeconds: Double
    let peakBytes: Int

    init(_ lines: [String], _ target: TransferTarget, _ kind: TransferKind) throws {
        let lines = lines.map { $0.split(separator: " ").map(String.init) }
        let (own, added) = (lines.dropLast().last ?? [], lines.last ?? [])
        guard own.count == 2, added.count == 2, let received = Int(own[0]), let seconds = Double(own[1]),
            let processorSeconds = Double(added[0]), let peakBytes = Int(added[1])
        else { throw UnexpectedTransfer("the output is invalid: \(lines)") }
        let count = kind.isSent ? lines.first?.first.flatMap { Int($0) } ?? 0 : received
        guard target.accepts(count, kind) else { throw UnexpectedTransfer("\(count) bytes instead of \(target.bytes)") }
        self.seconds = seconds
        self.processorSeconds = processorSeconds
        self.peakBytes = peakBytes
    }
}
