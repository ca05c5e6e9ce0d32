import Foundation
package import NetworkClient

/// An interceptor that is one closure, for a test that needs it once.
package struct ClosureInterceptor: InterceptorProtocol {
    package typealias Process = @Sendable (URLRequest, NetworkClient.Next) async throws -> NetworkClient.ChainResult

    package let runsInCallersTask: Bool
    private let closure: Process

    package init(runsInCallersTask: Bool = false, _ closure: @escaping Process) {
        self.runsInCallersTask = runsInCallersTask
        self.closure = closure
    }

    package func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        try await closure(request, next)
    }
}
