import ExampleServer
import FlyingFox
import Foundation

/// A server whose first token has expired.
actor TokenServer {
    private(set) var refusals = 0
    private(set) var refreshes = 0

    static func run(_ body: (URL, TokenServer) async throws -> Void) async throws {
        let tokens = TokenServer()
        func addRoutes(to server: HTTPServer) async {
            await server.appendRoute("GET /account") { request in await tokens.account(request) }
            await server.appendRoute("POST /token") { _ in await tokens.refresh() }
        }
        try await ExampleServer.run(addingRoutes: addRoutes) { url in try await body(url, tokens) }
    }

    func account(_ request: HTTPRequest) -> HTTPResponse {
        guard request.headers[.authorization] == "Bearer new" else {
            refusals += 1
            return HTTPResponse(statusCode: .unauthorized)
        }
        return HTTPResponse(statusCode: .ok, headers: [.contentType: "text/plain"], body: Data("welcome".utf8))
    }

    func refresh() -> HTTPResponse {
        refreshes += 1
        return HTTPResponse(statusCode: .ok, headers: [.contentType: "text/plain"], body: Data("new".utf8))
    }
}
