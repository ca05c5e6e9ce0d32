#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// A step that every request takes on its way out and every answer on its way back.
///
/// Ready-made: ``HeadersInterceptor`` and ``LoggingInterceptor``. To write one, implement ``process(_:next:)``: change
/// the request, call `next`, look at the answer. Interceptors run in the order in which the client was given them, and
/// the answer passes them in the reverse order.
public protocol InterceptorProtocol: Sendable {
    /// Takes one request and returns its answer.
    ///
    /// `next` may be called once, several times (a retry), or not at all (an answer without the network). It throws
    /// ``NetworkClient/Error/apiError(response:data:)`` for an answer whose status the call does not accept.
    ///
    /// - Parameters:
    ///   - request: The request as the interceptors before this one left it.
    ///   - next: The rest of the chain.
    /// - Returns: The answer that the interceptors before this one see.
    /// - Throws: Whatever the caller is to get; it reaches the caller unchanged.
    func process(
        _ request: URLRequest,
        next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
    ) async throws -> NetworkClient.ChainResult
}
