import Foundation

/// Ends the process with a message when there was no progress for a while, so that a hang becomes a failure.
public final class Watchdog: Sendable {
    private struct State {
        var lastSign = Clocks.elapsed
        var isStopped = false
    }

    private let state = Locked(State())

    /// Starts to watch on a separate thread, which shares nothing that may hang.
    ///
    /// - Parameters:
    ///   - seconds: The longest time without progress.
    ///   - describe: Returns a description of the work in flight, for standard error.
    public init(seconds: Int, _ describe: @escaping @Sendable () -> String) {
        Thread.detachNewThread { [weak self] in
            while let isHung = self?.isHung(after: seconds) {
                if isHung { Self.end("hang: nothing moved for \(seconds) s: \(describe())\n") }
                usleep(200_000)
            }
        }
    }

    /// Records progress.
    public func sign() {
        let now = Clocks.elapsed
        state.withLock { $0.lastSign = now }
    }

    /// Stops the watchdog.
    public func stop() {
        state.withLock { $0.isStopped = true }
    }

    /// The time of the last progress; nil after ``stop()``.
    private func isHung(after seconds: Int) -> Bool? {
        state.withLock { state in
            state.isStopped ? nil : Clocks.elapsed > state.lastSign + UInt64(seconds) * 1_000_000_000
        }
    }

    /// With the environment variable `BENCHMARKS_HOLD` the process keeps hanging, for a debugger.
    private static func end(_ message: String) {
        FileHandle.standardError.write(Data(message.utf8))
        if ProcessInfo.processInfo.environment["BENCHMARKS_HOLD"] != nil { while true { sleep(3600) } }
        abort()
    }
}
