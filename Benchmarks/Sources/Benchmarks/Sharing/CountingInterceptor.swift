import NetworkClient
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#else
import Foundation
#endif

/// Counts who passes on the way out.
final class CountingInterceptor: InterceptorProtocol {
    private let passes = Atomic(0)

    var count: Int { passes.load(ordering: .relaxed) }

    func process(
        _ request: URLRequest,
        next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
    ) async throws -> NetworkClient.ChainResult {
        passes.add(1, ordering: .relaxed)
        return try await next(request)
    }
}
