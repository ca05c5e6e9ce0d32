import FlyingFox
import Foundation

extension HTTPResponse {
    /// An answer in JSON, on a connection that ends with it: the server writes head and body apart, and on an older
    /// connection the body would wait some 40 ms for the head to be acknowledged.
    static func json(_ value: some Encodable, status: HTTPStatusCode = .ok) throws -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return HTTPResponse(
            statusCode: status,
            headers: [.contentType: "application/json", .connection: "close"],
            body: try encoder.encode(value)
        )
    }

    /// An answer with the request beside the value.
    static func reply(
        _ value: some Codable & Sendable,
        to request: HTTPRequest,
        status: HTTPStatusCode = .ok
    ) async throws -> HTTPResponse {
        try .json(Reply(value: value, seen: await SeenRequest(request)), status: status)
    }
}
