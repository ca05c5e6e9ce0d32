#if canImport(FoundationNetworking)
import FoundationNetworking
#else
import Foundation
#endif

/// What a call does with the body of an accepted answer while it comes, inside the interceptors: an attempt has failed
/// if its body has.
protocol BodyTaker: Sendable {
    /// The request as it is sent, which may ask for less than the caller's own.
    func prepare(_ request: URLRequest) -> URLRequest

    /// Whether an answer is one that it asked for, whatever the caller accepts.
    func accepts(_ head: ResponseHead) -> Bool

    /// The most bytes that are kept of the body of a response that is not accepted.
    var errorLimit: Int { get }

    /// Reads the body.
    ///
    /// - Parameters:
    ///   - answer: An accepted answer.
    ///   - request: The request as the interceptors have left it.
    ///   - exchange: Makes another exchange, for what the answer does not have.
    /// - Returns: The answer with what interceptors and the caller get of its body.
    /// - Throws: What reading throws, and what becomes of the bytes.
    func take(
        _ answer: TransportResponse,
        to request: URLRequest,
        _ exchange: (URLRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse
}
