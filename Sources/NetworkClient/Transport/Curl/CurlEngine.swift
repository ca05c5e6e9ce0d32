#if os(Linux) || os(Android)
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
    }

    private let state = Locked(State())
    private let transfers: Locked<CurlTransfers>
    private let poller: SocketPoller
    private let turn = DispatchSemaphore(value: 0)

    /// Nil if there is no memory, or no descriptor is left.
    init?(configuration: CurlTransport.Configuration) {
        guard let poller = SocketPoller(), let transfers = CurlTransfers(poller: poller, configuration: configuration)
        else {
            return nil
        }
        self.poller = poller
        self.transfers = Locked(transfers)
        let thread = Thread { [self] in run() }
        thread.name = "NetworkClient.CurlEngine"
        thread.start()
    }

    /// Starts a transfer; false if the engine is closed.
    func start(_ exchange: CurlExchange) -> Bool {
        let (isAccepted, hasTurn) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.commands.append(.start(exchange))
            defer { state.isTurnTaken = true }
            return (true, !state.isTurnTaken)
        }
        if hasTurn { useTurn() }
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

    private func leave(_ command: Command) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.commands.append(command)
            if !state.isTurnTaken { poller.wake() }
        }
    }

    /// Refuses new transfers; those that are under way go on.
    func close() {
        state.withLock { state in
            state.isClosed = true
            if !state.isOver { poller.wake() }
        }
    }

    /// Does what was asked for, until nothing is left, and passes the turn on.
    private func useTurn() {
        while let commands = nextCommands() { carryOut(commands) }
    }

    private func carryOut(_ commands: [Command], _ events: [ccurl_event] = []) {
        let finished = transfers.withLock { transfers in
            for event in events { transfers.move(event) }
            for command in commands {
                switch command {
                case .start(let exchange): transfers.start(exchange)
                case .stop(let exchange): transfers.stop(exchange)
                case .goOn(let exchange): transfers.goOn(exchange)
                }
            }
            transfers.moveWhatIsDue()
            return transfers.takeFinished()
        }
        // Together, since each would wake a thread of Swift's, and the first has work for all.
        for transfer in finished { transfer.tell() }
    }

    /// What was asked for since; nil if nothing was, and then the turn is given up.
    private func nextCommands() -> [Command]? {
        let dueTime = transfers.withLock { $0.dueTime }
        return state.withLock { state in
            // The thread has answers to bring, and does the rest with them.
            if state.isThreadWaiting {
                state.isThreadWaiting = false
                turn.signal()
                return nil
            }
            guard state.commands.isEmpty else {
                defer { state.commands.removeAll(keepingCapacity: true) }
                return state.commands
            }
            state.isTurnTaken = false
            // Only the thread ends the engine.
            if dueTime < state.wakeTime || state.isClosed {
                state.wakeTime = dueTime
                poller.wake()
            }
            return nil
        }
    }

    private func run() {
        var events: [ccurl_event] = []
        repeat {
            poller.wait(until: state.withLock { $0.wakeTime }, into: &events)
            takeTurn()
            carryOut([], events)
        } while goOn()
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
        while true {
            let (dueTime, isIdle) = transfers.withLock { ($0.dueTime, $0.isEmpty) }
            let (commands, isOver) = state.withLock { state -> ([Command], Bool) in
                let commands = state.commands
                state.commands.removeAll(keepingCapacity: true)
                state.isOver = commands.isEmpty && state.isClosed && isIdle
                if commands.isEmpty, !state.isOver {
                    state.isTurnTaken = false
                    // A moment that is not too far, so that few of those who start a transfer have to make it earlier.
                    state.wakeTime = min(dueTime, CurlClock.now + Self.longestWait)
                }
                return (commands, state.isOver)
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
