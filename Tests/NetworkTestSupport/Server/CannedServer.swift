public import Foundation

/// A ``LoopbackServer`` for tests without access to `package` declarations, so it is public.
public final class CannedServer: Sendable {
    /// A request as it was received.
    public struct Request: Sendable {
        /// The method in the request line.
        public let method: String
        /// The path and the query, not decoded.
        public let target: String
        /// The first field of each name, by lowercase name.
        public let headers: [String: String]
        /// The content as text.
        public let body: String
    }

    private let server: LoopbackServer

    /// Creates a server with JSON responses by method and path, as in `"POST /items"`; other requests receive 404.
    public init(_ answers: [String: String]) throws {
        server = try LoopbackServer { request in
            guard let json = answers["\(request.method) \(request.path)"] else { return .json("{}", status: 404) }
            return json.isEmpty ? .respond(status: 204) : .json(json)
        }
    }

    /// The URL of the server: scheme, host and port.
    public var url: URL { server.url }

    /// Returns the URL of a path and query, which must already be escaped.
    public func url(_ path: String) -> URL { server.url(path) }

    /// All requests in the order of arrival.
    public var requests: [Request] {
        server.requests.map { request in
            let headers = request.headers.map { ($0.name.lowercased(), $0.value) }
            return Request(
                method: request.method,
                target: request.target,
                headers: Dictionary(headers) { first, _ in first },
                body: request.bodyText
            )
        }
    }
}
