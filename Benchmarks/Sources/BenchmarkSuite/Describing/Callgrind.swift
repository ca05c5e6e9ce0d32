import Foundation

/// Counts the instructions of another program with valgrind, which simulates a processor.
///
/// So neither other processes on the machine nor the machine itself change the counts.
struct Callgrind: Sendable {
    /// Looks for valgrind and `strip` in the folders of `PATH`; nil if one isn't installed.
    init?() {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        let areInstalled = ["valgrind", "strip"].allSatisfy { tool in
            folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)") }
        }
        guard areInstalled else { return nil }
    }

    /// Runs a program that does something as often as its second argument says, and returns the instructions for one
    /// time; nil if the program failed.
    func instructions(_ program: URL, _ kind: String, _ arguments: [String]) throws -> Double? {
        let numbers = [100, 600]
        let totals = try numbers.map { number in
            try profiled(program, [kind, "\(number)"] + arguments) { output in
                (try? String(contentsOfFile: output, encoding: .utf8)).flatMap(Self.total)
            }
        }
        guard let first = totals[0] ?? nil, let second = totals[1] ?? nil else { return nil }
        return Double(second - first) / Double(numbers[1] - numbers[0])
    }

    /// Runs a program and counts the instructions between the calls of one of its functions.
    ///
    /// `function` is a part of the function's name in the symbol table. Returns the instructions from each call to the
    /// next, so one number less than there are calls; nil if the program failed.
    func counts(_ program: URL, _ arguments: [String], between function: String) throws -> [Int]? {
        try profiled(program, arguments, ["--dump-before=*\(function)*"]) { output in
            // The first profile precedes the first call. What follows the last call is in a file without a number.
            var counts: [Int] = []
            while let profile = try? String(contentsOfFile: "\(output).\(counts.count + 1)", encoding: .utf8) {
                guard let count = Self.total(of: profile) else { return nil }
                counts.append(count)
            }
            return Array(counts.dropFirst())
        } ?? nil
    }

    /// Runs a program, and reads its profile; nil if the program failed.
    private func profiled<Result>(
        _ program: URL,
        _ arguments: [String],
        _ options: [String] = [],
        _ read: (_ output: String) throws -> Result
    ) throws -> Result? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("callgrind-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (copy, output) = (folder.appendingPathComponent("program").path, folder.appendingPathComponent("out").path)
        // valgrind can't read the debug information of a large program.
        guard try run("strip", ["-g", "-o", copy, program.path]) else { return nil }
        let options = ["--tool=callgrind", "--callgrind-out-file=\(output)"] + options
        return try run("valgrind", options + [copy] + arguments) ? try read(output) : nil
    }

    /// Runs a tool, and returns whether it succeeded.
    private func run(_ tool: String, _ arguments: [String]) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [tool] + arguments
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
