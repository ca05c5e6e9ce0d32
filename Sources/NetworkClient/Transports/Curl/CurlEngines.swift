#if os(Linux)
import CCurl

/// The engines of a transport: one, or several if there is more work than one thread can do.
///
/// Each engine has its own connections, so another engine is used only if the others are busy. All exchanges with one
/// https origin use the same engine, since HTTP/2 has one connection for all of them, unless the origin has responded
/// with HTTP/1.1. An origin that is new gets the engine with the least work, so that it is not beside large downloads.
final class CurlEngines: Sendable {
    /// The engine of an exchange.
    struct Place: Sendable {
        let engine: CurlEngine
        let index: Int
        /// Whether the engine has so many exchanges that its thread should start this one, instead of the caller.
        let isBusy: Bool
    }

    fileprivate struct State {
        /// The engines; nil for an engine that was not needed yet.
        var engines: [CurlEngine?]
        /// The number of exchanges that each engine has in flight.
        var loads: [Int]
        /// The number of exchanges among them whose bodies are streamed: these may wait for a long time.
        var streams: [Int]
        /// The https origins that have responded with HTTP/1.1.
        var plainOrigins = KnownOrigins()
        /// The index of the engine that has the connections of each https origin.
        var places: [Origin: Int] = [:]
        var isClosed = false
        /// The index of the engine whose executor was returned last; nil if none was.
        var lastExecutor: Int?
    }

    private let configuration: CurlTransport.Configuration
    private let state: Locked<State>
    /// The fork count of the process that created the engines: a forked child process doesn't have their threads.
    private let forkCount = ccurl_fork_count()

    /// Creates an empty set of engines.
    ///
    /// The first exchange that needs an engine creates it, so that a lack of descriptors fails that exchange.
    init(configuration: CurlTransport.Configuration) {
        self.configuration = configuration
        let zeros = Array(repeating: 0, count: Self.count)
        let none = [CurlEngine?](repeating: nil, count: Self.count)
        state = Locked(State(engines: none, loads: zeros, streams: zeros))
    }

    /// Returns the engine for another exchange, which has to be given back when the exchange has ended.
    ///
    /// - Throws: ``CurlFailure/forked`` in a forked child process; ``CurlFailure/tooManyOpenFiles``.
    func take(for origin: Origin, isStream: Bool) throws(CurlFailure) -> Place {
        guard ccurl_fork_count() == forkCount else { throw .forked }
        let taken: Place? = state.withLock { state in
            let shared = configuration.versions == .http1 ? nil : state.index(for: origin)
            let index = shared ?? state.current ?? state.leastBusy()
            guard let (engine, index) = state.engine(at: index, configuration) else { return nil }
            state.loads[index] += 1
            if isStream { state.streams[index] += 1 }
            let load = state.loads[index] - state.streams[index]
            return Place(engine: engine, index: index, isBusy: load > Self.busyLoad)
        }
        guard let taken else {
            guard !state.withLock({ $0.isClosed }) else { throw .closed }
            throw ccurl_has_descriptors(Self.descriptorsOfAnEngine) == 0 ? .tooManyOpenFiles : .noEngine
        }
        return taken
    }

    /// The executor of one engine after the other; the global one if there is no engine, and in a forked process.
    var executor: any TaskExecutor {
        guard ccurl_fork_count() == forkCount else { return globalConcurrentExecutor }
        let engine: CurlEngine? = state.withLock { state in
            let index = state.lastExecutor.map { ($0 + 1) % Self.most } ?? 0
            state.lastExecutor = index
            return state.engine(at: index, configuration)?.engine
        }
        return engine?.executor ?? globalConcurrentExecutor
    }

    func giveBack(_ index: Int, isStream: Bool) {
        state.withLock { state in
            state.loads[index] -= 1
            if isStream { state.streams[index] -= 1 }
        }
    }

    /// Records which version of HTTP an origin has responded with: whether its connections carry several exchanges.
    func responded(_ origin: Origin, sharesConnection: Bool) {
        guard origin.scheme == "https" else { return }
        state.withLock { state in
            guard state.plainOrigins.contains(origin) == sharesConnection else { return }
            if sharesConnection { state.plainOrigins.remove(origin) } else { state.plainOrigins.insert(origin) }
        }
    }

    /// Lets further exchanges with an https origin use another engine, which does not have its connections.
    func moveOn(_ origin: Origin) {
        state.withLock { state in
            guard let index = state.places[origin] else { return }
            state.places[origin] = (index + 1) % state.engines.count
        }
    }

    /// Whether connections to an origin may carry several exchanges: it is not known to respond with HTTP/1.1.
    func mayShareConnections(to origin: Origin) -> Bool {
        configuration.versions != .http1 && state.withLock { $0.mayShareConnections(to: origin) }
    }

    /// The number of calls of libcurl so far.
    var callCount: Int {
        state.withLock { $0.engines }.reduce(0) { $0 + ($1?.poller.round.callCount ?? 0) }
    }

    var hasSeveralExchanges: Bool { state.withLock { $0.loads.reduce(0, +) > 1 } }

    /// Refuses new exchanges; exchanges in flight continue.
    func close() {
        let engines = state.withLock { state in
            state.isClosed = true
            return state.engines
        }
        for engine in engines { engine?.close() }
    }

    /// The maximum number of descriptors that an engine needs before its first connection.
    static let descriptorsOfAnEngine: CInt = 4

    /// The number of exchanges, without streams, above which callers let the thread start another exchange.
    ///
    /// The thread starts exchanges that arrive together without giving up the turn in between: 10 to 13 % more requests
    /// per second with 16 and 64 callers. A single caller would get half as many if it waited for the thread.
    private static let busyLoad = 4

    /// The maximum number of engines: half the processors, and up to 4 all of them, but at most 16.
    ///
    /// Each of them keeps idle connections, so there are at most 4 for each 1,024 descriptors of the process.
    static let most: Int = {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        return max(1, min(processors, max(4, min(16, processors / 2, CurlLibrary.descriptorLimit / 256))))
    }()

    /// The number of engines, with one to which origins can move on from the only one.
    private static let count = max(2, most)
}

/// A set of origins with one property that exchanges find out, such as the version of HTTP.
///
/// It has at most 1,000 origins: then it is emptied, and exchanges find the property out again.
struct KnownOrigins: Sendable {
    private var origins: Set<Origin> = []

    var count: Int { origins.count }

    func contains(_ origin: Origin) -> Bool { !origins.isEmpty && origins.contains(origin) }

    mutating func insert(_ origin: Origin) {
        if origins.count >= 1_000 { origins.removeAll() }
        origins.insert(origin)
    }

    mutating func remove(_ origin: Origin) { origins.remove(origin) }
}

extension CurlEngines.State {
    fileprivate func mayShareConnections(to origin: Origin) -> Bool {
        origin.scheme == "https" && !plainOrigins.contains(origin)
    }

    /// Returns the index of the engine that has the connections of an origin, at first one with little work; nil if any
    /// may have one.
    fileprivate mutating func index(for origin: Origin) -> Int? {
        guard mayShareConnections(to: origin) else { return nil }
        if let index = places[origin] { return index }
        // Like ``KnownOrigins``.
        if places.count >= 1_000 { places = [:] }
        let counts = places.values.reduce(into: [Int](repeating: 0, count: engines.count)) { $0[$1] += 1 }
        let index = (0..<CurlEngines.most).min { (loads[$0], counts[$0]) < (loads[$1], counts[$1]) } ?? 0
        places[origin] = index
        return index
    }

    /// Returns the engine at an index, and makes it if it was not needed before.
    ///
    /// If it can't be made, returns another engine; nil if there is none.
    fileprivate mutating func engine(
        at index: Int,
        _ configuration: CurlTransport.Configuration
    ) -> (engine: CurlEngine, index: Int)? {
        if engines[index] == nil, !isClosed { engines[index] = CurlEngine(configuration: configuration) }
        if let engine = engines[index] { return (engine, index) }
        return engines.firstIndex { $0 != nil }.flatMap { index in engines[index].map { ($0, index) } }
    }

    /// The index of the engine on whose thread the caller runs; nil on any other thread.
    fileprivate var current: Int? {
        lastExecutor == nil ? nil : engines.firstIndex { $0?.executor.isCurrent == true }
    }

    /// Returns the index of an engine with little work, otherwise of a new engine, otherwise of the least busy engine.
    fileprivate func leastBusy() -> Int {
        let usual = 0..<CurlEngines.most
        if let idle = usual.first(where: { engines[$0] != nil && loads[$0] < Self.little }) { return idle }
        return usual.first { engines[$0] == nil } ?? usual.min { loads[$0] < loads[$1] } ?? 0
    }

    /// The number of exchanges of an engine from which another engine is worthwhile.
    private static let little = 8
}
#endif
