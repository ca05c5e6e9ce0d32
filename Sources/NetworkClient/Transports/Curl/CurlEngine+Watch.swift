#if os(Linux)

extension CurlEngine {
    /// The maximum number of streams of a connection, if libcurl gathers streams: reading the windows of more of them
    /// in one call keeps the engine from other connections for long.
    static let maxStreams = 8

    /// A watchdog: ends the connections that flood an engine, as long as it works, which may be in one call of libcurl.
    final class Watch: Expiring {
        let deadline = MonotonicClock.now + timeBetweenLooks
        private weak let engine: CurlEngine?
        private let counts: CurlConnections.Counts

        init(_ engine: CurlEngine, since counts: CurlConnections.Counts = [:]) {
            self.engine = engine
            self.counts = counts
        }

        func expire() {
            guard let engine, engine.continueWatch() else { return }
            TimerRoster.watches.add(Watch(engine, since: engine.connections.endFloods(since: counts)))
        }
    }
}

/// The time between two looks, in nanoseconds.
private let timeBetweenLooks = MonotonicClock.nanoseconds(0.15)
#endif
