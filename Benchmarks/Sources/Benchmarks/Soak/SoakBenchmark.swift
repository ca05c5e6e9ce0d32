import BenchmarkHarness

/// Makes mixed requests, cancels many of them at any moment, and checks every outcome and what remains afterwards.
struct SoakBenchmark: Benchmark {
    private let transport: TransportKind

    init(_ transport: TransportKind) {
        self.transport = transport
    }

    var name: String { "soak-\(transport)" }

    var summary: String {
        "Mixed requests over \(transport.rawValue), many of them cancelled: every outcome, and leaks."
    }

    func run(_ options: Options, _ report: Report) async throws {
        ProcessFacts.keepLittleFreeMemory()
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
        SoakFigures(plan: plan, outcome: outcome, before: before, after: after).report(to: report)
    }

    private func settled(atMost seconds: Double, _ isSettled: (ProcessFacts) -> Bool) async -> ProcessFacts {
        _ = await Quiescence.wait(atMost: seconds) { isSettled(ProcessFacts.now()) }
        ProcessFacts.trim()
        return ProcessFacts.now()
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
        moments = try Self.cases(options.settings["moments"], of: CancelMoment.self)
        let kinds = try Self.cases(options.settings["kinds"], of: SoakKind.self)
        // FoundationNetworking accepts some of the misbehaving responses, and hangs or crashes on others.
        self.kinds = transport == .curl ? kinds : kinds.filter { $0 != .misbehaving }
    }

    /// Parses a comma-separated list of cases; nil means all cases.
    private static func cases<Case: CaseIterable & RawRepresentable<String>>(
        _ list: String?,
        of type: Case.Type
    ) throws -> [Case] {
        guard let list else { return Array(Case.allCases) }
        return try list.split(separator: ",").map { name in
            guard let found = Case(rawValue: String(name)) else { throw UsageError("there is no \(type) '\(name)'") }
            return found
        }
    }
}
