public import Foundation
import NetworkClient

/// One way of making requests.
public struct RequestVariant: Sendable {
    /// The name of the library with its default transport on Linux.
    public static let curlTransportName = "fetch, CurlTransport"

    /// The name in the report.
    public let name: String

    let prepare: @Sendable (RequestTarget) async throws -> RequestLoad

    /// Creates a variant from a closure that makes a client, once for each number of concurrent requests.
    public init(_ name: String, client: @escaping @Sendable (RequestTarget) async throws -> RequestClient) {
        self.name = name
        prepare = { target in
            let client = try await client(target)
            return RequestLoad(
                run: { try await Awaited(concurrency: target.concurrency, send: client.send).run(until: $0) },
                end: client.end
            )
        }
    }

    init(_ name: String, prepare: @escaping @Sendable (RequestTarget) async throws -> RequestLoad) {
        self.name = name
        self.prepare = prepare
    }
}

extension RequestVariant {
    /// The reference for ratios: URLSession without a cache or cookies, and a decoder.
    static let session = RequestVariant("URLSession.data(for:)") { target in
        let session = makeSession(target)
        return awaiting(target, session) { session.invalidateAndCancel() }
    }

    /// URLSession as most programs use it: with a cache, with cookies, and with at most six connections.
    static let sharedSession = RequestVariant("URLSession.shared.data(for:)") { target in
        awaiting(target, .shared) {}
    }

    static func awaiting(
        _ target: RequestTarget,
        _ session: URLSession,
        end: @escaping @Sendable () -> Void
    ) -> RequestClient {
        let request = URLRequest(url: target.url)
        let decoder = JSONDecoder()
        return RequestClient {
            let (data, response) = try await session.data(for: request)
            guard let response = response as? HTTPURLResponse, response.statusCode == 200 else {
                throw UnexpectedResponse()
            }
            return try target.decode(data, decoder)
        } end: {
            end()
        }
    }

    static let sessionTransport = RequestVariant("fetch, URLSessionTransport") { target in
        let transport = URLSessionTransport(session: makeSession(target))
        return fetching(target, transport) { transport.shutDown() }
    }

    static func fetching(
        _ target: RequestTarget,
        _ transport: any Transport,
        end: @escaping @Sendable () -> Void
    ) -> RequestClient {
        let client = NetworkClient(transport: transport, logging: .off)
        let request = URLRequest(url: target.url)
        return RequestClient {
            if target.isPage {
                let response: NetworkClient.Response<RequestedPage> = try await client.fetch(request: request)
                return response.item.item
            }
            let response: NetworkClient.Response<RequestedItem> = try await client.fetch(request: request)
            return response.item
        } end: {
            end()
        }
    }

    /// Makes a session without the cache and cookies that other variants lack, and with a connection for each request.
    private static func makeSession(_ target: RequestTarget) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = target.concurrency
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
    }
}

#if os(Linux)
extension RequestVariant {
    static let curlTransport = RequestVariant(curlTransportName) { target in
        let transport = try CurlTransport(configuration: .init(connectionsPerHost: 512))
        return fetching(target, transport) { transport.shutDown() }
    }
}
#endif

/// A client that repeats one request.
public struct RequestClient: Sendable {
    let send: @Sendable () async throws -> RequestedItem
    let end: @Sendable () async throws -> Void

    /// Creates a client from its two operations.
    ///
    /// - Parameters:
    ///   - send: Makes one request and decodes the response.
    ///   - end: Closes the client.
    public init(
        send: @escaping @Sendable () async throws -> RequestedItem,
        end: @escaping @Sendable () async throws -> Void
    ) {
        self.send = send
        self.end = end
    }
}

/// The URL that is requested, and the number of concurrent requests.
public struct RequestTarget: Sendable {
    /// The URL of a JSON object.
    public let url: URL

    /// The number of concurrent requests; without TLS, a client should keep as many connections.
    public let concurrency: Int

    let port: UInt16
    let isPage: Bool

    /// Creates a target at the paths `/page` or `/small`, without TLS.
    init(port: UInt16, concurrency: Int, isPage: Bool) throws {
        let path = isPage ? "page" : "small"
        try self.init("http://127.0.0.1:\(port)/\(path)", port, concurrency, isPage: isPage)
    }

    /// Creates a target with TLS.
    init(port: UInt16, securePath path: String, concurrency: Int) throws {
        try self.init("https://127.0.0.1:\(port)/\(path)", port, concurrency, isPage: false)
    }

    private init(_ url: String, _ port: UInt16, _ concurrency: Int, isPage: Bool) throws {
        guard let url = URL(string: url) else { throw URLError(.badURL) }
        self.url = url
        self.port = port
        self.concurrency = concurrency
        self.isPage = isPage
    }

    /// Whether the server has TLS; variants have their default settings then, and as many connections as these permit.
    public var isSecure: Bool { url.scheme == "https" }

    /// Decodes the body of a response of this URL.
    public func decode(_ data: Data, _ decoder: JSONDecoder) throws -> RequestedItem {
        guard isPage else { return try decoder.decode(RequestedItem.self, from: data) }
        return try decoder.decode(RequestedPage.self, from: data).item
    }
}

/// The 10 KB in the server's response to `/page`.
struct RequestedPage: Codable, Sendable {
    /// One of the rows.
    struct Row: Codable, Sendable {
        let id: Int
        let name: String
        let price: Double
        let isActive: Bool
        let tags: [String]
    }

    let item: RequestedItem
    let rows: [Row]
}

/// The value in the server's responses.
public struct RequestedItem: Codable, Equatable, Sendable {
    /// A number.
    public let id: Int

    /// A text.
    public let name: String

    static let expected = RequestedItem(id: 1, name: "something")
}
