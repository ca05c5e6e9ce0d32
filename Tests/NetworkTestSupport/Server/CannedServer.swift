public import Foundation

/// A ``LoopbackServer`` for tests that see no more of the package than its users do: hence public.
public final class CannedServer: Sendable {
    /// A request as it arrived.
    public struct Request: Sendable {
        /// The token of the request line.
        public let method: String
        /// Path and query, not decoded.
        public let target: String
        /// By name in lower case, the first of each.
        public let headers: [String: String]
        /// The content as text.
        public let body: String
    }

    private let server: LoopbackServer

    /// Answers with JSON, by method and path as in `"POST /items"`, and with 404 to everything else.
    public init(_ answers: [String: String]) throws {
        server = try LoopbackServer { request in
            guard let json = answers["\(request.method) \(request.path)"] else { return .json("{}", status: 404) }
            return json.isEmpty ? .respond(status: 204) : .json(json)
        }
    }

    /// Scheme, host and port.
    public var url: URL { server.url }

    /// The address of a path and query, which must be valid in a URL as they are.
    public func url(_ path: String) -> URL { server.url(path) }

    /// Every request in the order in which they arrived.
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
