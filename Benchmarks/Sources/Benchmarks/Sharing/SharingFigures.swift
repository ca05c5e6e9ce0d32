import BenchmarkHarness

/// The report on shared calls.
struct SharingFigures {
    struct Results {
        let first: SharingRound.Result
        let later: [SharingRound.Result]
        let abandoned: SharingRound.Result
        let cancelledExchanges: Int
        let exchangesOfOneMore: Int
    }

    let callers: Int
    let rounds: Int
    let before: ProcessFacts

    func report(_ results: Results, afterFirst: ProcessFacts, atEnd: ProcessFacts, to report: Report) {
        report.note("\(callers) callers, 1 + \(rounds) rounds that complete, one that is cancelled.")
        report.table(table(results, afterFirst, atEnd))
        report.note("")
        requireExchanges(results, report)
        let peak = atEnd.peakResidentBytes
        report.goal((peak ?? 0) < 60_000_000, "under 60 MB for the whole process", Figures.megabytes(peak))
        guard let heapBefore = afterFirst.heapBytes, let heapAtEnd = atEnd.heapBytes else { return }
        report.require(
            heapAtEnd - heapBefore < 200_000,
            "no more on the heap at the end than after the first round (within 0.2 MB)",
            Figures.megabytes(heapAtEnd - heapBefore)
        )
    }

    private func requireExchanges(_ results: Results, _ report: Report) {
        let completed = [results.first] + results.later
        let exchanges = completed.map(\.exchanges)
        report.require(exchanges.allSatisfy { $0 == 1 }, "one exchange in each round", "\(exchanges)")
        report.require(
            completed.allSatisfy { $0.responses == callers },
            "every caller receives the response",
            "\(completed.map(\.responses)) \(completed.flatMap(\.others).prefix(1))"
        )
        report.require(
            results.abandoned.cancellations == callers && results.abandoned.exchanges == 1,
            "all cancelled: each gets CancellationError",
            "\(results.abandoned.cancellations) \(results.abandoned.others.prefix(1))"
        )
        report.require(
            results.cancelledExchanges == 1,
            "and with the last of them the exchange is cancelled",
            "\(results.cancelledExchanges)"
        )
        report.require(
            results.exchangesOfOneMore == 1,
            "a call after that makes an exchange of its own",
            "\(results.exchangesOfOneMore)"
        )
    }

    private func table(_ results: Results, _ afterFirst: ProcessFacts, _ atEnd: ProcessFacts) -> Table {
        let waiting = results.first.residentBytes
        let growth = waiting.flatMap { waiting in before.residentBytes.map { waiting - $0 } }
        var table = Table("figure", "value")
        table.add("resident before", Figures.megabytes(before.residentBytes))
        table.add("resident while all wait, first round", Figures.megabytes(waiting))
        let each = growth.map { Double($0) / Double(callers) }
        table.add("growth for each caller", Figures.number(each, digits: 0) + " B")
        table.add("resident while all wait, last round", Figures.megabytes(results.later.last?.residentBytes))
        table.add("peak", Figures.megabytes(atEnd.peakResidentBytes))
        table.add("resident at the end, free pages returned", Figures.megabytes(atEnd.residentBytes))
        table.add("heap before", Figures.megabytes(before.heapBytes))
        table.add("heap after the first round", Figures.megabytes(afterFirst.heapBytes))
        table.add("heap at the end", Figures.megabytes(atEnd.heapBytes))
        table.add("until all wait, median", milliseconds(results.later.map(\.joiningSeconds)))
        table.add("from the response to the last caller, median", milliseconds(results.later.map(\.settlingSeconds)))
        table.add("from the cancellation to the last caller", milliseconds([results.abandoned.settlingSeconds]))
        return table
    }

    private func milliseconds(_ seconds: [Double]) -> String {
        Figures.number(seconds.median * 1_000) + " ms"
    }
}
