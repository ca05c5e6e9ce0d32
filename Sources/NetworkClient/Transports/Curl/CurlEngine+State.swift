#if os(Linux)

/// The state that an engine's thread and its callers share.
extension CurlEngine {
    enum Command {
        case start(CurlExchange)
        case stop(CurlExchange)
        case goOn(CurlExchange)
        case checkConnection(CurlExchange)
        case endRedirectBody(CurlExchange)
    }

    struct State {
        var commands: [Command] = []
        var isTurnTaken = false
        /// Whether the thread waits for the turn, so that the turn is passed to it.
        var isThreadWaiting = false
        /// The time at which the thread stops waiting for events, in nanoseconds.
        var wakeTime: UInt64 = 0
        /// The longest wait of the thread, in nanoseconds.
        let longestWait: UInt64
        var isClosed = false
        var isOver = false
        /// Whether a ``Watch`` of the engine is in the timer roster.
        var isWatched = false

        /// Takes the turn, which must be free; returns whether the engine has to be watched from now on.
        mutating func takeTurn() -> Bool {
            isTurnTaken = true
            defer { isWatched = true }
            return !isWatched
        }

        /// Adds a command, and returns whether the thread has to be woken for it.
        ///
        /// If earlier commands are waiting, the thread was woken for them, and the next holder of the turn carries out
        /// this one too.
        mutating func add(_ command: Command) -> Bool {
            commands.append(command)
            return !isTurnTaken && commands.count == 1
        }

        /// Returns the next step of the caller or thread that has the turn.
        ///
        /// Moves the commands into `commands`, which must be empty.
        mutating func next(_ commands: inout [Command], _ rest: Rest, isThread: Bool) -> Next {
            let (dueTime, isIdle) = (rest.dueTime, rest.isIdle)
            // The thread has events to handle, and will carry out the commands too.
            if isThreadWaiting {
                isThreadWaiting = false
                return .handOver
            }
            guard self.commands.isEmpty else {
                swap(&self.commands, &commands)
                return .commands
            }
            if isThread, isClosed, isIdle {
                isOver = true
                return .end
            }
            isTurnTaken = false
            if isThread {
                // Without limit if nothing is left to do, not even idle connections to close.
                wakeTime = isIdle && dueTime == .max ? .max : min(dueTime, MonotonicClock.now + longestWait)
                return .nothing
            }
            // Only the thread ends the engine.
            guard dueTime < wakeTime || isClosed else { return .nothing }
            wakeTime = dueTime
            return .wakeThread
        }
    }

    /// The work that a round leaves.
    struct Rest {
        /// The time at which there is something to do even without an event.
        let dueTime: UInt64
        /// Whether no transfer is left.
        let isIdle: Bool

        /// For a holder of the turn that has not looked: the thread looks at once.
        static let unknown = Rest(dueTime: 0, isIdle: false)
    }

    enum Next {
        case commands, nothing, wakeThread, handOver, end
    }

    enum Admission {
        case refused, hasTurn(beginsWatch: Bool, earlier: [Command]), leftCommand(wakesThread: Bool)
    }
}
#endif
