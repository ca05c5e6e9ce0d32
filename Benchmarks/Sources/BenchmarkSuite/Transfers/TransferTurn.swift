import CMeasuring
import Foundation

/// The cost of one large transfer to its client's process, without that of a small transfer before.
///
/// Each turn has a separate process, so that turns don't share memory or processor time.
struct TransferTurn: Codable, Sendable {
    let seconds: Double
    let processorSeconds: Double

    /// The growth of the resident memory at its peak during the transfer; nil if unknown.
    let growth: Int?

    /// Starts the process of a turn, and waits for its end.
    static func take(_ variant: TransferVariant, _ kind: TransferKind, _ files: TransferFiles) throws -> TransferTurn {
        files.removeReceived()
        guard case .command(let arguments) = variant.way else {
            let settings = [
                "turn=\(kind.rawValue)", "variant=\(variant.name)", "port=\(files.port)", "folder=\(files.folder.path)",
                "bytes=\(files.bytes)",
            ]
            let arguments = ["--in-process", "--filter", "transfers"] + settings.flatMap { ["--set", $0] }
            let output = try run(Bundle.main.executableURL, arguments)
            return try JSONDecoder().decode(TransferTurn.self, from: Data((output.last ?? "").utf8))
        }
        // One run of the program for the small transfer, one for the large transfer.
        let program = ServerProcess.program("MeasuredRun")
        let (small, large) = (try files.small(kind), try files.large(kind))
        let first = try TransferTurn(run(program, arguments(kind, small)), small, kind)
        let second = try TransferTurn(run(program, arguments(kind, large)), large, kind)
        return TransferTurn(
            seconds: second.seconds,
            processorSeconds: max(0, second.processorSeconds - first.processorSeconds),
            growth: second.growth.flatMap { second in first.growth.map { max(0, second - $0) } }
        )
    }

    /// Makes both transfers in this process.
    static func make(_ client: TransferClient, _ kind: TransferKind, _ files: TransferFiles) async throws -> Self {
        let watchdog = Watchdog(seconds: 600) { kind.title }
        defer { watchdog.stop() }
        // Loads libraries and opens the connection.
        _ = try await client.transfer(kind, files.small(kind))
        await Quiescence.wait(atMost: 1)
        let target = try files.large(kind)
        heap_trim()
        ProcessFacts.resetPeak()
        let peakBefore = ProcessFacts.now().peakResidentBytes
        let (start, processorStart) = (Clocks.elapsed, Clocks.processor)
        let count = try await client.transfer(kind, target)
        let (seconds, processor) = (Clocks.seconds(since: start), Clocks.processor - processorStart)
        let peak = ProcessFacts.now().peakResidentBytes
        try target.check(count, kind)
        return TransferTurn(
            seconds: seconds,
            processorSeconds: Double(processor) / 1_000_000_000,
            growth: peak.flatMap { peak in peakBefore.map { max(0, peak - $0) } }
        )
    }

    /// Runs a program and returns the lines that it wrote.
    private static func run(_ program: URL?, _ arguments: [String]) throws -> [String] {
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
            throw UsageError("\(command): status \(process.terminationStatus): \(lines.last ?? "")")
        }
        return lines
    }
}

extension TransferTurn {
    /// Reads the output of a command, and the line that `MeasuredRun` adds; the growth is that from nothing.
    private init(_ output: [String], _ target: TransferTarget, _ kind: TransferKind) throws {
        let lines = output.map { $0.split(separator: " ").map(String.init) }
        let (own, added) = (lines.dropLast().last ?? [], lines.last ?? [])
        guard own.count == 2, added.count == 2, let received = Int(own[0]), let seconds = Double(own[1]),
            let processorSeconds = Double(added[0]), let peakBytes = Int(added[1])
        else { throw UsageError("the output is invalid: \(output)") }
        try target.check(kind.isSent ? lines.first?.first.flatMap { Int($0) } ?? 0 : received, kind)
        self.init(seconds: seconds, processorSeconds: processorSeconds, growth: peakBytes)
    }
}

/// The folder with the files that are sent and received, and the server's port.
struct TransferFiles: Sendable {
    private static let smallBytes = 64 << 10

    let folder: URL

    /// The size of the large file.
    let bytes: Int

    let port: UInt16

    /// Writes the files to send, which stay in the page cache if they fit.
    func write() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // One file is sent, one is received, and one contains a form.
        let facts = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
        let free = (facts[.systemFreeSize] as? NSNumber)?.intValue ?? 0
        guard free / 4 > bytes else { throw CocoaError(.fileWriteOutOfSpace) }
        let piece = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        for (name, bytes) in [("large", bytes), ("small", Self.smallBytes)] {
            guard FileManager.default.createFile(atPath: file(name).path, contents: nil) else {
                throw CocoaError(.fileWriteUnknown)
            }
            let handle = try FileHandle(forWritingTo: file(name))
            for start in stride(from: 0, to: bytes, by: piece.count) {
                try handle.write(contentsOf: piece.prefix(bytes - start))
            }
            try handle.close()
        }
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Removes the file of the last turn, so that each turn writes a new file, and dirty pages needn't go to the disk.
    func removeReceived() {
        for size in ["large", "small"] { try? FileManager.default.removeItem(at: file("received-\(size)")) }
    }

    func large(_ kind: TransferKind) throws -> TransferTarget {
        try TransferTarget(kind, port: port, file: file(kind.isSent ? "large" : "received-large"), bytes: bytes)
    }

    func small(_ kind: TransferKind) throws -> TransferTarget {
        let file = file(kind.isSent ? "small" : "received-small")
        return try TransferTarget(kind, port: port, file: file, bytes: Self.smallBytes)
    }

    private func file(_ name: String) -> URL {
        folder.appendingPathComponent("\(name).bin")
    }
}
