import Foundation
import NetworkClient
import Testing

/// A script in `Servers` that runs until it is released, or until the process of the tests ends.
final class ServerProcess: Sendable {
    enum Script: String, Sendable {
        case aiohttp = "aiohttp_server.py"
        case h2 = "h2_server.py"
        case h3 = "h3_server.py"
        case httpbin = "httpbin_server.py"
        case link = "link.py"
        case nginx = "nginx.py"
        case oauth = "oauth.py"
        case peers = "peers.py"
        case tinyproxy = "tinyproxy.py"
        case websockets = "websockets_server.py"
    }

    /// The ports of the server, in the order of its script.
    let ports: [Int]
    /// The working directory of the server, which is removed with it.
    let folder: URL
    /// The script ends with its standard input.
    private let input: FileHandle

    /// Starts a script, and suspends until it listens; a blocked thread would delay other tests.
    static func start(_ script: Script, _ arguments: [String] = []) async throws -> ServerProcess {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try ServerProcess(script, arguments) })
            }
        }
    }

    private init(_ script: Script, _ arguments: [String]) throws {
        let manager = FileManager.default
        folder = manager.temporaryDirectory.appendingPathComponent("integration-\(UUID().uuidString)")
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        let log = folder.appendingPathComponent("log.txt")
        try Data().write(to: log)
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = Self.root.appendingPathComponent(".build-servers/bin/python")
        process.arguments =
            [Self.root.appendingPathComponent("Servers/\(script.rawValue)").path]
            + script.arguments(folder: folder) + arguments
        process.environment = ProcessInfo.processInfo.environment.filter { name, _ in
            // Another libcurl is for the tests alone.
            !name.lowercased().hasSuffix("_proxy") && name != "LD_LIBRARY_PATH"
        }
        process.currentDirectoryURL = folder
        process.standardInput = input
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: log)
        self.input = input.fileHandleForWriting
        do {
            try process.run()
        } catch {
            throw ServerFailure(
                description: "\(script.rawValue) can't be started (see IntegrationTests/install): \(error)"
            )
        }
        ports = Self.ports(in: output.fileHandleForReading, of: process)
        if ports.isEmpty {
            let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            throw ServerFailure(description: "\(script.rawValue) doesn't listen. Its log: \(text)")
        }
    }

    deinit {
        try? input.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Returns the numbers in the line `listening PORT…`; none if the process ends, or says nothing for a minute.
    private static func ports(in output: FileHandle, of process: Process) -> [Int] {
        let identifier = process.processIdentifier
        let alarm = DispatchWorkItem { kill(identifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: alarm)
        defer { alarm.cancel() }
        var line = Data()
        while line.last != 0x0A, let byte = try? output.read(upToCount: 1), !byte.isEmpty { line += byte }
        let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return words.first == "listening" ? words.dropFirst().compactMap { Int($0) } : []
    }

    /// The contents of the log.
    var log: String { (try? String(contentsOf: folder.appendingPathComponent("log.txt"), encoding: .utf8)) ?? "" }

    /// Returns a URL of the server.
    func url(_ path: String, scheme: String = "http", host: String = "127.0.0.1", port: Int = 0) throws -> URL {
        try URL(http: "\(scheme)://\(host):\(ports[port])\(path)")
    }

    /// The folder of this package.
    static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder with the certificates of the tests.
    static let fixtures = root.deletingLastPathComponent().appendingPathComponent(
        "Tests/NetworkTestSupport/TLS/Fixtures"
    )

    @TaskLocal fileprivate static var running: [Script: ServerProcess] = [:]

    /// Returns the server that the suite of the test has started.
    static func of(_ script: Script) throws -> ServerProcess { try #require(running[script]) }
}

extension ServerProcess.Script {
    fileprivate func arguments(folder: URL) -> [String] {
        switch self {
        case .nginx: [folder.path, ServerProcess.fixtures.path]
        case .h2, .h3, .websockets: [ServerProcess.fixtures.path]
        case .link, .tinyproxy: [folder.path]
        case .aiohttp, .httpbin, .oauth, .peers: []
        }
    }
}

/// A server that could not be started.
struct ServerFailure: Error, CustomStringConvertible {
    let description: String
}

/// Runs a server for all tests of a suite.
struct ServerTrait: SuiteTrait, TestScoping {
    let script: ServerProcess.Script

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        var running = ServerProcess.running
        running[script] = try await ServerProcess.start(script)
        try await ServerProcess.$running.withValue(running, operation: function)
    }
}

extension Trait where Self == ServerTrait {
    static func server(_ script: ServerProcess.Script) -> Self { ServerTrait(script: script) }
}

extension NetworkClient {
    /// A client with its own connections, which trusts the authority of the tests and uses no proxy.
    static func forTests(
        _ interceptors: [any InterceptorProtocol] = [],
        security: TransportSecurity = .ofTests,
        configuration: Configuration = Configuration()
    ) throws -> NetworkClient {
        #if os(Linux)
        let transport = try CurlTransport(configuration: .init(proxy: .none, security: security))
        #else
        let transport = try URLSessionTransport(security: security)
        #endif
        return NetworkClient(transport: transport, interceptors: interceptors, configuration: configuration)
    }
}

extension TransportSecurity {
    static let ofTests = TransportSecurity(trustRoots: ServerProcess.fixtures.appendingPathComponent("root.pem"))
}

/// Returns the error of an operation that has to fail.
func failure(
    _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    of operation: () async throws -> Void
) async throws -> NetworkClient.Error {
    let error = await #expect(throws: NetworkClient.Error.self, comment, sourceLocation: sourceLocation) {
        try await operation()
    }
    return try #require(error, sourceLocation: sourceLocation)
}
