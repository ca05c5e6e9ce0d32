import ExampleServer
import FlyingFox
import Foundation

/// A server with a redirect, a compressed and a slow response, and an upload that is counted.
enum DemoServer {
    /// `["tea","coffee"]` in gzip.
    private static let items = Data(base64Encoded: "H4sIAAAAAAACA4tWKklNVNJRSs5PS0tNVYoFAPe9zTEQAAAA")

    static func run(_ body: @Sendable (URL) async throws -> Void) async throws {
        try await ExampleServer.run(addingRoutes: addRoutes, body)
    }

    private static func addRoutes(to server: HTTPServer) async {
        await server.appendRoute("GET /old") { _ in
            let headers: HTTPHeaders = [.location: "/items"]
            return HTTPResponse(statusCode: .found, headers: headers)
        }
        await server.appendRoute("GET /items") { _ in
            let headers: HTTPHeaders = [.contentType: "application/json", .contentEncoding: "gzip"]
            return HTTPResponse(statusCode: .ok, headers: headers, body: items ?? Data())
        }
        await server.appendRoute("PUT /upload", handler: count)
        await server.appendRoute("POST /upload", handler: count)
        await server.appendRoute("GET /lines") { _ in .slowLines }
        await server.appendRoute("GET /slow") { _ in
            try await Task.sleep(for: .seconds(60))
            return text("too late")
        }
    }

    private static func count(_ request: HTTPRequest) async throws -> HTTPResponse {
        var count = 0
        for try await chunk in request.bodySequence { count += chunk.count }
        return text("\(count) bytes, length \(request.headers[.contentLength] ?? "unknown")")
    }

    private static func text(_ text: String) -> HTTPResponse {
        HTTPResponse(statusCode: .ok, headers: [.contentType: "text/plain"], body: Data(text.utf8))
    }
}
