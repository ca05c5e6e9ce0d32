import Foundation

/// The server in a separate process, so that its cost isn't measured as the client's.
///
/// The process runs the program `BenchmarkServer`, which lies beside the running program, and ends when the process
/// that started it ends. Linux only.
final class ServerProcess: Sendable {
    /// The port that the server listens on, at 127.0.0.1.
    let port: UInt16

    private let process: Process
    private let input: FileHandle
    private let output: FileHandle

    /// Starts the server, with TLS if the arguments are a certificate and its key, and waits until it listens.
    init(_ arguments: [String] = []) throws {
        let (input, output) = (Pipe(), Pipe())
        process = Process()
        process.executableURL = Self.program("BenchmarkServer")
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        self.input = input.fileHandleForWriting
        self.output = output.fileHandleForReading
        guard let port = Self.readLine(self.output).flatMap(UInt16.init) else {
            throw UsageError("the server didn't start")
        }
        self.port = port
    }

    /// The location of a program that lies beside the running one.
    static func program(_ name: String) -> URL? {
        Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(name)
    }

    /// The identifier of the process.
    var identifier: Int32 { process.processIdentifier }

    /// Returns the counts of the server since it was started.
    ///
    /// Only one caller at a time may read them.
    func counts() throws -> ServerCounts {
        try input.write(contentsOf: Data("counts\n".utf8))
        let numbers = Self.readLine(output)?.split(separator: " ").compactMap { Int($0) } ?? []
        guard numbers.count == 4 else { throw UsageError("the server has ended") }
        return ServerCounts(
            connections: numbers[0],
            requests1: numbers[1],
            requests2: numbers[2],
            processor: numbers[3]
        )
    }

    /// Ends the server.
    func stop() {
        // The server ends at the end of its standard input.
        try? input.close()
        process.waitUntilExit()
    }

    private static func readLine(_ output: FileHandle) -> String? {
        var line = Data()
        while !line.contains(10) {
            let bytes = output.availableData
            if bytes.isEmpty { return nil }
            line += bytes
        }
        return String(decoding: line.dropLast(), as: UTF8.self)
    }
}

/// How many connections and requests the server has accepted, and its nanoseconds of processor time.
struct ServerCounts: Sendable {
    var connections = 0
    /// The requests over HTTP/1.1.
    var requests1 = 0
    /// The requests over HTTP/2.
    var requests2 = 0
    var processor = 0

    var requests: Int { requests1 + requests2 }

    /// Adds other counts, or subtracts them if the sign is −1.
    mutating func add(_ other: ServerCounts, sign: Int = 1) {
        connections += sign * other.connections
        requests1 += sign * other.requests1
        requests2 += sign * other.requests2
        processor += sign * other.processor
    }
}
