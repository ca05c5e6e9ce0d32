import CMeasuring
import Foundation
import NetworkClient

/// Makes mixed requests, cancels many of them at any moment, and checks every outcome and what remains afterwards.
struct SoakBenchmark: Benchmark {
    let transport: TransportKind

    var name: String { "soak-\(transport)" }

    var summary: String {
        "Mixed requests over \(transport.rawValue), many of them cancelled: every outcome, and leaks."
    }

    func run(_ options: Options, _ report: Report) async throws {
        // heap_trim() doesn't reach the free ends of the arenas in which threads allocate, up to 64 MB of each.
        heap_keep_little()
        let plan = try SoakPlan(options, transport)
        var warmUp = plan
        warmUp.requests = min(plan.requests, 2_000)
        _ = try await SoakRun(plan: warmUp).run()
        // The threads of the pools end after some idle seconds.
        let before = await settled(atMost: options.isQuick ? 3 : 8) { _ in false }
        let outcome = try await SoakRun(plan: plan).run()
        let after = await settled(atMost: 20) { after in
            after.threads ?? 0 <= before.threads ?? 0 && after.descriptors ?? 0 <= before.descriptors ?? 0
        }
        report.note(
            "\(plan.requests) calls by \(plan.workers) workers over \(plan.connections) connections, "
                + "\(plan.cancelled) % of them cancelled: \(plan.moments.map(\.rawValue).joined(separator: ", ")); "
                + "seed \(plan.seed). \(format(outcome.seconds)) s, "
                + "\(format(Double(plan.requests) / outcome.seconds, digits: 0)) calls a second, "
                + "\(outcome.requests) requests at the server."
        )
        tables(plan, outcome, [before, outcome.facts, after], report)
        requireOutcomes(plan, outcome, report)
        report.require(!outcome.isHeld, "transport and clients are gone", "\(!outcome.isHeld)")
        report.require(outcome.openConnections == 0, "no connection is open", "\(outcome.openConnections)")
        requireNothingLeft(plan, before, after, report)
    }

    private func settled(atMost seconds: Double, _ isSettled: (ProcessFacts) -> Bool) async -> ProcessFacts {
        _ = await Quiescence.wait(atMost: seconds) { isSettled(ProcessFacts.now()) }
        heap_trim()
        return ProcessFacts.now()
    }

    private func tables(_ plan: SoakPlan, _ outcome: SoakRun.Outcome, _ facts: [ProcessFacts], _ report: Report) {
        let rows = plan.kinds.map { kind in
            [kind.rawValue] + SoakTally.Result.allCases.map { String(outcome.counts[kind]?[$0] ?? 0) }
        }
        report.table(["kind"] + SoakTally.Result.allCases.map(\.rawValue), rows)
        report.table(
            ["", "before", "at the end", "after"],
            [
                ["descriptors"] + facts.map { format($0.descriptors) },
                ["threads"] + facts.map { format($0.threads) },
                ["resident"] + facts.map { megabytes($0.residentBytes) },
                ["heap"] + facts.map { megabytes($0.heapBytes) },
            ]
        )
    }

    private func requireOutcomes(_ plan: SoakPlan, _ outcome: SoakRun.Outcome, _ report: Report) {
        let done = outcome.counts.values.reduce(0) { $0 + $1.values.reduce(0, +) }
        report.require(done == plan.requests, "every call ended", "\(done)")
        let wrong = outcome.counts.values.reduce(0) { $0 + ($1[.wrong] ?? 0) }
        report.require(
            wrong == 0,
            "each as expected, or with CancellationError if it was cancelled",
            wrong == 0 ? "none otherwise" : "\(wrong): \(outcome.wrong.joined(separator: "; "))"
        )
        let times = outcome.latencies.map { format($0, digits: 2) }
        report.goal(
            outcome.latencies[2] < 200,
            "a caller knows within 200 ms that it is cancelled",
            "median \(times[0]) ms, 99 % \(times[1]) ms, longest \(times[2]) ms"
        )
    }

    private func requireNothingLeft(
        _ plan: SoakPlan,
        _ before: ProcessFacts,
        _ after: ProcessFacts,
        _ report: Report
    ) {
        if let before = before.descriptors, let after = after.descriptors {
            report.require(after <= before + 2, "no more descriptors than before (within 2)", "\(after - before)")
        }
        if let before = before.threads, let after = after.threads {
            report.require(after <= before + 4, "no more threads than before (within 4)", "\(after - before)")
        }
        // FoundationNetworking leaks the components of a URL with each task of a session.
        let each = transport == .session ? 300 : 1
        let allowed = 1_000_000 + plan.requests * each
        if let before = before.heapBytes, let after = after.heapBytes {
            let perCall = format(Double(after - before) / Double(plan.requests), digits: 2)
            report.require(
                after - before < allowed,
                "no more on the heap than before (within \(each) B a call, and 1 MB)",
                "\(megabytes(after - before)), \(perCall) B a call"
            )
        }
        guard let before = before.residentBytes, let after = after.residentBytes else { return }
        let fact = "no more memory than before (within \(each) B a call, and 21 MB)"
        report.require(after - before < allowed + 20_000_000, fact, megabytes(after - before))
    }
}

/// The size of a soak, and the kinds of its calls.
struct SoakPlan: Sendable {
    let transport: TransportKind
    var requests: Int
    let workers: Int
    let connections: Int
    let seed: Int
    /// The percentage of calls that are cancelled.
    let cancelled: Int
    let moments: [CancelMoment]
    let kinds: [SoakKind]

    init(_ options: Options, _ transport: TransportKind) throws {
        self.transport = transport
        requests = try options.number("requests", quick: 4_000, full: transport == .curl ? 1_000_000 : 60_000)
        workers = try options.number("workers", quick: 64, full: 64)
        connections = try options.number("connections", quick: 64, full: 64)
        seed = try options.number("seed", quick: 1, full: 1)
        cancelled = try options.number("cancelled", quick: 50, full: transport == .curl ? 33 : 50)
        moments = try options.chosen("moments", of: CancelMoment.allCases, \.rawValue)
        // FoundationNetworking accepts some of the misbehaving responses, and hangs or crashes on others.
        kinds = try options.chosen("kinds", of: SoakKind.allCases, \.rawValue)
            .filter { transport == .curl || $0 != .misbehaving }
    }
}

/// The transports of the library.
enum TransportKind: String, CaseIterable, Sendable {
    case session = "URLSessionTransport"
    case curl = "CurlTransport"

    /// The transports of this platform.
    static var available: [TransportKind] {
        #if os(Linux)
        allCases
        #else
        [.session]
        #endif
    }

    /// Makes a new transport with a limit of connections to one server.
    func make(connections: Int) throws -> any Transport & AnyObject {
        #if os(Linux)
        if self == .curl { return try CurlTransport(configuration: .init(connectionsPerHost: 512)) }
        #endif
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.httpCookieStorage = nil
        return URLSessionTransport(session: URLSession(configuration: configuration))
    }
}
