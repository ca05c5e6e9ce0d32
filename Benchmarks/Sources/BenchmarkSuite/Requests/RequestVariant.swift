public import Foundation
import NetworkClient

/// One way of making requests.
public struct RequestVariant: Sendable {
    let name: String

    /// Makes the client for one number of concurrent requests.
    let prepare: @Sendable (RequestTarget) async throws -> RequestLoad

    /// Creates a variant from a closure that makes a client, once for each number of concurrent requests.
    public init(_ name: String, client: @escaping @Sendable (RequestTarget) async throws -> RequestClient) {
        self.name = name
        prepare = { target in
            let client = try await client(target)
            return RequestLoad(
                run: { deadline in
                    try await withThrowingTaskGroup(of: [UInt32].self) { group in
                        for _ in 0..<target.concurrency {
                            group.addTask(executorPreference: client.executor()) {
                                try await client.repeatRequest(until: deadline)
                            }
                        }
                        return try await group.reduce(into: []) { $0 += $1 }
                    }
                },
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

    static let sessionTransport = RequestVariant("fetch, URLSessionTransport") { target in
        let transport = URLSessionTransport(session: makeSession(target))
        return fetching(target, transport) { transport.shutDown() }
    }

    #if os(Linux)
    static let curlTransport = RequestVariant("fetch, CurlTransport") { target in
        let transport = try makeCurlTransport(target)
        return fetching(target, transport) { transport.shutDown() }
    }

    /// The same requests from tasks on the threads that receive the responses.
    static let curlExecutor = RequestVariant("fetch, CurlTransport.executor") { target in
        let transport = try makeCurlTransport(target)
        var client = fetching(target, transport) { transport.shutDown() }
        client.executor = { transport.executor }
        return client
    }

    /// The same response as a stream, whose body is read as a whole, as a gateway or a generated client does.
    static let curlStream = RequestVariant("stream, CurlTransport") { target in
        let transport = try makeCurlTransport(target)
        let client = NetworkClient(transport: transport, logging: .off)
        let request = URLRequest(url: target.url)
        let send: @Sendable () async throws -> RequestedItem = {
            let response = try await client.stream(request)
            guard target.isPage else { return try await response.item.decoded() }
            return try await response.item.decoded(as: RequestedPage.self).item
        }
        return RequestClient(send: send) { transport.shutDown() }
    }

    private static func makeCurlTransport(_ target: RequestTarget) throws -> CurlTransport {
        try target.isSecure ? CurlTransport() : CurlTransport(configuration: .init(connectionsPerHost: 512))
    }
    #endif

    /// URLSession as most programs use it: with a cache, with cookies, and with at most six connections.
    static let sharedSession = RequestVariant("URLSession.shared.data(for:)") { target in
        awaiting(target, .shared) {}
    }

    /// The upper bound: libcurl and one thread in C, without decoding.
    static let curlInC = RequestVariant(
        "libcurl in C, poll",
        prepare: { try RequestLoad.curlInC($0.port, path: "/small", bodyBytes: 27, connections: $0.concurrency) }
    )

    private static func awaiting(
        _ target: RequestTarget,
        _ session: URLSession,
        end: @escaping @Sendable () -> Void
    ) -> RequestClient {
        let request = URLRequest(url: target.url)
        let decoder = JSONDecoder()
        let send: @Sendable () async throws -> RequestedItem = {
            let (data, response) = try await session.data(for: request)
            guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw UnexpectedResponse() }
            return try target.decode(data, decoder)
        }
        return RequestClient(send: send, end: end)
    }

    private static func fetching(
        _ target: RequestTarget,
        _ transport: any Transport,
        end: @escaping @Sendable () -> Void
    ) -> RequestClient {
        let client = NetworkClient(transport: transport, logging: .off)
        let request = URLRequest(url: target.url)
        let send: @Sendable () async throws -> RequestedItem = {
            if target.isPage {
                let response: NetworkClient.Response<RequestedPage> = try await client.fetch(request: request)
                return response.item.item
            }
            let response: NetworkClient.Response<RequestedItem> = try await client.fetch(request: request)
            return response.item
        }
        return RequestClient(send: send, end: end)
    }

    /// Makes a session without the cache and cookies that other variants lack.
    private static func makeSession(_ target: RequestTarget) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        if !target.isSecure { configuration.httpMaximumConnectionsPerHost = target.concurrency }
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
    }
}

/// A client that repeats one request.
public struct RequestClient: Sendable {
    let send: @Sendable () async throws -> RequestedItem
    let end: @Sendable () async throws -> Void
    /// Returns the executor of a task that repeats the request; nil for the default one.
    var executor: @Sendable () -> (any TaskExecutor)? = { nil }

    /// Creates a client that makes one request and decodes the response with `send`, and is closed with `end`.
    public init(
        send: @escaping @Sendable () async throws -> RequestedItem,
        end: @escaping @Sendable () async throws -> Void
    ) {
        self.send = send
        self.end = end
    }

    fileprivate func repeatRequest(until deadline: UInt64) async throws -> [UInt32] {
        var latencies: [UInt32] = []
        latencies.reserveCapacity(4_096)
        var start = Clocks.elapsed
        repeat {
            guard try await send() == .expected else { throw UnexpectedResponse() }
            let end = Clocks.elapsed
            latencies.append(UInt32(clamping: end - start))
            start = end
        } while start < deadline
        return latencies
    }
}

/// The URL that is requested, and the number of concurrent requests.
public struct RequestTarget: Sendable {
    /// The URL of a JSON object.
    public let url: URL

    /// The number of concurrent requests; without TLS, a client should keep as many connections.
    public let concurrency: Int

    /// Whether the server has TLS; variants have their default settings then, and as many connections as these permit.
    public let isSecure: Bool

    let port: UInt16
    let isPage: Bool

    init(_ server: ServerProcess, _ path: String, isSecure: Bool = false, concurrency: Int) throws {
        try self.init(port: server.port, path, isSecure: isSecure, concurrency: concurrency)
    }

    init(port: UInt16, _ path: String, isSecure: Bool, concurrency: Int) throws {
        let scheme = isSecure ? "https" : "http"
        guard let url = URL(string: "\(scheme)://127.0.0.1:\(port)/\(path)") else { throw URLError(.badURL) }
        (self.url, self.port, self.concurrency, self.isSecure) = (url, port, concurrency, isSecure)
        isPage = path == "page"
    }

    /// Decodes the body of a response of this URL.
    public func decode(_ data: Data, _ decoder: JSONDecoder) throws -> RequestedItem {
        guard isPage else { return try decoder.decode(RequestedItem.self, from: data) }
        return try decoder.decode(RequestedPage.self, from: data).item
    }
}

/// The 10 KB in the server's response to `/page`.
private struct RequestedPage: Codable, Sendable {
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
    let id: Int
    let name: String

    static let expected = RequestedItem(id: 1, name: "something")
}

/// A response that isn't the one that the server sends.
struct UnexpectedResponse: Error {}
