import BenchmarkHarness

/// The report on a soak.
struct SoakFigures {
    let plan: SoakPlan
    let outcome: SoakRun.Outcome
    let before: ProcessFacts
    let after: ProcessFacts

    func report(to report: Report) {
        report.note(
            "\(plan.requests) calls by \(plan.workers) workers over \(plan.connections) connections, "
                + "\(plan.cancelled) % of them cancelled: \(plan.moments.map(\.rawValue).joined(separator: ", ")); "
                + "seed \(plan.seed). \(Figures.number(outcome.seconds)) s, "
                + "\(Figures.number(Double(plan.requests) / outcome.seconds, digits: 0)) calls a second, "
                + "\(outcome.requests) requests at the server."
        )
        report.table(outcomes())
        report.table(facts())
        report.note("")
        requireOutcomes(report)
        requireNothingLeft(report)
    }

    private func outcomes() -> Table {
        var table = Table("kind", "as expected", "cancelled", "cancelled, but done before", "lost", "wrong")
        for kind in plan.kinds {
            let counts = outcome.tally.counts[kind] ?? SoakTally.Counts()
            let figures = [counts.completed, counts.cancelled, counts.completedThough, counts.lost, counts.wrong]
            table.add([kind.rawValue] + figures.map(String.init))
        }
        return table
    }

    private func facts() -> Table {
        var table = Table("", "before", "at the end", "after")
        let all = [before, outcome.facts, after]
        func add(_ name: String, _ texts: [String]) { table.add([name] + texts) }
        add("descriptors", all.map { Figures.count($0.descriptors) })
        add("threads", all.map { Figures.count($0.threads) })
        add("resident", all.map { Figures.megabytes($0.residentBytes) })
        add("heap", all.map { Figures.megabytes($0.heapBytes) })
        return table
    }

    private func requireOutcomes(_ report: Report) {
        let tally = outcome.tally
        report.require(tally.done == plan.requests, "every call ended", "\(tally.done)")
        let wrong = tally.counts.values.reduce(0) { $0 + $1.wrong }
        report.require(
            wrong == 0,
            "each as expected, or with CancellationError if it was cancelled",
            wrong == 0 ? "none otherwise" : "\(wrong): \(tally.wrong.joined(separator: "; "))"
        )
        let latencies = outcome.latencies
        let figures = [latencies.median, latencies.high, latencies.longest].map { Figures.number($0, digits: 2) }
        report.goal(
            latencies.longest < 200,
            "a caller knows within 200 ms that it is cancelled",
            "median \(figures[0]) ms, 99 % \(figures[1]) ms, longest \(figures[2]) ms"
        )
    }

    private func requireNothingLeft(_ report: Report) {
        report.require(!outcome.isHeld, "transport and clients are gone", "\(!outcome.isHeld)")
        report.require(outcome.openConnections == 0, "no connection is open", "\(outcome.openConnections)")
        if let before = before.descriptors, let after = after.descriptors {
            report.require(after <= before + 2, "no more descriptors than before (within 2)", "\(after - before)")
        }
        if let before = before.threads, let after = after.threads {
            report.require(after <= before + 4, "no more threads than before (within 4)", "\(after - before)")
        }
        requireNoMemory(report)
    }

    private func requireNoMemory(_ report: Report) {
        // FoundationNetworking leaks the components of a URL with each task of a session.
        let each = plan.transport == .session ? 300 : 1
        let allowed = 1_000_000 + plan.requests * each
        if let before = before.heapBytes, let after = after.heapBytes {
            let perCall = Figures.number(Double(after - before) / Double(plan.requests), digits: 2)
            report.require(
                after - before < allowed,
                "no more on the heap than before (within \(each) B a call, and 1 MB)",
                "\(Figures.megabytes(after - before)), \(perCall) B a call"
            )
        }
        guard let before = before.residentBytes, let after = after.residentBytes else { return }
        report.require(
            after - before < allowed + 20_000_000,
            "no more memory than before (within \(each) B a call, and 21 MB)",
            Figures.megabytes(after - before)
        )
    }
}
