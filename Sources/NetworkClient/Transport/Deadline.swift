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
        self.init(seconds, since: time.now, time: time)
    }

    /// Creates a deadline that many seconds after a moment, which is not asked for without a limit.
    init(_ seconds: TimeInterval?, since begin: @autoclosure () -> Double, time: any TimeSource) {
        end = seconds.map { begin() + $0 }
        self.time = time
    }

    /// Returns the remaining seconds, more than 0; nil if there is no limit.
    ///
    /// Throws ``TransportError/Reason/timedOut`` for the request if no time remains.
    func remaining(_ request: URLRequest) throws -> TimeInterval? { try remaining(request, at: time.now) }

    /// Returns the seconds that remain at a moment, which is not asked for without a limit.
    func remaining(_ request: URLRequest, at now: @autoclosure () -> Double) throws -> TimeInterval? {
        guard let end else { return nil }
        let seconds = end - now()
        guard seconds > 0 else { throw TransportError(.timedOut, request: request) }
        return seconds
    }
}
