public import Foundation

/// Counts the instructions of another program under valgrind, where no counter of the processor is to be had.
///
/// The counts are those of a simulated processor, so another process on the machine does not change them.
public struct Callgrind: Sendable {
    private let valgrind: URL

    /// Looks for valgrind in the folders of `PATH`; nil if it is not installed.
    public init?() {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        let paths = folders.map { "\($0)/valgrind" }
        guard let path = paths.first(where: FileManager.default.isExecutableFile) else { return nil }
        valgrind = URL(fileURLWithPath: path)
    }

    /// Runs a program and counts between the calls of one of its functions.
    ///
    /// - Parameters:
    ///   - program: The executable, with its symbols.
    ///   - arguments: Its command line.
    ///   - function: A part of the function's name in the table of symbols.
    /// - Returns: The instructions from each call to the next, in their order: one less than there are calls. Nil if
    ///   the program did not run to its end.
    /// - Throws: What the file system throws.
    public func counts(_ program: URL, _ arguments: [String], between function: String) throws -> [Int]? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("callgrind-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = folder.appendingPathComponent("out").path
        let options = ["--tool=callgrind", "--callgrind-out-file=\(output)", "--dump-before=*\(function)*"]
        guard try run(options + [program.path] + arguments) else { return nil }
        // The first part is what was before the first call; what was after the last goes to a file without a number.
        var counts: [Int] = []
        while let profile = try? String(contentsOfFile: "\(output).\(counts.count + 1)", encoding: .utf8) {
            guard let count = Self.total(of: profile) else { return nil }
            counts.append(count)
        }
        return Array(counts.dropFirst())
    }

    private func run(_ arguments: [String]) throws -> Bool {
        let process = Process()
        process.executableURL = valgrind
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // Else every process has hash tables of its own, and instructions with them.
        let determined = ["SWIFT_DETERMINISTIC_HASHING": "1"]
        process.environment = ProcessInfo.processInfo.environment.merging(determined) { $1 }
        try process.run()
        process.waitUntilExit()
        return process.terminationReason == .exit && process.terminationStatus == 0
    }

    private static func total(of profile: String) -> Int? {
        let line = profile.split(separator: "\n").last { $0.hasPrefix("totals:") }
        return line.flatMap { Int($0.dropFirst("totals:".count).filter(\.isNumber)) }
    }
}
