import Foundation

/// Counts the instructions of another program with valgrind, which simulates a processor.
///
/// So neither other processes on the machine nor the machine itself change the counts.
struct Callgrind: Sendable {
    private let valgrind: URL

    /// Finds valgrind in the folders of `PATH`; nil if it isn't installed.
    init?() {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        let paths = folders.map { "\($0)/valgrind" }
        guard let path = paths.first(where: FileManager.default.isExecutableFile) else { return nil }
        valgrind = URL(fileURLWithPath: path)
    }

    /// Runs a program and counts the instructions between the calls of one of its functions.
    ///
    /// `function` is a part of the function's name in the symbol table. Returns the instructions from each call to the
    /// next, so one number less than there are calls; nil if the program failed.
    func counts(_ program: URL, _ arguments: [String], between function: String) throws -> [Int]? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("callgrind-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = folder.appendingPathComponent("out").path
        let options = ["--tool=callgrind", "--callgrind-out-file=\(output)", "--dump-before=*\(function)*"]
        guard try run(options + [program.path] + arguments) else { return nil }
        // The first profile precedes the first call. What follows the last call is in a file without a number.
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
        // A random hash seed would change the number of instructions from process to process.
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
