#if os(Linux)
import Foundation

/// The engines of a transport, of which there are more when there is more to do than one thread can.
///
/// Each has connections of its own, so that another one is made and used only when the first is busy. The exchanges
/// with one https origin stay with one engine, since HTTP/2 has one connection for all of them.
final class CurlEngines: Sendable {
    fileprivate struct State {
        var engines: [CurlEngine]
        /// How many exchanges each has under way.
        var loads: [Int]
        var isClosed = false
    }

    private let configuration: CurlTransport.Configuration
    private let state: Locked<State>

    /// Nil if there is no memory, or no descriptor is left.
    init?(configuration: CurlTransport.Configuration) {
        guard let first = CurlEngine(configuration: configuration) else { return nil }
        self.configuration = configuration
        state = Locked(State(engines: [first], loads: [0]))
    }

    /// The engine for another exchange, which has to be given back when that is over.
    func take(for origin: Substring) -> (engine: CurlEngine, index: Int) {
        state.withLock { state in
            let index = isSecure(origin) ? abs(origin.hashValue % Self.most) : state.leastBusy()
            while index >= state.engines.count, !state.isClosed, let engine = CurlEngine(configuration: configuration) {
                state.engines.append(engine)
                state.loads.append(0)
            }
            let chosen = min(index, state.engines.count - 1)
            state.loads[chosen] += 1
            return (state.engines[chosen], chosen)
        }
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
        for engine in engines { engine.close() }
    }

    private func isSecure(_ origin: Substring) -> Bool {
        origin.utf8.dropFirst(4).first.map { $0 | 0x20 } == UInt8(ascii: "s")
    }

    /// As many as there are processors, and a few at the most.
    static let most = max(1, min(4, ProcessInfo.processInfo.activeProcessorCount))
}

extension CurlEngines.State {
    /// An engine that has little to do, or else the one that has least; one more than there are if all have much.
    fileprivate func leastBusy() -> Int {
        if let idle = loads.firstIndex(where: { $0 < Self.little }) { return idle }
        guard loads.count == CurlEngines.most, let least = loads.min(), let index = loads.firstIndex(of: least) else {
            return loads.count
        }
        return index
    }

    /// What one thread does before another pays.
    private static let little = 8
}
#endif
