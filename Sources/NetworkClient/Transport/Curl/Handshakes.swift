#if os(Linux)
/// Lets one exchange connect to an https origin for the first time, while others wait for its connection: if that uses
/// HTTP/2, it carries them all.
///
/// libcurl would make a connection for each of them, since it knows the protocol only after the handshake.
final class Handshakes: Sendable {
    /// The handshake of an exchange with an origin that had no connection yet.
    final class Handshake: Sendable {
        private let handshakes: Handshakes
        private let origin: Origin
        /// Whether it is the first one, for whose end other exchanges wait, even if it fails.
        private let isFirst: Bool
        private let isOver = Locked(false)

        fileprivate init(_ handshakes: Handshakes, _ origin: Origin, isFirst: Bool) {
            (self.handshakes, self.origin, self.isFirst) = (handshakes, origin, isFirst)
        }

        deinit {
            end(isConnected: false)
        }

        /// Lets the other exchanges go on; later calls have no effect.
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

    /// Waits while another exchange connects to an origin for the first time, and returns the exchange's own handshake;
    /// nil if the origin has had a connection.
    ///
    /// The exchange waits at most a second, since the origin may never respond, and then connects as well.
    ///
    /// - Throws: ``TimeLimit/Passed`` if the limit has passed; `CancellationError`.
    nonisolated(nonsending) func enter(
        _ transfer: CurlTransfer,
        _ options: TransportOptions,
        until limit: TimeLimit?
    ) async throws -> Handshake? {
        let origin = transfer.origin
        // Nothing else can use the connection of a stream that is alone on it.
        guard origin.scheme == "https", !(options.streamsBody && CurlLibrary.streamsAlone),
            !state.withLock({ $0.known.contains(origin) })
        else { return nil }
        let longest = min(transfer.request.timeoutInterval, limit?.remaining ?? .infinity, Self.longestWait)
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
            return isFirst ? Handshake(self, origin, isFirst: true) : nil
        } catch is TimeLimit.Passed where (limit?.remaining ?? .infinity) > 0.001 {
            return Handshake(self, origin, isFirst: false)
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
