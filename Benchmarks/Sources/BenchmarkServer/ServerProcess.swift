import Foundation

/// A server in a process of its own, so that what it costs is no part of what its clients cost.
///
/// It is the program `RequestServer`, which stands beside the running program: one thread, epoll, about 100,000 small
/// answers a second, and large bodies as fast as a client sends or takes them. It ends with the process that started
/// it, however that ends. Linux only.
public final class ServerProcess: Sendable {
    /// Where it listens, at 127.0.0.1.
    public let port: UInt16

    private let process: Process
    private let input: FileHandle

    /// Starts it and waits until it listens.
    ///
    /// - Throws: What `Process` throws; ``SocketError`` if it cannot listen.
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

    /// By which the system knows it.
    public var identifier: Int32 { process.processIdentifier }

    /// Ends it.
    public func stop() {
        // Its standard input, for which it waits.
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
