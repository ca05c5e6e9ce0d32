import BenchmarkHarness

/// Mixed requests, many of them cancelled at all moments of their lives, and what is left of them.
struct SoakBenchmark: Benchmark {
    private let transport: TransportKind

    init(_ transport: TransportKind) {
        self.transport = transport
    }

    var name: String { "soak-\(transport)" }

    var summary: String {
        "Mixed requests over \(transport.rawValue), many of them cancelled: every outcome, and what is left over."
    }

    func run(_ options: Options, _ report: Report) async throws {
        let plan = try SoakPlan(options, transport)
        var warmUp = plan
        warmUp.requests = min(plan.requests, 2_000)
        _ = try await SoakRun(plan: warmUp).run()
        // Threads of the pools linger for some seconds.
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
