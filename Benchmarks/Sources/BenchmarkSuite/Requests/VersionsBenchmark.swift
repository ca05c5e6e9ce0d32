import Foundation
import NetworkClient
import NetworkUtilities

/// Compares HTTP/1.1, HTTP/2 and HTTP/3 with the same server, Caddy: small requests, and a large response.
///
/// The server in C has no QUIC. HTTP/3 needs a libcurl that has it, and is left out otherwise.
struct VersionsBenchmark: Benchmark {
    let name = "versions"
    let summary = "A small JSON object, and 100 MB, over HTTP/1.1, HTTP/2 and HTTP/3 with TLS from Caddy."

    func run(_ options: Options, _ report: Report) async throws {
        #if os(Linux)
        let bytes = try options.number("megabytes", quick: 10, full: 100) * 1_000_000
        guard Process.succeeds(["/usr/bin/env", "caddy", "version"]) else {
            return report.note("n/a: needs the program caddy.")
        }
        let server = try CaddyServer(bytes: bytes)
        defer { server.stop() }
        let known: [VersionClient] = try [.init("HTTP/1.1", .http1, server), .init("HTTP/2", .negotiated, server)]
        let clients = known + [try? VersionClient("HTTP/3", .http3, server)].compactMap { $0 }
        for client in clients { try await client.probe() }
        let useBefore = MachineUse(server: server.identifier)
        let rounds = try RequestRounds(options, milliseconds: 400)
        var levels: [RequestLevel] = []
        for concurrency in try options.numbers("concurrency", [1, 16, 64]) {
            let target = try RequestTarget(port: server.port, "small", isSecure: true, concurrency: concurrency)
            levels.append(try await rounds.measure(clients.map(\.requests), target))
        }
        let comparison = try Comparison(options, rounds: (2, 9), operations: (1, 1))
        let downloads = try await comparison.measure(clients.map(\.transfer))
        report.note(
            "\(rounds.rounds) interleaved rounds of \(rounds.milliseconds) ms; medians (and quartiles). One server in "
                + "another process, which shares the machine; the default number of connections; logging off."
        )
        MachineUse(server: server.identifier).report(since: useBefore, to: report)
        report.requests(levels)
        report.note("\(bytes / 1_000_000) MB, read as a stream, \(comparison.rounds) interleaved rounds:")
        let rows = downloads.map { result in
            [
                result.name, format(Double(bytes) * 1_000 / result.median, digits: 0),
                format(downloads[0].nanoseconds.medianRatio(to: result.nanoseconds), digits: 2),
                format(result.processorNanoseconds.median / 1_000_000, digits: 0),
            ]
        }
        report.table(["version", "MB/s", "beside \(clients[0].name)", "CPU ms each"], rows)
        for client in clients { client.transport.shutDown() }
        #else
        report.note("n/a: needs CurlTransport, and so Linux.")
        #endif
    }
}

#if os(Linux)
/// A client that uses one version of HTTP.
private struct VersionClient: Sendable {
    let name: String
    let transport: CurlTransport
    let client: NetworkClient
    let small: URL
    let large: URL
    let bytes: Int

    /// Throws an error if libcurl lacks the version.
    init(_ name: String, _ versions: CurlTransport.Versions, _ server: CaddyServer) throws {
        var security = TransportSecurity()
        security.trustRoots = SecureBenchmark.certificates.appendingPathComponent("root.pem")
        var configuration = CurlTransport.Configuration(proxy: .none, security: security)
        configuration.versions = versions
        transport = try CurlTransport(configuration: configuration)
        client = NetworkClient(transport: transport, logging: .off)
        (self.name, bytes) = (name, server.bytes)
        (small, large) = (server.root.appendingPathComponent("small"), server.root.appendingPathComponent("large"))
    }

    /// Waits for the server, and requires that it speaks the version.
    func probe() async throws {
        for _ in 0..<500 {
            if let response = try? await client.fetch(.get(url: small), as: RequestedItem.self) {
                guard response.metrics?.httpVersion == name else { break }
                return
            }
            try await Task.sleep(nanoseconds: 20_000_000)
        }
        throw UsageError("Caddy doesn't respond over \(name)")
    }

    /// Repeats the small request, over connections that this level shares with the others.
    var requests: RequestVariant {
        RequestVariant(name) { _ in
            RequestClient(send: { try await client.fetch(.get(url: small), as: RequestedItem.self).item }) {}
        }
    }

    /// Reads the large response, and keeps nothing of it.
    var transfer: Variant {
        Variant(name) { count in
            for _ in 0..<count {
                var received = 0
                for try await chunk in try await client.stream(.get(url: large)).item { received += chunk.count }
                guard received == bytes else { throw UnexpectedResponse() }
            }
        }
    }
}

/// Caddy with the certificate of the library's tests, which serves a small object and a large file.
private final class CaddyServer: Sendable {
    let port: UInt16
    let bytes: Int
    let root: URL
    private let process: Process
    private let folder: URL

    var identifier: Int32 { process.processIdentifier }

    /// Starts the server; it may not listen yet.
    init(bytes: Int) throws {
        self.bytes = bytes
        // A port that is free, since a server has just left it.
        let other = try ServerProcess()
        other.stop()
        port = other.port
        guard let root = URL(string: "https://localhost:\(port)") else { throw URLError(.badURL) }
        self.root = root
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("versions-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(count: bytes).write(to: folder.appendingPathComponent("large"))
        let identity = ["localhost.pem", "localhost.key"].map {
            SecureBenchmark.certificates.appendingPathComponent($0).path
        }
        let configuration = folder.appendingPathComponent("Caddyfile")
        let lines = """
            {
                admin off
                auto_https off
            }
            :\(port) {
                tls \(identity.joined(separator: " "))
                root * \(folder.path)
                respond /small `{"id":1,"name":"something"}`
                file_server
            }
            """
        try Data(lines.utf8).write(to: configuration)
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["caddy", "run", "--adapter", "caddyfile", "--config", configuration.path]
        // Another libcurl is for the client alone.
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "LD_LIBRARY_PATH" }
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }
}
#endif
