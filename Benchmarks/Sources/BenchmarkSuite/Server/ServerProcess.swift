import CServer
import Foundation

/// A server in a separate process, so that its cost isn't measured as the client's.
///
/// The process runs this program once more, and ends when the process that started it ends. Linux only.
final class ServerProcess: Sendable {
    /// The port that the server listens on, at 127.0.0.1.
    let port: UInt16

    private let process: Process
    private let input: FileHandle
    private let output: FileHandle

    /// Starts the server in C or one of another kind, and waits until it listens.
    ///
    /// With TLS, the arguments of the server in C are a certificate and its key, and `h2` to offer HTTP/2, or `tickets`
    /// to send session tickets.
    init(_ arguments: [String] = [], kind: String = serve) throws {
        let (input, output) = (Pipe(), Pipe())
        process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [kind] + arguments
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

    /// Returns the counts of the server in C since it was started.
    ///
    /// Only one caller at a time may read them.
    func counts() throws -> ServerCounts {
        try input.write(contentsOf: Data("counts\n".utf8))
        let numbers = Self.readLine(output)?.split(separator: " ").compactMap { Int($0) } ?? []
        guard numbers.count == 5 else { throw UsageError("the server has ended") }
        return ServerCounts(
            connections: numbers[0],
            resumptions: numbers[1],
            requests1: numbers[2],
            requests2: numbers[3],
            processor: numbers[4]
        )
    }

    /// Ends the server.
    func stop() {
        // The server ends at the end of its standard input.
        try? input.close()
        process.waitUntilExit()
    }

    /// The first argument of a program that is to be the server.
    static let serve = "--serve"

    /// Is the server, if the arguments are those of one, and returns the status with which the process ends.
    ///
    /// The process prints its port, and for each line of its standard input its counts. It ends at the end of its
    /// standard input, so that it never outlives the process that started it.
    static func run(_ arguments: [String]) -> Int32? {
        guard arguments.first == serve else { return nil }
        signal(SIGPIPE, SIG_IGN)
        let server =
            if arguments.count > 2 {
                start(certificate: arguments[1], key: arguments[2], options: arguments.dropFirst(3))
            } else {
                server_start(nil, nil)
            }
        guard let server else {
            FileHandle.standardError.write(
                Data("needs Linux, and for TLS OpenSSL and a certificate with its key\n".utf8)
            )
            return 1
        }
        let output = FileHandle.standardOutput
        output.write(Data("\(server_port(server))\n".utf8))
        while Swift.readLine() != nil {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            let counts = server_get_counts(server)
            let processor = time.tv_sec * 1_000_000_000 + time.tv_nsec
            let numbers = [counts.connections, counts.resumptions, counts.requests1, counts.requests2].map { "\($0)" }
            output.write(Data("\(numbers.joined(separator: " ")) \(processor)\n".utf8))
        }
        return 0
    }

    private static func start(certificate: String, key: String, options: ArraySlice<String>) -> OpaquePointer? {
        certificate.withCString { certificate in
            key.withCString { key in
                var tls = server_tls()
                (tls.certificate, tls.key) = (certificate, key)
                tls.offers_http2 = options.contains("h2") ? 1 : 0
                tls.sends_tickets = options.contains("tickets") ? 1 : 0
                return server_start(nil, &tls)
            }
        }
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
    /// The closed connections that continued the TLS session of an earlier one.
    var resumptions = 0
    /// The requests over HTTP/1.1.
    var requests1 = 0
    /// The requests over HTTP/2.
    var requests2 = 0
    var processor = 0

    var requests: Int { requests1 + requests2 }

    /// The connections, those that were resumed, and the microseconds of processor time for a request.
    var overview: String {
        "\(connections) / \(resumptions) / \(format(Double(processor) / Double(requests) / 1_000))"
    }

    /// Adds other counts, or subtracts them if the sign is −1.
    mutating func add(_ other: ServerCounts, sign: Int = 1) {
        connections += sign * other.connections
        resumptions += sign * other.resumptions
        requests1 += sign * other.requests1
        requests2 += sign * other.requests2
        processor += sign * other.processor
    }
}
