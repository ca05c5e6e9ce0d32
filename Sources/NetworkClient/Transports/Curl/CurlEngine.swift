#if os(Linux)
import CCurl

/// A multi handle of libcurl with the thread that waits for its sockets.
///
/// While there are few exchanges, a caller that starts another one drives it as far as possible without waiting: a
/// request over an open connection is sent by its own caller. The engine's thread receives the responses, and starts
/// the transfers if there are many. Only one thread at a time may call libcurl: the one that has the *turn*, which is
/// either the engine's thread or a caller's. A caller without the turn leaves a command, which the thread with the turn
/// carries out. The engine's thread ends when the engine is closed and has no transfer left. See ENGINE.md.
final class CurlEngine: Sendable {
    private let state: Locked<State>
    private let transfers: Locked<CurlTransfers>
    let poller: SocketPoller
    let executor: CurlExecutor
    let lookUps = LookUps()
    let connections = CurlConnections()
    let sessions: CurlSessions
    let proxy: CurlTransport.Proxy
    private let turn = DispatchSemaphore(value: 0)

    /// Creates an engine; nil if there is no memory, descriptor or thread left.
    init?(configuration: CurlTransport.Configuration) {
        guard ccurl_has_descriptors(CurlEngines.descriptorsOfAnEngine) != 0, let poller = SocketPoller(),
            let sessions = CurlSessions(configuration)
        else { return nil }
        let transfers = CurlTransfers(
            poller: poller,
            lookUps: lookUps,
            sessions: sessions,
            configuration: configuration
        )
        guard let transfers else {
            sessions.free()
            return nil
        }
        (self.poller, self.sessions, proxy) = (poller, sessions, configuration.proxy)
        executor = CurlExecutor(poller: poller)
        self.transfers = Locked(transfers)
        // The longest wait of the thread. It ends before a connect timeout, so that a caller that starts a transfer
        // need not wake the thread.
        let connectTime = CurlHandle.connectTime(of: configuration) - 1_000
        state = Locked(State(longestWait: min(MonotonicClock.nanoseconds(60), connectTime * 1_000_000)))
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

    /// Starts a transfer; returns false if the engine is closed.
    func start(_ exchange: CurlExchange) -> Bool {
        let admission = state.withLock { state -> Admission in
            guard !state.isClosed else { return .refused }
            guard state.isTurnTaken || exchange.place.isBusy || executor.isCurrent else {
                defer { state.commands = [] }
                return .hasTurn(beginsWatch: state.takeTurn(), earlier: state.commands)
            }
            return .leftCommand(wakesThread: state.add(.start(exchange)))
        }
        switch admission {
        case .refused: return false
        case .hasTurn(let beginsWatch, let earlier):
            beginRound(beginsWatch)
            useTurn(toStart: exchange, after: earlier)
        case .leftCommand(let wakesThread): if wakesThread { wakeThread() }
        }
        return true
    }

    /// Stops a transfer whose exchange is over.
    ///
    /// Always a command: the caller may hold a task's lock, which is needed to end an exchange.
    func stop(_ exchange: CurlExchange) {
        leave(.stop(exchange))
    }

    /// Continues a paused transfer; always a command.
    func goOn(_ exchange: CurlExchange) {
        leave(.goOn(exchange))
    }

    /// Ends a transfer with a timeout if it has no connection yet; always a command.
    func checkConnection(_ exchange: CurlExchange) {
        leave(.checkConnection(exchange))
    }

    /// Ends a transfer that receives the body of a redirect; always a command.
    func endRedirectBody(_ exchange: CurlExchange) {
        leave(.endRedirectBody(exchange))
    }

    private func leave(_ command: Command) {
        let isForThread = state.withLock { state in
            guard !state.isOver else { return false }
            return state.add(command)
        }
        if isForThread { wakeThread() }
    }

    /// Wakes the thread for a command, unless it is running the task that has left the command.
    private func wakeThread() {
        if !executor.isCurrent { poller.wake() }
    }

    /// Stops receiving at the socket of a paused transfer, or begins again; call it only with the turn.
    func setReceiving(_ isReceiving: Bool, at socket: CInt) {
        poller.setReceiving(isReceiving, at: socket)
    }

    /// Refuses new transfers; transfers in flight continue.
    func close() {
        let isOver = state.withLock { state in
            state.isClosed = true
            return state.isOver
        }
        if !isOver { poller.wake() }
    }

    /// Carries out the earlier commands, starts a transfer, carries out the commands that arrive while it does so, and
    /// gives up the turn.
    private func useTurn(toStart exchange: CurlExchange, after earlier: [Command]) {
        // Earlier commands are carried out first, since transfers that they stop free their connections for this one.
        if !earlier.isEmpty { carryOut(earlier) }
        giveUpTurn(isThread: false, after: carryOut { $0.start(exchange) })
    }

    @discardableResult
    private func carryOut(_ commands: [Command]) -> Rest {
        carryOut { transfers in
            for command in commands {
                switch command {
                case .start(let exchange): transfers.start(exchange)
                case .stop(let exchange): transfers.stop(exchange)
                case .goOn(let exchange): transfers.goOn(exchange)
                case .checkConnection(let exchange): transfers.checkConnection(exchange)
                case .endRedirectBody(let exchange): transfers.endRedirectBody(exchange)
                }
            }
        }
    }

    private func carryOut(_ work: (inout CurlTransfers) -> Void) -> Rest {
        let end = MonotonicClock.coarseNow + Self.longestWork
        let (finished, rest) = transfers.withLock { transfers in
            work(&transfers)
            transfers.handleTimer(until: end)
            return (transfers.takeFinished(), Rest(dueTime: transfers.dueTime, isIdle: transfers.isEmpty))
        }
        // Ends them in one batch: the first resumption wakes a thread of the Swift concurrency pool, which can then run
        // the others too.
        for transfer in finished { transfer.endExchange() }
        for exchange in poller.round.takeStreams() { exchange.advanceStream() }
        return rest
    }

    /// Carries out the commands that have arrived, and gives up the turn when there are no more.
    ///
    /// Returns false to the thread if the engine is closed and has no transfer left.
    @discardableResult
    private func giveUpTurn(isThread: Bool, after rest: Rest) -> Bool {
        var rest = rest
        var commands: [Command] = []
        while true {
            commands.removeAll(keepingCapacity: true)
            switch state.withLock({ $0.next(&commands, rest, isThread: isThread) }) {
            case .commands:
                poller.round.begin()
                rest = carryOut(commands)
            case .nothing: return true
            case .wakeThread:
                poller.wake()
                return true
            case .handOver:
                turn.signal()
                return true
            case .end:
                transfers.withLock { $0.free() }
                return false
            }
        }
    }

    private func run() {
        executor.begin()
        defer { executor.end() }
        var events = SocketEvents()
        var goesOn = true
        while goesOn {
            let waits = executor.isEmpty && events.isEmpty
            let canWait = poller.wait(until: waits ? state.withLock { $0.wakeTime } : 0, into: &events)
            takeTurn()
            guard canWait else { return endWithoutSockets() }
            let rest = carryOut { transfers in
                for event in events.takeRound() { events.moved(transfers.handle(event), at: event.socket) }
            }
            goesOn = giveUpTurn(isThread: true, after: rest)
            guard goesOn, executor.run() else { continue }
            // One round carries out the commands of all these tasks.
            takeTurn()
            goesOn = giveUpTurn(isThread: true, after: .unknown)
        }
    }

    /// Ends all exchanges after their sockets were closed by other code, such as `closefrom(3)`.
    private func endWithoutSockets() {
        state.withLock { $0.isClosed = true }
        // Transfers may start until the engine is closed, and all of them have to end before the thread does.
        while true {
            guard giveUpTurn(isThread: true, after: carryOut { $0.failAll(.descriptorsClosed) }) else { return }
            // Pauses for 1 ms: the sockets can't be polled any more, and `turn` is signalled only for a thread that
            // waits in `takeTurn()`.
            _ = turn.wait(timeout: .now() + .milliseconds(1))
            takeTurn()
        }
    }

    /// The time in nanoseconds after which commands and further events take precedence over libcurl's timer.
    private static let longestWork: UInt64 = 4_000_000

    private func takeTurn() {
        let (mustWait, beginsWatch) = state.withLock { state in
            state.isThreadWaiting = state.isTurnTaken
            return (state.isTurnTaken, state.isTurnTaken ? false : state.takeTurn())
        }
        if mustWait { turn.wait() }
        beginRound(beginsWatch)
    }

    private func beginRound(_ beginsWatch: Bool) {
        poller.round.begin()
        if beginsWatch { TimerRoster.watches.add(Watch(self)) }
    }

    /// Ends the watch of the engine unless a caller or the thread has the turn; returns whether the watch continues.
    func continueWatch() -> Bool {
        state.withLock { state in
            state.isWatched = state.isTurnTaken
            return state.isTurnTaken
        }
    }
}
#endif
