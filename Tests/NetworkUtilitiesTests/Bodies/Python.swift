import Foundation
import NetworkTestSupport

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

    static var isAvailable: Bool { executable != nil }
    static let reason = "There is no python3 on this machine to read the body independently."

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
