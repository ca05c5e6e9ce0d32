import Foundation

/// A server in a separate process, so that its cost isn't measured as the client's.
///
/// The process runs a program that lies beside the running program, prints its port, and ends at the end of its
/// standard input, so that it ends when the process that started it ends. Linux only.
public final class ServerProcess: Sendable {
    /// The port that the server listens on, at 127.0.0.1.
    public let port: UInt16

    private let process: Process
    private let input: FileHandle
    private let output: FileHandle

    /// Starts the server and waits until it listens.
    ///
    /// - Parameters:
    ///   - program: The name of the program. `RequestServer` has one thread with epoll, sends about 100,000 small
    ///     responses a second, and large bodies as fast as a client sends or reads them.
    ///   - arguments: The arguments of the program.
    /// - Throws: ``SocketError`` if the program prints no port.
    public init(_ program: String = "RequestServer", _ arguments: [String] = []) throws {
        let (input, output) = (Pipe(), Pipe())
        process = Process()
        process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(program)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        self.input = input.fileHandleForWriting
        self.output = output.fileHandleForReading
        guard let port = Self.readLine(self.output).flatMap(UInt16.init) else { throw SocketError(program) }
        self.port = port
    }

    /// The identifier of the process.
    public var identifier: Int32 { process.processIdentifier }

    /// Sends a line to the server and returns the line that it prints then; not for two callers at once.
    public func ask(_ question: String) throws -> String {
        try input.write(contentsOf: Data("\(question)\n".utf8))
        guard let line = Self.readLine(output) else { throw SocketError("the server's pipe") }
        return line
    }

    /// Ends the server.
    public func stop() {
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
