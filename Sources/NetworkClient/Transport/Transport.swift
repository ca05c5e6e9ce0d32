#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// What moves one request to a server and its answer back.
///
/// Ready-made: ``URLSessionTransport``, on Linux `CurlTransport`, and ``ClosureTransport`` for tests and stubs. A
/// transport makes exactly one exchange: it follows no redirect, retries nothing, and accepts any status. Interceptors
/// are for everything that looks at requests and answers; a transport is for another way to move them.
///
/// To write one, implement ``send(_:options:)``. It must return promptly when the task is cancelled, with
/// `CancellationError`, and throw ``TransportError`` for failures, so that callers can tell them apart.
public protocol Transport: Sendable, CustomStringConvertible {
    /// What its requests are by default; nothing unless a transport has a say in it. One that wraps another passes its
    /// defaults on.
    var defaults: TransportDefaults { get }

    /// Makes one exchange.
    ///
    /// - Parameters:
    ///   - request: A request whose method, URL and header fields have been checked. `timeoutInterval` is how many
    ///     seconds may pass without a byte in either direction.
    ///   - options: Limits of this exchange.
    /// - Returns: The head and the body of the final answer (1xx answers are not final, except 101).
    /// - Throws: ``TransportError``; `CancellationError` if the task was cancelled.
    func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse
}

extension Transport {
    /// Nothing.
    public var defaults: TransportDefaults { TransportDefaults() }
}
