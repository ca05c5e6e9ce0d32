import Foundation

/// Ends the process with a message when nothing has moved for a while: a hang is a failure, and not for ever.
public final class Watchdog: Sendable {
    private struct State {
        var lastSign = Clocks.elapsed
        var isStopped = false
    }

    private let state = Locked(State())

    /// Begins to watch, on a thread of its own, which needs nothing that may hang.
    ///
    /// - Parameters:
    ///   - seconds: How long nothing may move.
    ///   - describe: Says on standard error what was under way.
    public init(seconds: Int, _ describe: @escaping @Sendable () -> String) {
        Thread.detachNewThread { [weak self] in
            while let isHung = self?.isHung(after: seconds) {
                if isHung { Self.end("hang: nothing moved for \(seconds) s: \(describe())\n") }
                usleep(200_000)
            }
        }
    }

    /// Something moved.
    public func sign() {
        let now = Clocks.elapsed
        state.withLock { $0.lastSign = now }
    }

    /// Watches no longer.
    public func stop() {
        state.withLock { $0.isStopped = true }
    }

    /// Nil when it is to watch no longer.
    private func isHung(after seconds: Int) -> Bool? {
        state.withLock { state in
            state.isStopped ? nil : Clocks.elapsed > state.lastSign + UInt64(seconds) * 1_000_000_000
        }
    }

    /// With the environment variable `BENCHMARKS_HOLD` the process stays as it is, for a debugger.
    private static func end(_ message: String) {
        FileHandle.standardError.write(Data(message.utf8))
        if ProcessInfo.processInfo.environment["BENCHMARKS_HOLD"] != nil { while true { sleep(3600) } }
        abort()
    }
}
