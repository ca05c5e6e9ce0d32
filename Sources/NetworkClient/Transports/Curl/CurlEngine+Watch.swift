#if os(Linux)

extension CurlEngine {
    /// The maximum number of streams of a connection, if libcurl gathers streams: reading the windows of more of them
    /// in one call takes so long that it looks like a flood.
    static let maxStreams = 8

    /// A watchdog: checks every 150 ms whether libcurl is stuck in a call, as long as an engine works.
    ///
    /// libcurl does not return while a server sends HTTP/2 frames without content faster than they are read: it reads
    /// from that connection alone, and passes on only a small part of the bytes.
    final class Watch: Expiring {
        let deadline = MonotonicClock.now + timeBetweenLooks
        private weak let engine: CurlEngine?
        private let begin: SocketPoller.Moment
        /// Whether the beginning has the counts of the sockets, since libcurl was in the call then.
        private let isCounted: Bool

        init(_ engine: CurlEngine) {
            self.engine = engine
            begin = engine.poller.moment
            isCounted = false
        }

        private init(_ engine: CurlEngine, in call: SocketPoller.Moment) {
            self.engine = engine
            begin = call
            isCounted = true
        }

        func expire() {
            guard let engine, engine.continueWatch() else { return }
            let poller = engine.poller
            guard poller.isInSameCall(as: begin) else { return TimerRoster.watches.add(Watch(engine)) }
            if isCounted {
                let streams = CurlLibrary.gathersStreams ? min(max(1, poller.transferCount), CurlEngine.maxStreams) : 0
                let share = windowOfAStream * Int64(streams)
                poller.endFloods(since: begin, from: bytesOfAFlood + share, times: partOfAFlood)
                return TimerRoster.watches.add(Watch(engine, in: begin))
            }
            var moment = poller.moment
            poller.countReading(&moment)
            TimerRoster.watches.add(Watch(engine, in: moment))
        }
    }
}

/// The time between two checks of an engine that works, in nanoseconds.
private let timeBetweenLooks = MonotonicClock.nanoseconds(0.15)

/// The number of bytes that a call of libcurl reads during a flood, at least.
private let bytesOfAFlood: Int64 = 64 << 10

/// How many bytes are read for one that is passed on, during a flood; HTTP/2 frames of one byte have ten.
private let partOfAFlood: Int64 = 32

/// The number of bytes of a stream that libcurl may read before it passes any on, if it gathers streams.
private let windowOfAStream: Int64 = 10 << 20
#endif
