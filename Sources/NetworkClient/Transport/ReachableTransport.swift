import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport of the user's own, which knows of tasks and not of calls: `cancelAll()` reaches it through a task.
struct ReachableTransport: Transport {
    let wrapped: any Transport

    var description: String { wrapped.description }

    func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
        guard CallScope.current != nil else { return try await wrapped.send(request, options: options) }
        // Cancelled with the caller's task and by `cancelAll`.
        let task = Task { try await wrapped.send(request, options: options) }
        return try await CallScope.withCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
