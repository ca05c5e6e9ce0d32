#if os(Linux)

extension CurlEngine {
    /// A look at an engine after some time, in case libcurl does not return from a call.
    ///
    /// It does not while a server sends HTTP/2 frames without content faster than they are read. Then it passes nothing
    /// on, and reads from that connection alone.
    final class Watch: Expiring {
        let deadline = MonotonicClock.now + timeBetweenLooks
        private weak let engine: CurlEngine?
        private let progress: Int
        /// The bytes that had been read from each socket, if there was no progress before this time began.
        private let counts: [CInt: UInt64]?

        init(_ engine: CurlEngine) {
            self.engine = engine
            progress = engine.poller.progressCount
            counts = nil
        }

        private init(after earlier: Watch, _ engine: CurlEngine) {
            self.engine = engine
            progress = earlier.progress
            counts = engine.poller.readCounts()
        }

        func expire() {
            guard let engine, engine.isWatched() else { return }
            guard engine.poller.progressCount == progress else { return TimerRoster.shared.add(Watch(engine)) }
            if let counts { engine.poller.shutDown(ifReadSince: counts, atLeast: bytesOfAFlood) }
            TimerRoster.shared.add(Watch(after: self, engine))
        }
    }
}

/// The time between two looks at an engine that works, in nanoseconds.
private let timeBetweenLooks = MonotonicClock.nanoseconds(0.15)

/// The number of bytes that libcurl reads between two looks only during a flood, if it passes nothing on.
private let bytesOfAFlood: UInt64 = 256 << 10
#endif
