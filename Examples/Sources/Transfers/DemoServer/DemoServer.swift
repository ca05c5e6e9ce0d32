import ExampleServer
import FlyingFox
import Foundation

/// A server with a large file, which also counts what it is sent, and says things slowly.
enum DemoServer {
    /// 64 MB in numbered blocks, of which only one is computed: 0.6 µs for each byte, in a debug build, would be 39 s.
    static let content: Data = {
        let block = Data((8..<64_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        var content = Data(capacity: 64_000_000)
        for number in 0..<1_000 {
            withUnsafeBytes(of: Int64(number)) { content.append(contentsOf: $0) }
            content.append(block)
        }
        return content
    }()

    static func run(_ body: (URL) async throws -> Void) async throws {
        try await ExampleServer.run(addingRoutes: addRoutes, body)
    }

    private static func addRoutes(to server: HTTPServer) async {
        let file = FlakyFile(content: content)
        await server.appendRoute("GET /large") { request in await file.answer(request) }
        await server.appendRoute("PUT /upload") { request in try await count(request) }
        await server.appendRoute("GET /lines") { _ in
            let lines = HTTPBodySequence(from: SlowLines())
            return HTTPResponse(statusCode: .ok, headers: [.contentType: "text/plain"], body: lines)
        }
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
