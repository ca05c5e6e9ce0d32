/// Python's standard library as a reader that shares no code with ours.
enum Python {
    /// Where `python3` is; nil if this machine has none.
    static let executable: URL? = {
        #if os(macOS) || os(Linux)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":")
            .map { URL(fileURLWithPath: String($0)).appendingPathComponent("python3") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        #else
        return nil
        #endif
    }()

    /// A random text of ASCII and of what is special in a form, a query or a path.
    static func hostileText(upTo count: Int = 12, using generator: inout SeededGenerator) -> String {
        let ascii = (0..<128).map { String(UnicodeScalar(UInt8($0))) }
        let special = [
            "é", "ß", "😀", "\u{2028}", "\u{FFFD}", "[]", "%41", "a\u{301}", "%2F", "%2e", "..", "://",
        ]
        return (0..<Int.random(in: 1...count, using: &generator))
            .compactMap { _ in (ascii + special).randomElement(using: &generator) }.joined()
    }

    /// Runs a script with the input on its standard input, and decodes the JSON that it prints.
    static func run<Output: Decodable>(_ script: String, input: Data, as type: Output.Type = Output.self) throws
        -> Output
    {
        #if os(macOS) || os(Linux)
        let directory = try TemporaryDirectory()
        let process = Process()
        let output = Pipe()
        process.executableURL = executable
        process.arguments = ["-c", script]
        process.standardInput = try FileHandle(forReadingFrom: directory.file("input", input))
        process.standardOutput = output
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode(type, from: printed)
        #else
        throw CocoaError(.featureUnsupported)
        #endif
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test on a machine without `python3`.
    static var python: Self { .enabled(if: Python.executable != nil, "There is no python3 to read it independently.") }
}
