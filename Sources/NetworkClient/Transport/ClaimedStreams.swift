import Foundation

/// The body streams of requests that have been given to a transport: each can be read once.
enum ClaimedStreams {
    private struct Claim {
        weak var stream: InputStream?
    }

    private struct State {
        var claims: [ObjectIdentifier: Claim] = [:]
        /// How many claims there are when those of streams that are gone are removed the next time: looking at all of
        /// them for each new stream would take quadratic time.
        var sweepCount = 64

        mutating func sweep() {
            guard claims.count >= sweepCount else { return }
            claims = claims.filter { $0.value.stream != nil }
            sweepCount = max(64, 2 * claims.count)
        }
    }

    private static let state = Locked(State())

    /// Whether nobody has claimed the stream before, or begun to read it.
    static func claim(_ stream: InputStream) -> Bool {
        state.withLock { state in
            state.sweep()
            // A stream that is gone may have had the same address.
            let isClaimed = state.claims[ObjectIdentifier(stream)]?.stream != nil
            guard !isClaimed, stream.streamStatus == .notOpen else { return false }
            state.claims[ObjectIdentifier(stream)] = Claim(stream: stream)
            return true
        }
    }
}
