public import Foundation
public import NetworkUtilities

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension NetworkClient {
    /// What can go wrong with a call, besides cancellation (`CancellationError`) and what interceptors throw.
    public enum Error: Swift.Error, Sendable {
        /// The server answered with a status that the call does not accept (by default any but 200…299).
        case apiError(response: HTTPURLResponse, data: Data)

        /// The body of an accepted answer is not what the caller asked for.
        case decodingError(type: DecodingError)

        /// The request names no place that can be reached by HTTP.
        case invalidUrl(originalUrl: String)

        /// What answered is not HTTP.
        case invalidResponse

        /// The body of the request could not be made.
        case encodingError(type: BodyEncodingError)

        /// The exchange with the server failed, or could not begin.
        case requestError(type: TransportError)
    }
}
