#if os(Linux)
import CCurl
import Foundation

/// The engines of a transport, of which there are more when there is more to do than one thread can.
///
/// Each has connections of its own, so that another one is made and used only when the first is busy. The exchanges
/// with one https origin stay with one engine, since HTTP/2 has one connection for all of them.
final class CurlEngines: Sendable {
    fileprivate struct State {
        /// Nil for those that there was no need for yet.
        var engines: [CurlEngine?]
        /// How many exchanges each has in flight.
        var loads: [Int]
        var isClosed = false
    }

    private let configuration: CurlTransport.Configuration
    private let state: Locked<State>
    /// Of the process that made the engines: a child has none of their threads.
    private let forkCount = ccurl_fork_count()

    /// An engine is made with the first exchange that needs it, so that a lack of descriptors is a failure of that one.
    init(configuration: CurlTransport.Configuration) {
        self.configuration = configuration
        let none = [CurlEngine?](repeating: nil, count: Self.most)
        state = Locked(State(engines: none, loads: Array(repeating: 0, count: Self.most)))
    }

    /// The engine for another exchange, which has to be given back when that is over.
    ///
    /// - Throws: ``CurlFailure/forked`` in a child that the process made by `fork`; ``CurlFailure/tooManyOpenFiles``.
    func take(for origin: Origin) throws(CurlFailure) -> (engine: CurlEngine, index: Int) {
        guard ccurl_fork_count() == forkCount else { throw .forked }
        let taken: (CurlEngine, Int)? = state.withLock { state in
            var index = origin.scheme == "https" ? abs(origin.hashValue % Self.most) : state.leastBusy()
            if state.engines[index] == nil, !state.isClosed {
                state.engines[index] = CurlEngine(configuration: configuration)
            }
            if state.engines[index] == nil { index = state.engines.firstIndex { $0 != nil } ?? index }
            guard let engine = state.engines[index] else { return nil }
            state.loads[index] += 1
            return (engine, index)
        }
        guard let taken else {
            guard !state.withLock({ $0.isClosed }) else { throw .closed }
            throw ccurl_has_descriptors() == 0 ? .tooManyOpenFiles : .noEngine
        }
        return taken
    }

    func giveBack(_ index: Int) {
        state.withLock { $0.loads[index] -= 1 }
    }

    /// Refuses new exchanges; those that are under way go on.
    func close() {
        let engines = state.withLock { state in
            state.isClosed = true
            return state.engines
        }
        for engine in engines { engine?.close() }
    }

    /// As many as there are processors, and a few at the most.
    static let most = max(1, min(4, ProcessInfo.processInfo.activeProcessorCount))
}

extension CurlEngines.State {
    /// An engine that has little to do, or else the one that has least; one more than there are if all have much.
    fileprivate func leastBusy() -> Int {
        if let idle = loads.indices.first(where: { engines[$0] != nil && loads[$0] < Self.little }) { return idle }
        return engines.firstIndex { $0 == nil } ?? loads.indices.min { loads[$0] < loads[$1] } ?? 0
    }

    /// What one thread does before another pays.
    private static let little = 8
}
#endif
