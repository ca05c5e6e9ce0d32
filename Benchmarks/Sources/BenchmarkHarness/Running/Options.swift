/// What the command line asks for.
public struct Options: Sendable {
    /// Everything at small size, in under a minute.
    public var isQuick = false

    /// Says what there is and does nothing.
    public var isList = false

    /// Runs in this process, for a debugger or a profiler, where each benchmark otherwise has a process of its own.
    public var isInProcess = false

    /// Part of the name of the benchmarks to be run; nil for all of them.
    public var filter: String?

    /// Settings of single benchmarks: `--set workers=256`.
    public var settings: [String: String] = [:]

    /// Everything at full size.
    public init() {}

    /// Reads a command line.
    ///
    /// - Parameter arguments: Without the name of the program.
    /// - Throws: ``UsageError``.
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

    /// A setting that is a number.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - quick: What holds with `--quick` if it was not set.
    ///   - full: What holds otherwise if it was not set.
    /// - Returns: The number.
    /// - Throws: ``UsageError`` if it was set to something else.
    public func number(_ name: String, quick: Int, full: Int) throws -> Int {
        guard let text = settings[name] else { return isQuick ? quick : full }
        guard let number = Int(text) else { throw UsageError("'\(name)' is to be a number and is '\(text)'") }
        return number
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let value = rest.popFirst() else { throw UsageError("\(option) needs a value") }
        return value
    }
}
