import Foundation
import NetworkClient

/// Sends the requests of http-tests/cache-tests through a client with a cache, for `scripts/cache-score`.
///
/// The first line of the output is the name of the transport. After that each line of the input is a request, and each
/// line of the output the response to one; requests are sent concurrently.
@main
enum CacheScore {
    static func main() throws {
        let sender = try Sender(usesURLSession: CommandLine.arguments.contains("--session"))
        let output = Output()
        // Detached, since the thread of the main actor waits for the input.
        Task.detached { try await output.write(["transport": sender.transportName]) }
        while let line = readLine() {
            let request = try JSONDecoder().decode(ScoredRequest.self, from: Data(line.utf8))
            Task.detached { try await output.write(await sender.response(to: request)) }
        }
    }
}

/// One line of the input.
struct ScoredRequest: Decodable, Sendable {
    let id: Int
    let method: String
    let url: URL
    /// Names and values, in their order.
    let headers: [[String]]
    let body: Data?
    /// Whether a new connection is used, on which nothing is repeated when the server closes it.
    let needsConnection: Bool
}

/// One line of the output.
struct ScoredResponse: Encodable, Sendable {
    let id: Int
    var status: Int?
    /// Names and values, in their order and with duplicates.
    var headers: [[String]]?
    var body: Data?
    /// The description of the error that the client threw instead of returning a response.
    var error: String?
}

struct Sender: Sendable {
    private let usesURLSession: Bool
    private let configuration: NetworkClient.Configuration
    private let client: NetworkClient

    init(usesURLSession: Bool) throws {
        self.usesURLSession = usesURLSession
        configuration = NetworkClient.Configuration {
            $0.acceptedStatuses = .all
            $0.redirects = .never
            $0.cache = ResponseCache()
        }
        client = NetworkClient(transport: try Self.transport(usesURLSession), configuration: configuration)
    }

    var transportName: String { client.transport.description }

    func response(to request: ScoredRequest) async -> ScoredResponse {
        var sent = URLRequest(url: request.url)
        sent.httpMethod = request.method
        sent.httpBody = request.body
        for header in request.headers { sent.addValue(header[1], forHTTPHeaderField: header[0]) }
        do {
            let client = request.needsConnection ? try clientWithoutConnections() : client
            let response = try await client.fetch(request: sent, as: Data.self)
            return ScoredResponse(
                id: request.id,
                status: response.statusCode,
                headers: response.fields.map { [$0.name, $0.value] },
                body: response.item
            )
        } catch {
            return ScoredResponse(id: request.id, error: "\(error)")
        }
    }

    /// A client with the same cache.
    private func clientWithoutConnections() throws -> NetworkClient {
        NetworkClient(transport: try Self.transport(usesURLSession), configuration: configuration)
    }

    private static func transport(_ usesURLSession: Bool) throws -> any Transport {
        #if os(Linux)
        if !usesURLSession { return try CurlTransport() }
        #endif
        return URLSessionTransport()
    }
}

actor Output {
    func write(_ line: some Encodable & Sendable) throws {
        FileHandle.standardOutput.write(try JSONEncoder().encode(line) + Data("\n".utf8))
    }
}
