#if os(Linux) || os(Android)
import CCurl
import Foundation

/// One thread that moves the bytes of all transfers of a transport.
///
/// Everything about a transfer is prepared and read elsewhere; what the thread is told goes through a queue. It waits
/// in `curl_multi_poll` without using the processor, and ends when the engine is closed and no transfer is left.
final class CurlEngine: Sendable {
    private enum Command {
        case start(CurlExchange)
        case stop(CurlExchange)
    }

    private struct State {
        var commands: [Command] = []
        /// Whether the thread is waiting, or about to, and has to be woken.
        var isWaiting = false
        var isClosed = false
        /// The address of the set of transfers, which only the thread frees, under the lock; 0 when it has.
        var multi: UInt
    }

    private let state: Locked<State>

    /// Nil if libcurl has no memory.
    init?() {
        guard let multi = ccurl_multi_make() else { return nil }
        state = Locked(State(multi: UInt(bitPattern: multi)))
        let thread = Thread { [self] in run() }
        thread.name = "NetworkClient.CurlEngine"
        thread.start()
    }

    /// Starts a transfer; false if the engine is closed.
    func start(_ exchange: CurlExchange) -> Bool {
        submit(.start(exchange), evenIfClosed: false)
    }

    /// Stops a transfer of which nobody waits for the end any more.
    func stop(_ exchange: CurlExchange) {
        _ = submit(.stop(exchange), evenIfClosed: true)
    }

    /// Refuses new transfers; those that are under way go on.
    func close() {
        state.withLock { state in
            state.isClosed = true
            wake(&state)
        }
    }

    private func submit(_ command: Command, evenIfClosed: Bool) -> Bool {
        state.withLock { state in
            guard evenIfClosed || !state.isClosed else { return false }
            state.commands.append(command)
            wake(&state)
            return true
        }
    }

    private func wake(_ state: inout State) {
        guard state.isWaiting, state.multi != 0 else { return }
        state.isWaiting = false
        _ = ccurl_multi_wakeup(OpaquePointer(bitPattern: state.multi))
    }

    private func run() {
        guard let multi = state.withLock({ OpaquePointer(bitPattern: $0.multi) }) else { return }
        var transfers = CurlTransfers(multi: multi)
        while let commands = nextCommands(transfers.isEmpty) {
            for command in commands {
                switch command {
                case .start(let exchange): transfers.start(exchange)
                case .stop(let exchange): transfers.stop(exchange)
                }
            }
            transfers.move()
            wait(for: transfers, multi)
        }
        _ = ccurl_multi_free(multi)
    }

    /// What was submitted since; nil if the engine is closed and nothing is left.
    private func nextCommands(_ isIdle: Bool) -> [Command]? {
        state.withLock { state in
            state.isWaiting = false
            if state.isClosed, isIdle, state.commands.isEmpty {
                state.multi = 0
                return nil
            }
            defer { state.commands.removeAll(keepingCapacity: true) }
            return state.commands
        }
    }

    private func wait(for transfers: CurlTransfers, _ multi: OpaquePointer) {
        let mayWait = state.withLock { state in
            state.isWaiting = state.commands.isEmpty && !(state.isClosed && transfers.isEmpty)
            return state.isWaiting
        }
        if mayWait { _ = ccurl_multi_poll(multi, transfers.patience) }
    }
}
#endif
