import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The end of a limit that several steps share, such as the hops of a redirect.
struct Deadline: Sendable {
    private let end: Double?
    private let time: any TimeSource

    /// Starts now; nil never ends.
    init(_ seconds: TimeInterval?, time: any TimeSource = SystemTimeSource()) {
        end = seconds.map { time.now + $0 }
        self.time = time
    }

    /// The seconds that are left; nil if there is no limit.
    ///
    /// - Throws: ``TransportError/Reason/timedOut`` if none are.
    func remaining(_ request: URLRequest) throws -> TimeInterval? {
        guard let end else { return nil }
        let seconds = end - time.now
        guard seconds > 0 else { throw TransportError(.timedOut, request: request) }
        return seconds
    }
}
