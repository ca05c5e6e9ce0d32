#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Says how much may be logged of one exchange, whatever the logger's levels are.
///
/// Use ``AlwaysLogFilter`` to refuse nothing. To silence an endpoint, implement
/// ``acceptLoggingLevel(for:)-(URLRequest)`` and return `.off` for its requests: then nothing of the exchange is
/// logged, its answer and failures included.
public protocol LoggerFilter: Sendable {
    /// The most that may be shown of a request; the default is everything.
    ///
    /// - Parameter request: The request as it is sent.
    /// - Returns: The parts that may be shown; `.off` silences the answer too.
    func acceptLoggingLevel(for request: URLRequest) -> NetworkLoggingLevel

    /// The most that may be shown of an answer; the default is everything.
    ///
    /// - Parameter response: The head of the answer.
    /// - Returns: The parts that may be shown.
    func acceptLoggingLevel(for response: HTTPURLResponse) -> NetworkLoggingLevel
}

extension LoggerFilter {
    /// Refuses nothing.
    ///
    /// - Parameter request: The request, which is not looked at.
    /// - Returns: Every part.
    public func acceptLoggingLevel(for request: URLRequest) -> NetworkLoggingLevel { .full }

    /// Refuses nothing.
    ///
    /// - Parameter response: The head of the answer, which is not looked at.
    /// - Returns: Every part.
    public func acceptLoggingLevel(for response: HTTPURLResponse) -> NetworkLoggingLevel { .full }
}
