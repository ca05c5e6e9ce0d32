import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The end of a time limit that several steps share, such as the hops of a redirect.
struct Deadline: Sendable {
    private let end: Double?
    private let time: any TimeSource

    /// Creates a deadline that many seconds from now; nil for no limit.
    init(_ seconds: TimeInterval?, time: any TimeSource = SystemTimeSource()) {
        end = seconds.map { time.now + $0 }
        self.time = time
    }

    /// Returns the remaining seconds, more than 0; nil if there is no limit.
    ///
    /// Throws ``TransportError/Reason/timedOut`` for the request if no time remains.
    func remaining(_ request: URLRequest) throws -> TimeInterval? {
        guard let end else { return nil }
        let seconds = end - time.now
        guard seconds > 0 else { throw TransportError(.timedOut, request: request) }
        return seconds
    }
}
