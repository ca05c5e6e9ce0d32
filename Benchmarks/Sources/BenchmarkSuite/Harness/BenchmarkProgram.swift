import Foundation

/// The command line around a list of benchmarks.
///
/// Each benchmark runs in a separate process: benchmarks don't share memory, and a crash or a hang ends one chapter
/// instead of the report.
struct BenchmarkProgram: Sendable {
    let benchmarks: [any Benchmark]

    /// Runs the benchmarks that the command line, without the name of the program, selects.
    ///
    /// Returns the exit status: 0, 1 if a fact didn't hold, 2 if the command line is invalid.
    func run(_ arguments: [String]) async -> Int32 {
        if let status = ServerProcess.run(arguments) { return status }
        do {
            let options = try Options(arguments: arguments)
            let chosen = benchmarks.filter { options.filter.map($0.name.contains) ?? true }
            if chosen.isEmpty { throw UsageError("no benchmark's name contains '\(options.filter ?? "")'") }
            if options.isList {
                for benchmark in chosen { print("\(benchmark.name): \(benchmark.summary)") }
                return 0
            }
            var hasFailed = false
            for benchmark in chosen {
                let holds =
                    options.isInProcess
                    ? await holds(benchmark, options) : try holdsInAnotherProcess(benchmark, arguments)
                hasFailed = hasFailed || !holds
            }
            return hasFailed ? 1 : 0
        } catch {
            print("error: \(error)")
            return error is UsageError ? 2 : 1
        }
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
protocol Benchmark: Sendable {
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
    func command(toRun command: [String]) -> [String] { command }
}

/// The options of the command line.
struct Options: Sendable {
    /// Whether to run everything at small size.
    var isQuick = false

    /// Whether to list the benchmarks instead of running them.
    var isList = false

    /// Whether to run in this process, for a debugger or a profiler, instead of one process for each benchmark.
    var isInProcess = false

    /// A part of the names of the benchmarks to run; nil for all benchmarks.
    var filter: String?

    /// Settings of single benchmarks: `--set workers=256`.
    var settings: [String: String] = [:]

    /// Parses a command line without the name of the program.
    init(arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--quick": isQuick = true
            case "--list": isList = true
            case "--in-process": isInProcess = true
            case "--filter": filter = try Self.value(of: argument, &rest)
            case "--set":
                let setting = try Self.value(of: argument, &rest).split(separator: "=", maxSplits: 1)
                guard setting.count == 2 else { throw UsageError("--set needs name=value") }
                settings[String(setting[0])] = String(setting[1])
            default: throw UsageError("'\(argument)' is not an option")
            }
        }
    }

    /// Returns a numeric setting, or the default for `--quick` or a full run.
    func number(_ name: String, quick: Int, full: Int) throws(UsageError) -> Int {
        guard let text = settings[name] else { return isQuick ? quick : full }
        guard let number = Int(text) else { throw UsageError("'\(name)' must be a number, but is '\(text)'") }
        return number
    }

    /// Returns the numbers of a comma-separated setting, or the default.
    func numbers(_ name: String, _ all: [Int]) throws(UsageError) -> [Int] {
        guard let list = settings[name]?.split(separator: ",") else { return all }
        let numbers = list.compactMap { Int($0) }.filter { $0 > 0 }
        guard numbers.count == list.count else { throw UsageError("'\(name)' must be positive numbers") }
        return numbers
    }

    /// Returns the choices with the names of a comma-separated setting, or that contain a part of it; or all.
    func chosen<Choice>(_ setting: String, of all: [Choice], _ name: (Choice) -> String) throws -> [Choice] {
        guard let parts = settings[setting]?.split(separator: ",").map(String.init) else { return all }
        let names = all.map(name)
        let chosen = all.filter { choice in
            parts.contains { $0 == name(choice) || !names.contains($0) && name(choice).contains($0) }
        }
        if chosen.isEmpty { throw UsageError("'\(setting)' matches no name; the names are \(names)") }
        return chosen
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let value = rest.popFirst() else { throw UsageError("\(option) needs a value") }
        return value
    }
}

/// An invalid command line, or something that is missing on this machine.
struct UsageError: Error, CustomStringConvertible {
    /// The sentence for the user.
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
