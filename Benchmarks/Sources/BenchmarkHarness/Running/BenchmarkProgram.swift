import Foundation

/// The command line around a list of benchmarks.
///
/// Each benchmark runs in a separate process: benchmarks don't share memory, and a crash or a hang ends one chapter
/// instead of the report.
public struct BenchmarkProgram: Sendable {
    private let benchmarks: [any Benchmark]

    /// Creates a program from benchmarks in the order of the report.
    public init(_ benchmarks: [any Benchmark]) {
        self.benchmarks = benchmarks
    }

    /// Runs the benchmarks that the command line selects.
    ///
    /// - Parameter arguments: The command line without the name of the program.
    /// - Returns: The exit status: 0, 1 if a fact didn't hold, 2 if the command line is invalid.
    public func run(_ arguments: [String]) async -> Int32 {
        do {
            let options = try Options(arguments: arguments)
            let chosen = benchmarks.filter { options.filter.map($0.name.contains) ?? true }
            if chosen.isEmpty { throw UsageError("no benchmark's name contains '\(options.filter ?? "")'") }
            if options.isList {
                for benchmark in chosen { print("\(benchmark.name): \(benchmark.summary)") }
                return 0
            }
            return try await run(chosen, options, arguments)
        } catch {
            print("error: \(error)")
            return error is UsageError ? 2 : 1
        }
    }

    private func run(_ chosen: [any Benchmark], _ options: Options, _ arguments: [String]) async throws -> Int32 {
        var hasFailed = false
        for benchmark in chosen {
            if options.isInProcess {
                hasFailed = await !holds(benchmark, options) || hasFailed
            } else {
                hasFailed = try !holdsInAnotherProcess(benchmark, arguments) || hasFailed
            }
        }
        return hasFailed ? 1 : 0
    }

    private func holds(_ benchmark: any Benchmark, _ options: Options) async -> Bool {
        let report = Report()
        report.title(benchmark.name, benchmark.summary)
        do {
            try await benchmark.run(options, report)
        } catch {
            report.require(false, "the benchmark ran to its end", "\(error)")
        }
        return report.holds
    }

    private func holdsInAnotherProcess(_ benchmark: any Benchmark, _ arguments: [String]) throws -> Bool {
        guard let program = Bundle.main.executableURL else {
            throw UsageError("the path of the running program is unknown")
        }
        // The last filter overrides the earlier ones.
        let command = [program.path] + arguments + ["--filter", benchmark.name, "--in-process"]
        let prepared = benchmark.command(toRun: command)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: prepared[0])
        process.arguments = Array(prepared.dropFirst())
        try process.run()
        process.waitUntilExit()
        if process.terminationReason == .uncaughtSignal {
            Report().require(false, "no crash, no hang", "signal \(process.terminationStatus)")
            return false
        }
        return process.terminationStatus == 0
    }
}

/// One chapter of the report: a question about the library, and its measurement.
public protocol Benchmark: Sendable {
    /// The name for `--filter`.
    var name: String { get }

    /// The description for `--list`, in one line.
    var summary: String { get }

    /// Returns the command that starts the process of the benchmark: the given one, or one that prepares an environment
    /// for it first. The first element is the path of a program.
    func command(toRun command: [String]) -> [String]

    /// Measures and reports; an error fails the run.
    func run(_ options: Options, _ report: Report) async throws
}

extension Benchmark {
    /// Returns the command unchanged.
    public func command(toRun command: [String]) -> [String] { command }
}
