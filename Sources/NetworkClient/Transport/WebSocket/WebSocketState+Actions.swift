/// The actions and results that follow from an event of a WebSocket.
extension WebSocketState {
    /// The number of pongs that wait at most, so that no flood of pings fills the memory.
    ///
    /// Some servers send a few pings at once, and expect a pong for each.
    static let maximumPongs = 16

    /// The error that a task gets after the end; nil before it.
    var failure: (any Error)? {
        switch ending {
        case .failed(let error): error
        case .closed(let closed): closed
        case nil: nil
        }
    }

    /// The seconds since the last activity, 0 while the reader is behind, and the number of activities; nil after the
    /// end.
    var silence: (seconds: Double, activities: Int)? {
        guard ending == nil, let silence = activity.silence else { return nil }
        return (isPaused || activity.isSending ? 0 : silence, activity.count)
    }

    /// Tells an observer of the messages that have come, and of all later ones.
    mutating func observe(_ observer: Observer) {
        for message in messages.waiting { observer.note(message, false) }
        observers.append(observer)
    }

    /// The actions that are performed after the lock is released.
    struct Actions {
        /// The tasks that go on.
        var waiters: [Waiter<Void>] = []
        /// The tasks whose messages are lost, and whose pings get no pong: they go on with what the reader throws.
        var failures: [Waiter<Void>] = []
        /// Whether the transport asks for bytes to send, or goes on receiving.
        var goesOn = false
        /// Whether the socket has ended.
        var hasEnded = false
    }

    /// The result of received bytes.
    enum Reception {
        case taken
        /// The transport keeps the bytes until it goes on.
        case refused
        /// The server has closed the socket or broken a rule: the bytes were taken or are ignored, as all later ones.
        ///
        /// The socket has ended, or ends when its reader has handled the messages before, for which the transport waits
        /// a short time.
        case ended
    }

    /// The result of asking for bytes to send.
    enum Portion: Equatable {
        case bytes(Int)
        /// There is nothing to send until the transport goes on.
        case nothing
        /// Both ends have closed, or the connection has ended.
        case end
    }

    /// The result of a read.
    enum Delivery {
        case message(WebSocketMessage)
        case nothing
        /// The server has closed the socket as it should.
        case end
    }

    /// Learns of each message that has come, and of each one that is to be sent; under the lock of the socket.
    struct Observer {
        let note: @Sendable (WebSocketMessage, _ isSent: Bool) -> Void
    }

    enum Ending {
        case closed(WebSocketClosed)
        case failed(any Error)
    }

    /// A frame for the server.
    struct Frame {
        let bytes: [UInt8]
        var isClose = false
        var isMessage = false
        var sentCount = 0
    }

    /// When something has come from the server, or a further part of a message was taken: a server may be silent while
    /// it receives a long one.
    struct Activity {
        /// The clock; nil if no times are recorded.
        private var time: (any TimeSource)?
        private var last = 0.0
        private(set) var count = 0
        /// Whether the transport has a message that it has not sent yet.
        var isSending = false

        mutating func begin(on time: any TimeSource) { (self.time, last) = (time, time.now) }

        mutating func note() {
            if let time { (last, count) = (time.now, count + 1) }
        }

        /// The seconds since the last one; nil if no times are recorded.
        var silence: Double? { time.map { max(0, $0.now - last) } }
    }
}
