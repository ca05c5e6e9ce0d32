import Foundation

/// A server in a separate process, so that its cost isn't measured as the client's.
///
/// The process runs the program `RequestServer`, which lies beside the running program: one thread, epoll, about
/// 100,000 small responses a second, and large bodies as fast as a client sends or reads them. It ends when the
/// process that started it ends. Linux only.
public final class ServerProcess: Sendable {
    /// The port that the server listens on, at 127.0.0.1.
    public let port: UInt16

    private let process: Process
    private let input: FileHandle

    /// Starts the server and waits until it listens.
    public init() throws {
        let (input, output) = (Pipe(), Pipe())
        process = Process()
        process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent()
            .appendingPathComponent("RequestServer")
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        self.input = input.fileHandleForWriting
        guard let port = Self.readNumber(output.fileHandleForReading) else { throw SocketError("RequestServer") }
        self.port = port
    }

    /// The identifier of the process.
    public var identifier: Int32 { process.processIdentifier }

    /// Ends the server.
    public func stop() {
        // The server ends at the end of its standard input.
        try? input.close()
        process.waitUntilExit()
    }

    private static func readNumber(_ output: FileHandle) -> UInt16? {
        var line = Data()
        while !line.contains(10) {
            let bytes = output.availableData
            if bytes.isEmpty { return nil }
            line += bytes
        }
        return UInt16(String(decoding: line.dropLast(), as: UTF8.self))
    }
}
