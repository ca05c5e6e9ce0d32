/// The options of the command line.
public struct Options: Sendable {
    /// Whether to run everything at small size, in under a minute.
    public var isQuick = false

    /// Whether to list the benchmarks instead of running them.
    public var isList = false

    /// Whether to run in this process, for a debugger or a profiler, instead of one process for each benchmark.
    public var isInProcess = false

    /// A part of the names of the benchmarks to run; nil for all benchmarks.
    public var filter: String?

    /// Settings of single benchmarks: `--set workers=256`.
    public var settings: [String: String] = [:]

    /// Creates the defaults: all benchmarks at full size.
    public init() {}

    /// Parses a command line without the name of the program; throws ``UsageError``.
    public init(arguments: [String]) throws(UsageError) {
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

    /// Returns a numeric setting, or the default for `--quick` or a full run; throws ``UsageError`` for other text.
    public func number(_ name: String, quick: Int, full: Int) throws -> Int {
        guard let text = settings[name] else { return isQuick ? quick : full }
        guard let number = Int(text) else { throw UsageError("'\(name)' must be a number, but is '\(text)'") }
        return number
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let value = rest.popFirst() else { throw UsageError("\(option) needs a value") }
        return value
    }
}

/// An invalid command line.
public struct UsageError: Error, CustomStringConvertible {
    /// The sentence for the user.
    public let description: String

    /// Creates an error with one sentence for the user.
    public init(_ description: String) {
        self.description = description
    }
}
