#if os(Linux)

extension CurlEngine {
    /// A look at an engine after some time, in case libcurl does not return from a call.
    ///
    /// libcurl does not return while a server sends HTTP/2 frames without content faster than they are read: it reads
    /// from that connection alone, and passes on only a small part of the bytes.
    final class Watch: Expiring {
        let deadline = MonotonicClock.now + timeBetweenLooks
        private weak let engine: CurlEngine?
        private let callCount: Int
        private let passedCount: Int
        /// The bytes that had been read from each socket, if the call was the same at the look before.
        private let readCounts: [CInt: UInt64]?

        init(_ engine: CurlEngine, countsReading: Bool = false) {
            self.engine = engine
            // First, so that no call begins between this number and the others.
            callCount = engine.poller.callCount
            passedCount = engine.poller.passedCount
            readCounts = countsReading ? engine.poller.readCounts() : nil
        }

        func expire() {
            guard let engine, engine.continueWatch() else { return }
            let isSameCall = engine.poller.callCount == callCount
            if isSameCall, let readCounts {
                let passed = UInt64(max(0, engine.poller.passedCount - passedCount))
                engine.poller.shutDown(ifReadSince: readCounts, atLeast: max(bytesOfAFlood, passed * partOfAFlood))
            }
            TimerRoster.shared.add(Watch(engine, countsReading: isSameCall))
        }
    }
}

/// The time between two looks at an engine that works, in nanoseconds.
private let timeBetweenLooks = MonotonicClock.nanoseconds(0.15)

/// The number of bytes that a call of libcurl reads between two looks during a flood, at least.
private let bytesOfAFlood: UInt64 = 64 << 10

/// How many bytes are read for one that is passed on, during a flood; HTTP/2 frames of one byte have ten.
private let partOfAFlood: UInt64 = 32
#endif
