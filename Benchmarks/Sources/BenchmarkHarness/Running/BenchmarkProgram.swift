import Foundation

/// The command line around a list of benchmarks.
///
/// Each benchmark runs in a process of its own, so that memory is its own, and a crash or a hang ends one chapter and
/// not the report.
public struct BenchmarkProgram: Sendable {
    private let benchmarks: [any Benchmark]

    /// Takes the benchmarks.
    ///
    /// - Parameter benchmarks: In the order of the report.
    public init(_ benchmarks: [any Benchmark]) {
        self.benchmarks = benchmarks
    }

    /// Runs what the command line asks for.
    ///
    /// - Parameter arguments: Without the name of the program.
    /// - Returns: What the process exits with: 0, 1 if a fact did not hold, 2 for a command line that says nothing.
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
            report.require(false, "it ran to its end", "\(error)")
        }
        return report.holds
    }

    private func holdsInAnotherProcess(_ benchmark: any Benchmark, _ arguments: [String]) throws -> Bool {
        guard let program = Bundle.main.executableURL else { throw UsageError("the program cannot find itself") }
        let process = Process()
        process.executableURL = program
        // The last filter is the one that counts.
        process.arguments = arguments + ["--filter", benchmark.name, "--in-process"]
        try process.run()
        process.waitUntilExit()
        if process.terminationReason == .uncaughtSignal {
            Report().require(false, "no crash, no hang", "signal \(process.terminationStatus)")
            return false
        }
        return process.terminationStatus == 0
    }
}
