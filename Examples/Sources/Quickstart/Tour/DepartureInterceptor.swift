import Foundation
import NetworkClient

/// Signals that a call has passed the interceptors.
struct DepartureInterceptor: InterceptorProtocol {
    let departures: AsyncStream<Void>.Continuation

    func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        departures.yield()
        return try await next(request)
    }
}
