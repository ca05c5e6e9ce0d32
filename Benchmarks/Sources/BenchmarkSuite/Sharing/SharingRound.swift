import Foundation
import NetworkClient
import NetworkUtilities
import Synchronization

/// Many concurrent callers of one shared request: all callers join before the exchange can end.
struct SharingRound {
    let client: NetworkClient
    let gate: GatedTransport
    let request: URLRequest
    let callers: Int
    private let interceptor = CountingInterceptor()

    struct Result {
        var responses = 0
        var cancellations = 0
        var others: [String] = []
        var exchanges = 0
        /// The seconds from the first call until all callers wait.
        var joiningSeconds = 0.0
        /// The seconds from the opening of the gate, or from the cancellation, to the last caller's result.
        var settlingSeconds = 0.0
        /// The resident memory while all callers wait.
        var residentBytes: Int?
    }

    enum Ending {
        case completed
        case cancelled
    }

    init(_ transport: any Transport, _ request: URLRequest, callers: Int) {
        gate = GatedTransport(transport)
        client = NetworkClient(transport: gate, interceptors: [interceptor], logging: .off)
        self.request = request.withInstanceCaching()
        self.callers = callers
    }

    func run(_ ending: Ending) async -> Result {
        gate.close()
        var result = Result()
        let (exchangesBefore, passesBefore, start) = (gate.exchanges, interceptor.count, Clocks.elapsed)
        let tasks = (0..<callers).map { _ in
            Task { try await client.fetch(request: request) as NetworkClient.Response<Data> }
        }
        _ = await Quiescence.wait(atMost: 60) { interceptor.count - passesBefore == callers }
        // Nothing suspends between the interceptor and the place where callers wait: when the process is idle, the last
        // caller waits there too.
        result.joiningSeconds = Clocks.seconds(since: start)
        await Quiescence.wait()
        result.residentBytes = ProcessFacts.now().residentBytes
        let end = Clocks.elapsed
        switch ending {
        case .completed: gate.open()
        case .cancelled: for task in tasks { task.cancel() }
        }
        for task in tasks { result.count(await task.result) }
        result.settlingSeconds = Clocks.seconds(since: end)
        result.exchanges = gate.exchanges - exchangesBefore
        return result
    }
}

extension SharingRound.Result {
    fileprivate mutating func count(_ outcome: Swift.Result<NetworkClient.Response<Data>, any Error>) {
        switch outcome {
        case .success(let response) where !response.item.isEmpty: responses += 1
        case .failure(is CancellationError): cancellations += 1
        case .success: others.append("an empty response")
        case .failure(let error): others.append("\(error)")
        }
    }
}

/// Counts the requests that pass.
private final class CountingInterceptor: InterceptorProtocol {
    private let passes = Atomic(0)

    var count: Int { passes.load(ordering: .relaxed) }

    func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
        passes.add(1, ordering: .relaxed)
        return try await next(request)
    }
}

/// Counts exchanges, and holds each until the gate is opened; then another transport performs the exchange.
final class GatedTransport: Transport {
    private struct State {
        var exchanges = 0
        var cancellations = 0
        var isOpen = false
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
    }

    private let state = Locked(State())
    private let inner: any Transport

    init(_ inner: any Transport) {
        self.inner = inner
    }

    var exchanges: Int { state.withLock { $0.exchanges } }

    /// The number of exchanges that were cancelled at the gate.
    var cancellations: Int { state.withLock { $0.cancellations } }

    var description: String { "GatedTransport" }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    func close() {
        state.withLock { $0.isOpen = false }
    }

    func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
        let id = state.withLock { state in
            state.exchanges += 1
            return state.exchanges
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
