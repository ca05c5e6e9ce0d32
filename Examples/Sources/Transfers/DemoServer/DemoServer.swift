import FlyingFox
import FlyingSocks
import Foundation

/// A server on the loopback with a large file, so that nothing here needs a network.
enum DemoServer {
    static let content = Data((0..<64_000_000).lazy.map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

    /// Starts a server on a free port, gives its URL to `body`, and stops it again.
    static func run(_ body: (URL) async throws -> Void) async throws {
        let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
        let file = FlakyFile(content: content)
        await server.appendRoute("GET /large") { request in await file.answer(request) }
        await server.appendRoute("PUT /upload") { request in try await count(request) }
        await server.appendRoute("GET /lines") { _ in
            let lines = HTTPBodySequence(from: SlowLines())
            return HTTPResponse(statusCode: .ok, headers: [.contentType: "text/plain"], body: lines)
        }
        async let running: Void = server.run()
        try await server.waitUntilListening()
        guard case .ip4(let host, let port) = await server.listeningAddress,
            let url = URL(string: "http://\(host):\(port)")
        else { throw SocketError.unsupportedAddress }
        do {
            try await body(url)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        // Stopped on purpose, which `run` reports as an error.
        _ = try? await running
    }

    private static func count(_ request: HTTPRequest) async throws -> HTTPResponse {
        var count = 0
        for try await chunk in request.bodySequence { count += chunk.count }
        let text = "\(count) bytes received"
        return HTTPResponse(
            statusCode: .ok,
            headers: [.contentType: "text/plain", .connection: "close"],
            body: Data(text.utf8)
        )
    }
}
