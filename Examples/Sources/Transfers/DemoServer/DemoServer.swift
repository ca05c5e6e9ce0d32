import ExampleServer
import FlyingFox
import Foundation

/// A server with a large file, which also counts what it is sent, and says things slowly.
enum DemoServer {
    static let content = Data((0..<64_000_000).lazy.map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

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
