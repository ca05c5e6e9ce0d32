#if os(Linux)
import CCurl
import Foundation

/// Moves the bytes of the transfers that a transport gives it.
///
/// Whoever starts a transfer moves it at once, as far as it goes without waiting: a request on an open connection is
/// sent by its own caller. What comes back is moved by one thread, which waits for it without using the processor. Only
/// one of them uses libcurl at a time, the one that has the turn; whoever does not get it leaves what it wants done to
/// the one that has. The thread ends when the engine is closed and no transfer is left.
final class CurlEngine: Sendable {
    private enum Command {
        case start(CurlExchange)
        case stop(CurlExchange)
        case goOn(CurlExchange)
        case checkConnection(CurlExchange)
    }

    private struct State {
        var commands: [Command] = []
        var isTurnTaken = false
        /// Whether the thread waits for its turn, which is then handed to it.
        var isThreadWaiting = false
        /// When the thread stops waiting for events by itself, in nanoseconds.
        var wakeTime: UInt64 = 0
        var isClosed = false
        var isOver = false

        /// What whoever has the turn does next; the commands, of which there must be none, are those of the state then.
        mutating func next(_ commands: inout [Command], _ dueTime: UInt64) -> Next {
            // The thread has answers to bring, and does the rest with them.
            if isThreadWaiting {
                isThreadWaiting = false
                return .handOver
            }
            guard self.commands.isEmpty else {
                swap(&self.commands, &commands)
                return .commands
            }
            isTurnTaken = false
            // Only the thread ends the engine.
            guard dueTime < wakeTime || isClosed else { return .nothing }
            wakeTime = dueTime
            return .wakeThread
        }
    }

    private enum Next {
        case commands, nothing, wakeThread, handOver
    }

    private let state = Locked(State())
    private let transfers: Locked<CurlTransfers>
    private let poller: SocketPoller
    private let turn = DispatchSemaphore(value: 0)

    /// Nil if there is no memory, or no descriptor or thread is left.
    init?(configuration: CurlTransport.Configuration) {
        guard let poller = SocketPoller(), let transfers = CurlTransfers(poller: poller, configuration: configuration)
        else {
            return nil
        }
        self.poller = poller
        self.transfers = Locked(transfers)
        let context = Unmanaged.passRetained(self)
        let result = ccurl_thread_start(
            "NetworkClient",
            { context in
                guard let context else { return }
                Unmanaged<CurlEngine>.fromOpaque(context).takeRetainedValue().run()
            },
            context.toOpaque()
        )
        guard result == 0 else {
            context.release()
            self.transfers.withLock { $0.free() }
            return nil
        }
    }

    /// Starts a transfer; false if the engine is closed.
    func start(_ exchange: CurlExchange) -> Bool {
        let (isAccepted, earlier) = state.withLock { state -> (Bool, [Command]?) in
            guard !state.isClosed else { return (false, nil) }
            guard state.isTurnTaken else {
                state.isTurnTaken = true
                defer { state.commands = [] }
                return (true, state.commands)
            }
            state.commands.append(.start(exchange))
            return (true, nil)
        }
        if let earlier { useTurn(toStart: exchange, after: earlier) }
        return isAccepted
    }

    /// Stops a transfer of which nobody waits for the end any more.
    ///
    /// Left to the thread: it is called where a lock of the task may be held that a finished transfer needs.
    func stop(_ exchange: CurlExchange) {
        leave(.stop(exchange))
    }

    /// Goes on with a transfer that has paused; left to the thread too.
    func goOn(_ exchange: CurlExchange) {
        leave(.goOn(exchange))
    }

    /// Finds out whether a transfer has a connection by now, and ends it with a timeout if it has none.
    func checkConnection(_ exchange: CurlExchange) {
        leave(.checkConnection(exchange))
    }

    private func leave(_ command: Command) {
        let isForThread = state.withLock { state in
            guard !state.isOver else { return false }
            state.commands.append(command)
            return !state.isTurnTaken
        }
        if isForThread { poller.wake() }
    }

    /// Refuses new transfers; those that are under way go on.
    func close() {
        let isOver = state.withLock { state in
            state.isClosed = true
            return state.isOver
        }
        if !isOver { poller.wake() }
    }

    /// Starts a transfer after what was asked for before, does what is asked for meanwhile, until nothing is left, and
    /// passes the turn on.
    private func useTurn(toStart exchange: CurlExchange, after earlier: [Command]) {
        // What was stopped before makes room, and is told to the server with this request.
        if !earlier.isEmpty { carryOut(earlier) }
        carryOut { $0.start(exchange) }
        var commands: [Command] = []
        while takeNext(&commands) { carryOut(commands) }
    }

    private func carryOut(_ commands: [Command]) {
        carryOut { transfers in
            for command in commands {
                switch command {
                case .start(let exchange): transfers.start(exchange)
                case .stop(let exchange): transfers.stop(exchange)
                case .goOn(let exchange): transfers.goOn(exchange)
                case .checkConnection(let exchange): transfers.checkConnection(exchange)
                }
            }
        }
    }

    private func carryOut(_ work: (inout CurlTransfers) -> Void) {
        let finished = transfers.withLock { transfers in
            work(&transfers)
            transfers.moveWhatIsDue()
            return transfers.takeFinished()
        }
        // Together, since each would wake a thread of Swift's, and the first has work for all.
        for transfer in finished { transfer.tell() }
    }

    /// Takes what was asked for since; false if nothing was, and then the turn is given up.
    private func takeNext(_ commands: inout [Command]) -> Bool {
        let dueTime = transfers.withLock { $0.dueTime }
        commands.removeAll(keepingCapacity: true)
        switch state.withLock({ $0.next(&commands, dueTime) }) {
        case .commands: return true
        case .nothing: return false
        case .wakeThread:
            poller.wake()
            return false
        case .handOver:
            turn.signal()
            return false
        }
    }

    private func run() {
        var events: [ccurl_event] = []
        repeat {
            let canWait = poller.wait(until: state.withLock { $0.wakeTime }, into: &events)
            takeTurn()
            guard canWait else { return endWithoutSockets() }
            carryOut { transfers in
                for event in events { transfers.move(event) }
            }
        } while goOn()
    }

    /// Ends all exchanges, since nothing can be known of their sockets any more: `closefrom(3)`, for example, closes
    /// descriptors that are others' too.
    private func endWithoutSockets() {
        state.withLock { $0.isClosed = true }
        carryOut { $0.failAll(.descriptorsClosed) }
        _ = goOn()
    }

    private func takeTurn() {
        let mustWait = state.withLock { state in
            guard state.isTurnTaken else {
                state.isTurnTaken = true
                return false
            }
            state.isThreadWaiting = true
            return true
        }
        if mustWait { turn.wait() }
    }

    /// Does what was asked for meanwhile and gives up the turn of the thread; false if there is nothing left to do,
    /// ever.
    private func goOn() -> Bool {
        var commands: [Command] = []
        while true {
            let (dueTime, isIdle) = transfers.withLock { ($0.dueTime, $0.isEmpty) }
            commands.removeAll(keepingCapacity: true)
            let isOver = state.withLock { state in
                swap(&state.commands, &commands)
                state.isOver = commands.isEmpty && state.isClosed && isIdle
                if commands.isEmpty, !state.isOver {
                    state.isTurnTaken = false
                    // A moment that is not too far, so that few of those who start a transfer have to make it earlier.
                    state.wakeTime = min(dueTime, CurlClock.now + Self.longestWait)
                }
                return state.isOver
            }
            guard !isOver else {
                transfers.withLock { $0.free() }
                return false
            }
            guard !commands.isEmpty else { return true }
            carryOut(commands)
        }
    }

    private static let longestWait = CurlClock.nanoseconds(60)
}
#endif
