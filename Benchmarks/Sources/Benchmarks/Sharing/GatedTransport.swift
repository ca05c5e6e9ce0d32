import BenchmarkHarness
import Foundation
import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Counts exchanges and holds each until the gate is opened; then another transport makes it.
final class GatedTransport: Transport {
    private struct State {
        var exchanges = 0
        var cancellations = 0
        var isOpen = false
        var lastID = 0
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
    }

    private let state = Locked(State())
    private let inner: any Transport

    init(_ inner: any Transport) {
        self.inner = inner
    }

    var exchanges: Int { state.withLock { $0.exchanges } }

    /// How many exchanges were cancelled at the gate.
    var cancellations: Int { state.withLock { $0.cancellations } }

    var description: String { "GatedTransport" }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [:] }
            return state.waiters.values.map { $0 }
        }
        for waiter in waiters { waiter.resume() }
    }

    func close() {
        state.withLock { $0.isOpen = false }
    }

    func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
        let id = state.withLock { state in
            state.exchanges += 1
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiters[id] = waiter }
                    return state.isOpen
                }
                if isOpen { waiter.resume() }
                if Task.isCancelled { giveUp(id) }
            }
        } onCancel: {
            giveUp(id)
        }
        return try await inner.send(request, options: options)
    }

    private func giveUp(_ id: Int) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: id)
            if waiter != nil { state.cancellations += 1 }
            return waiter
        }
        waiter?.resume(throwing: CancellationError())
    }
}
