import Foundation

@testable import NetworkClient

/// Sends a request again, a few times, when the connection was lost.
struct PersistentInterceptor: InterceptorProtocol {
    func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
        for _ in 0..<5 {
            do {
                return try await next(request)
            } catch let error as NetworkClient.Error where error.reason == .connectionLost {
                continue
            }
        }
        return try await next(request)
    }
}
