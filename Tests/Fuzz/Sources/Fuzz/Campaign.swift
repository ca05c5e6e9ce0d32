import Foundation

/// Inputs for one target: the kept ones, then changed ones until the time is over.
struct Campaign {
    let target: FuzzTarget
    let seconds: Double
    let seed: UInt64

    #if !COVERAGE_GUIDED
    /// Changes kept inputs at random, and returns what was done; ends the process at the first fault.
    func run() throws -> String {
        let corpus = try Corpus(of: target).inputs
        let end = Date().addingTimeInterval(seconds)
        var random = SeededGenerator(seed: seed &* 1_000_000_007)
        var rounds = 0
        for input in corpus { check(input) }
        while Date() < end {
            var input = corpus.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let other = corpus.randomElement(using: &random) ?? []
                input = Mutation.mutated(input, with: other, &random)
            }
            check(input)
            rounds += 1
        }
        return "\(target.name): \(rounds) random inputs from seed \(seed), no fault"
    }

    private func check(_ input: [UInt8]) {
        guard let fault = target.fault(input) else { return }
        print("\(target.name): \(fault)\n\(Corpus.line(input))")
        exit(1)
    }
    #endif
}

#if COVERAGE_GUIDED
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The name by which libFuzzer's own `main` calls it, which is linked but not used.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    if let fault = FuzzTarget.current.fault(input) {
        fatalError("\(FuzzTarget.current.name): \(fault)\n\(Corpus.line(input))")
    }
    return 0
}

extension Campaign {
    private static let isChild = "FUZZ_CHILD"

    /// Starts libFuzzer, which looks for inputs that reach more of the code, in a child process, which it ends.
    func run() throws -> String {
        if ProcessInfo.processInfo.environment[Self.isChild] != nil { try runHere() }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let log = folder.appendingPathComponent("log")
        FileManager.default.createFile(atPath: log.path, contents: nil)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["\(Int(seconds))", "\(seed)", target.name]
        process.environment = ProcessInfo.processInfo.environment.merging([Self.isChild: folder.path]) { $1 }
        let output = try FileHandle(forWritingTo: log)
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        process.waitUntilExit()
        let lines = String(decoding: try Data(contentsOf: log), as: UTF8.self).split(separator: "\n")
        guard process.terminationStatus == 0 else {
            let fault = lines.drop { !$0.contains("Fatal error") && !$0.contains("ERROR") }
            print((fault.isEmpty ? lines[...] : fault).prefix(60).joined(separator: "\n"))
            exit(1)
        }
        let end = lines.last { $0.contains("DONE") } ?? ""
        let count = lines.last { $0.contains("number_of_executed_units") }?.split(separator: " ").last ?? "no"
        return "\(target.name): \(count) inputs from seed \(seed), no fault: \(end)"
    }

    private func runHere() throws -> Never {
        let folder = URL(fileURLWithPath: ProcessInfo.processInfo.environment[Self.isChild] ?? "")
            .appendingPathComponent("corpus")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (index, input) in try Corpus(of: target).inputs.enumerated() {
            try Data(input).write(to: folder.appendingPathComponent("\(index)"))
        }
        let options = [
            "-seed=\(seed)", "-max_total_time=\(Int(seconds))", "-max_len=600", "-timeout=20", "-rss_limit_mb=3000",
            "-print_final_stats=1", "-artifact_prefix=\(folder.path)/", folder.path,
        ]
        var arguments = ([CommandLine.arguments[0]] + options).map { strdup($0) } + [nil]
        var count = CInt(arguments.count - 1)
        arguments.withUnsafeMutableBufferPointer { buffer in
            guard var start = buffer.baseAddress else { return }
            _ = runDriver(&count, &start, testOneInput)
        }
        exit(0)
    }
}
#endif
