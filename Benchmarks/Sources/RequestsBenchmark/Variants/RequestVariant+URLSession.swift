import Foundation
import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension RequestVariant {
    /// What the others are compared with: URLSession and a decoder by hand, and nothing that costs time besides.
    static let session = RequestVariant("URLSession.data(for:)") { target in
        let session = makeSession(target)
        return awaiting(target, session) { session.invalidateAndCancel() }
    }

    /// As most programs have it: with a cache, with cookies, and with no more than six connections.
    static let sharedSession = RequestVariant("URLSession.shared.data(for:)") { target in
        awaiting(target, .shared) {}
    }

    private static func awaiting(
        _ target: RequestTarget,
        _ session: URLSession,
        end: @escaping @Sendable () -> Void
    ) -> RequestClient {
        let request = URLRequest(url: target.url)
        let decoder = JSONDecoder()
        return RequestClient {
            let (data, response) = try await session.data(for: request)
            guard let response = response as? HTTPURLResponse, response.statusCode == 200 else {
                throw UnexpectedAnswer()
            }
            return try decoder.decode(RequestedItem.self, from: data)
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
            let response: NetworkClient.Response<RequestedItem> = try await client.fetch(request: request)
            return response.item
        } end: {
            end()
        }
    }

    /// Without what costs time and the others don't have, and with a connection for each request.
    private static func makeSession(_ target: RequestTarget) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = target.concurrency
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
    }
}
