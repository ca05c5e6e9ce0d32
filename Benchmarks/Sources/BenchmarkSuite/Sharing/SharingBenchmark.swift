import CMeasuring
import Foundation
import NetworkClient

/// Measures many concurrent calls of one shared request: the exchanges, the memory, and what remains.
struct SharingBenchmark: Benchmark {
    let name = "sharing"
    let summary = "Concurrent calls of one shared request, all of which wait before its exchange may go on."

    func run(_ options: Options, _ report: Report) async throws {
        let callers = try options.number("callers", quick: 2_000, full: 10_000)
        let rounds = try options.number("rounds", quick: 3, full: 7)
        let stub = try StubbedCall("stub")
        report.note("### Over a stub transport")
        try await measure(SharingRound(stub.transport, stub.request, callers: callers), rounds, report)

        let server = try Server { _ in [.whole(body: [UInt8](repeating: 0x61, count: 1_000))] }
        defer { server.stop() }
        report.note("### Over URLSession, to a server in this process")
        let request = URLRequest(url: try server.url("/items/1"))
        try await measure(SharingRound(URLSessionTransport(), request, callers: callers), rounds, report)
        report.require(
            server.requestCount == rounds + 2,
            "the server saw one request for each of the 1 + \(rounds) + 1 exchanges that were not cancelled",
            "\(server.requestCount)"
        )
    }

    private func measure(_ round: SharingRound, _ rounds: Int, _ report: Report) async throws {
        let before = ProcessFacts.now()
        ProcessFacts.resetPeak()
        var completed = [await round.run(.completed)]
        let afterFirst = ProcessFacts.now()
        for _ in 0..<rounds { completed.append(await round.run(.completed)) }
        let abandoned = await round.run(.cancelled)
        let next = round.gate.exchanges
        round.gate.open()
        _ = try await round.client.fetch(request: round.request)
        await Quiescence.wait()
        heap_trim()
        let (atEnd, ofOneMore) = (ProcessFacts.now(), round.gate.exchanges - next)
        report.note("\(round.callers) callers, 1 + \(rounds) rounds that complete, one that is cancelled.")
        let waiting = completed[0].residentBytes
        let each = waiting.flatMap { waiting in before.residentBytes.map { (waiting - $0) / round.callers } }
        func milliseconds(_ seconds: [Double]) -> String { format(seconds.median * 1_000) + " ms" }
        let later = completed.dropFirst()
        report.table(
            ["what", "value"],
            [
                ["resident before", megabytes(before.residentBytes)],
                ["resident while all wait, first round", megabytes(waiting)],
                ["growth for each caller", format(each) + " B"],
                ["resident while all wait, last round", megabytes(later.last?.residentBytes)],
                ["resident at the end, free pages returned", megabytes(atEnd.residentBytes)],
                ["until all wait, median", milliseconds(later.map(\.joiningSeconds))],
                ["from the response to the last caller, median", milliseconds(later.map(\.settlingSeconds))],
                ["from the cancellation to the last caller", milliseconds([abandoned.settlingSeconds])],
            ]
        )
        requireExchanges(completed, abandoned, round, report)
        report.require(ofOneMore == 1, "a call after that makes an exchange of its own", "\(ofOneMore)")
        let peak = atEnd.peakResidentBytes
        report.goal((peak ?? 0) < 60_000_000, "under 60 MB for the whole process", megabytes(peak))
        guard let heapBefore = afterFirst.heapBytes, let heapAtEnd = atEnd.heapBytes else { return }
        let fact = "no more on the heap at the end than after the first round (within 0.2 MB)"
        report.require(heapAtEnd - heapBefore < 200_000, fact, megabytes(heapAtEnd - heapBefore))
    }

    private func requireExchanges(
        _ completed: [SharingRound.Result],
        _ abandoned: SharingRound.Result,
        _ round: SharingRound,
        _ report: Report
    ) {
        let exchanges = completed.map(\.exchanges)
        report.require(exchanges.allSatisfy { $0 == 1 }, "one exchange in each round", "\(exchanges)")
        report.require(
            completed.allSatisfy { $0.responses == round.callers },
            "every caller receives the response",
            "\(completed.map(\.responses)) \(completed.flatMap(\.others).prefix(1))"
        )
        report.require(
            abandoned.cancellations == round.callers && abandoned.exchanges == 1,
            "all cancelled: each gets CancellationError",
            "\(abandoned.cancellations) \(abandoned.others.prefix(1))"
        )
        let cancelled = round.gate.cancellations
        report.require(cancelled == 1, "and with the last of them the exchange is cancelled", "\(cancelled)")
    }
}
