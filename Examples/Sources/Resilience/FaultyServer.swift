import ExampleServer
import FlyingFox
import Foundation

/// A server that has a bad day: it is overloaded, and its tokens expire.
actor FaultyServer {
    private static let busyHeaders: HTTPHeaders = [HTTPHeader("Retry-After"): "1"]

    private var calls = 0
    private var token = "first"

    static func run(_ body: (URL) async throws -> Void) async throws {
        try await ExampleServer.run(addingRoutes: addRoutes, body)
    }

    private static func addRoutes(to server: HTTPServer) async {
        let faulty = FaultyServer()
        await server.appendRoute("GET /items") { request in await faulty.items(request) }
        await server.appendRoute("POST /token") { request in try await faulty.refresh(request) }
    }

    /// Responds with 503 to the first two requests, and with 401 to the third one, whose token has expired by then.
    private func items(_ request: HTTPRequest) -> HTTPResponse {
        calls += 1
        switch calls {
        case 1: return HTTPResponse(statusCode: .serviceUnavailable, headers: Self.busyHeaders)
        case 2: return HTTPResponse(statusCode: .serviceUnavailable)
        case 3: token = "second"
        default: break
        }
        guard request.headers[.authorization] == "Bearer \(token)" else {
            return HTTPResponse(statusCode: .unauthorized)
        }
        return HTTPResponse(
            statusCode: .ok,
            headers: [.contentType: "application/json"],
            body: Data(#"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#.utf8)
        )
    }

    private func refresh(_ request: HTTPRequest) async throws -> HTTPResponse {
        let body = try await request.bodyData
        guard String(decoding: body, as: UTF8.self) == "refresh_token=secret" else {
            return HTTPResponse(statusCode: .badRequest)
        }
        let json = #"{"access_token":"\#(token)","expires_in":3600}"#
        return HTTPResponse(statusCode: .ok, headers: [.contentType: "application/json"], body: Data(json.utf8))
    }
}
