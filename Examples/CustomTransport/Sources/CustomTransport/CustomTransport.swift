import Foundation
import Logging
import NetworkClient
import NetworkUtilities

/// A client that sends with AsyncHTTPClient and logs with swift-log: nothing else in its use changes.
@main
struct CustomTransport {
    /// A result that differs from the expected one.
    private struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    private let server: URL
    private let client: NetworkClient

    static func main() async {
        // Once in a process; a server has already done it.
        LoggingSystem.bootstrap(StreamLogHandler.standardOutput)
        let transport = AsyncHTTPClientTransport()
        let log = SwiftLogStream(logger: Logger(label: "shop"))
        // Each exchange is logged as it is sent, redirects and retries included.
        let client = NetworkClient(transport: transport, logging: DefaultLogger(tag: "", logStream: log))
        do {
            try await DemoServer.run { try await CustomTransport(server: $0, client: client).run() }
            try await transport.shutDown()
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
            exit(EXIT_FAILURE)
        }
    }

    private func run() async throws {
        try await followARedirect()
        try await upload()
        try await stream()
        try await fail()
        try await cancel()
    }

    /// The client follows the redirect, and gets a body in gzip that AsyncHTTPClient has decoded.
    private func followARedirect() async throws {
        let items = try await client.fetch(.get(url: url("old")), as: [String].self)
        try expect("items", items.item, is: ["tea", "coffee"])
        try expect("redirects", items.metrics?.redirects, is: 1)
    }

    /// A file is sent with its length, a sequence of unknown length in chunks.
    private func upload() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "transport-\(UUID().uuidString).bin")
        try Data(count: 8_000_000).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let put = try URLRequest.put(url: url("upload")).bodyFile(at: file)
        try expect("file", try await client.fetch(put, as: String.self).item, is: "8000000 bytes, length 8000000")

        let numbers = AsyncStream { chunk in
            for number in 1...3 { chunk.yield(Data("\(number)\n".utf8)) }
            chunk.finish()
        }
        let post = URLRequest.post(url: url("upload")).bodyStream(numbers)
        try expect("sequence", try await client.fetch(post, as: String.self).item, is: "6 bytes, length unknown")
    }

    /// The lines of a response are printed as they arrive.
    private func stream() async throws {
        let response = try await client.stream(.get(url: url("lines")))
        var count = 0
        for try await line in response.item.lines {
            print("                         \(line)")
            count += 1
        }
        try expect("lines", count, is: 5)
    }

    /// Failures have the reasons by which retries and circuit breakers decide.
    private func fail() async throws {
        let slow = URLRequest.get(url: url("slow")).idleTimeout(0.2)
        try expect("reason", await reason { try await client.fetch(slow, as: String.self) }, is: .timedOut)
        guard let closed = URL(string: "http://127.0.0.1:1/") else { return }
        try expect(
            "reason",
            await reason { try await client.fetch(.get(url: closed), as: Data.self) },
            is: .connectionRefused
        )
    }

    /// A cancelled call ends at once, and so does its exchange.
    private func cancel() async throws {
        let call = Task { try await client.fetch(.get(url: url("slow")), as: String.self).item }
        try await Task.sleep(for: .milliseconds(50))
        call.cancel()
        guard case .failure(let error) = await call.result, error is CancellationError else {
            throw Difference(description: "The call should have been cancelled.")
        }
    }

    private func url(_ path: String) -> URL { server.appendingPathComponent(path) }

    private func reason<Value>(of call: () async throws -> Value) async -> TransportError.Reason? {
        do {
            _ = try await call()
            return nil
        } catch NetworkClient.Error.requestError(let error) {
            return error.reason
        } catch {
            return .other
        }
    }

    private func expect<Value: Equatable>(_ what: String, _ found: Value?, is expected: Value) throws {
        guard found != expected else { return }
        let value = found.map { "\($0)" } ?? "missing"
        throw Difference(description: "\(what) should be \(expected), but is \(value).")
    }
}
