import Foundation
import NetworkClient
import Synchronization

/// The time limits of one exchange: AsyncHTTPClient has none that hold for one request until its last byte.
final class TimeLimits: Sendable {
    private struct State {
        var lastByte = ContinuousClock.now
        /// Whether the server is waiting for the client, which is no reason for a timeout.
        var isPaused = false
    }

    private let request: URLRequest
    private let idle: Duration
    private let end: ContinuousClock.Instant?
    private let state = Mutex(State())

    init(of request: URLRequest, _ options: TransportOptions) {
        // The clock can't count further than this.
        func duration(_ seconds: TimeInterval) -> Duration { .seconds(min(seconds, 1e9)) }
        self.request = request
        idle = duration(request.timeoutInterval)
        end = options.exchangeTimeout.map { .now + duration($0) }
    }

    /// Notes that bytes were sent or received.
    func noteProgress() {
        state.withLock { $0.lastByte = .now }
    }

    /// Performs `operation` without regard to the time without a byte.
    func pause<Value>(isolation: isolated (any Actor)? = #isolation, _ operation: () async -> Value) async -> Value {
        state.withLock { $0.isPaused = true }
        let value = await operation()
        state.withLock { $0 = State() }
        return value
    }

    /// Runs an operation, and cancels it when a limit is exceeded.
    ///
    /// - Throws: The error of the operation, or ``TransportError/Reason/timedOut``.
    func apply<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
        noteProgress()
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await operation() }
            group.addTask {
                try await self.waitForTimeout()
                return nil
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() ?? nil else { throw TransportError(.timedOut, request: request) }
            return value
        }
    }

    private func waitForTimeout() async throws {
        while true {
            let begin = state.withLock { $0.isPaused ? .now : $0.lastByte }
            let next = min(begin + idle, end ?? begin + idle)
            guard next > .now else { return }
            try await Task.sleep(until: next, clock: .continuous)
        }
    }
}
