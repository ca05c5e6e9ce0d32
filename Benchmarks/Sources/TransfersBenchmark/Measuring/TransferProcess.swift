import Foundation

/// Takes each turn in a process of its own, so that neither memory nor processor time is another one's.
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

    /// The running program once more, told to take one turn.
    private func clientTurn(_ variant: TransferVariant, _ kind: TransferKind) throws -> TransferTurn {
        let settings = [
            "turn=\(kind.rawValue)", "variant=\(variant.name)", "port=\(port)", "folder=\(files.folder.path)",
            "bytes=\(files.bytes)",
        ]
        let arguments = ["--in-process", "--filter", TransfersBenchmark.title] + settings.flatMap { ["--set", $0] }
        let output = try run(Bundle.main.executableURL, arguments)
        guard let line = output.last else { throw UnexpectedTransfer("\(variant.name) said nothing") }
        return try JSONDecoder().decode(TransferTurn.self, from: Data(line.utf8))
    }

    /// A program that makes a small transfer, and once more for the large one.
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

    /// The lines that it wrote.
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
