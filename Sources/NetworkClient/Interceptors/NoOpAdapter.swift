#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// An interceptor that changes nothing: stands where one is wanted and none is needed.
public struct NoOpAdapter: InterceptorProtocol {
    /// Makes one.
    public init() {}

    /// Passes the request and the answer on.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: The rest of the chain.
    /// - Returns: The answer.
    /// - Throws: What the rest of the chain throws.
    public func process(
        _ request: URLRequest,
        next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
    ) async throws -> NetworkClient.ChainResult {
        try await next(request)
    }
}

extension InterceptorProtocol where Self == NoOpAdapter {
    /// An interceptor that changes nothing.
    public static var noOp: NoOpAdapter { NoOpAdapter() }
}
