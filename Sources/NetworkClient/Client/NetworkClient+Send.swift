public import NetworkUtilities

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension NetworkClient {
    /// A builder for requests to this client, which begins at the configuration's base URL.
    ///
    /// Without a base URL its requests have relative URLs, which a client with a base URL can send.
    public var request: URLRequest.PathBuilder { URLRequest.builder(baseURL: configuration.baseURL ?? Self.anyBase) }

    private static let anyBase = URL(string: "/") ?? URL(fileURLWithPath: "/")

    /// Sends the request of an endpoint.
    ///
    /// - Returns: The endpoint's value, the status and the header fields.
    /// - Throws: As the overload of `fetch` that decodes, and the errors of the endpoint.
    @discardableResult
    public func send<E: Endpoint>(_ endpoint: E) async throws -> Response<E.Value> {
        let (request, options) = (try makeRequest(of: endpoint), endpoint.options)
        return try await observed(request) { call in
            do {
                let response: Response<E.Response> = try await decoded(request, options, nil, call)
                return try await response.map { _ in try await endpoint.value(from: response) }
            } catch let error as NetworkClient.Error {
                throw (endpoint as? any FailedResponseReader)?.error(for: error) ?? error
            }
        }
    }

    private func makeRequest(of endpoint: some Endpoint) throws -> URLRequest {
        do {
            return try endpoint.request(from: request)
        } catch let error as BodyEncodingError {
            throw Error.encodingError(type: error)
        }
    }

    /// Sends the request of an endpoint, and returns its value alone.
    ///
    /// - Throws: As ``send(_:)``.
    public func value<E: Endpoint>(of endpoint: E) async throws -> E.Value { try await send(endpoint).item }
}
