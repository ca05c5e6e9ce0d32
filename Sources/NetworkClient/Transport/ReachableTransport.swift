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
        let task = start { try await wrapped.send(request, options: options) }
        return try await CallScope.withCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Starts on the caller's thread where that can be had: what answers at once then costs no way to another one and
    /// back.
    private func start(
        _ operation: @escaping @Sendable () async throws -> TransportResponse
    ) -> Task<TransportResponse, any Error> {
        if #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            // Cancelled with the caller's task and by `cancelAll`.
            return Task.immediate(operation: operation)
        }
        // Cancelled with the caller's task and by `cancelAll`.
        return Task(operation: operation)
    }
}
