#if os(Linux)
/// Lets one exchange connect to an https origin for the first time, while others wait for its connection: if that uses
/// HTTP/2, it carries them all.
///
/// libcurl would make a connection for each of them, since it knows the protocol only after the handshake.
final class Handshakes: Sendable {
    /// What the first exchange has until it is connected, or has failed; or one that has stopped waiting for it.
    final class First: Sendable {
        private let handshakes: Handshakes
        private let origin: Origin
        private let isFirst: Bool
        private let isOver = Locked(false)

        fileprivate init(_ handshakes: Handshakes, _ origin: Origin, isFirst: Bool) {
            (self.handshakes, self.origin, self.isFirst) = (handshakes, origin, isFirst)
        }

        deinit {
            end(isConnected: false)
        }

        /// Lets the others go on; only the first call has an effect.
        func end(isConnected: Bool) {
            let wasOver = isOver.withLock { isOver in
                defer { isOver = true }
                return isOver
            }
            if !wasOver, isFirst || isConnected { handshakes.end(origin, isConnected: isConnected) }
        }
    }

    private struct State {
        /// The origins that had a connection.
        var known = KnownOrigins()
        /// The exchanges that wait for the first connection to their origin.
        var waiters: [Origin: Waiters<Bool>] = [:]
    }

    private let state = Locked(State())

    /// Waits while another exchange connects to an origin for the first time, but for a second at most; returns nil if
    /// there is a connection.
    ///
    /// So a server that does not respond takes little time from the exchanges that wait.
    ///
    /// - Throws: ``TimeLimit/Passed`` if the limit has passed; `CancellationError`.
    nonisolated(nonsending) func enter(
        _ origin: Origin,
        until limit: TimeLimit?,
        within seconds: Double
    ) async throws -> First? {
        guard origin.scheme == "https", !state.withLock({ $0.known.contains(origin) }) else { return nil }
        let longest = min(seconds, limit?.remaining ?? .infinity, Self.longestWait)
        let patience = TimeLimit(seconds: longest, on: SystemTimeSource())
        do {
            let isFirst: Bool = try await state.wait(until: patience) { state, waiter in
                guard !state.known.contains(origin) else { return false }
                guard state.waiters[origin] != nil else {
                    state.waiters[origin] = Waiters()
                    return true
                }
                state.waiters[origin]?.add(waiter)
                return nil
            } leaving: { [state] id in
                state.withLock { $0.waiters[origin]?.remove(id) }
            }
            return isFirst ? First(self, origin, isFirst: true) : nil
        } catch is TimeLimit.Passed where (limit?.remaining ?? .infinity) > 0.001 {
            return First(self, origin, isFirst: false)
        }
    }

    private static let longestWait = 1.0

    private func end(_ origin: Origin, isConnected: Bool) {
        let waiters = state.withLock { state -> [Waiter<Bool>] in
            if isConnected { state.known.insert(origin) }
            var waiters = state.waiters.removeValue(forKey: origin)
            return waiters?.removeAll() ?? []
        }
        for waiter in waiters { waiter.resume(returning: false) }
    }
}
#endif
