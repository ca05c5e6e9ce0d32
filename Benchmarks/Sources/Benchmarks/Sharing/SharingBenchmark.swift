import BenchmarkHarness
import BenchmarkServer
import Foundation
import NetworkClient
import NetworkUtilities

/// Measures many concurrent calls of one shared request: the exchanges, the memory, and what remains.
struct SharingBenchmark: Benchmark {
    let name = "sharing"
    let summary = "Concurrent calls of one shared request, all of which wait before its exchange may go on."

    func run(_ options: Options, _ report: Report) async throws {
        let callers = try options.number("callers", quick: 2_000, full: 10_000)
        let rounds = try options.number("rounds", quick: 3, full: 7)
        let prepared = try PreparedExchange()
        let stub = ClosureTransport { _, _ in prepared.response }
        report.note("### Over a stub transport")
        try await measure(stub, prepared.request, callers, rounds, report)

        let server = try LoopbackServer { request, connection in
            try connection.send(status: 200, body: [UInt8](repeating: 0x61, count: 1_000))
        }
        defer { server.stop() }
        report.note("### Over URLSession, to a server in this process")
        let request = URLRequest(url: try server.url("/items/1"))
        let transport = URLSessionTransport()
        try await measure(transport, request, callers, rounds, report)
        report.require(
            server.requestCount == rounds + 2,
            "the server saw one request for each of the 1 + \(rounds) + 1 exchanges that were not cancelled",
            "\(server.requestCount)"
        )
    }

    private func measure(
        _ transport: any Transport,
        _ request: URLRequest,
        _ callers: Int,
        _ rounds: Int,
        _ report: Report
    ) async throws {
        let gate = GatedTransport(transport)
        let interceptor = CountingInterceptor()
        let client = NetworkClient(transport: gate, interceptors: [interceptor], logging: .off)
        let round = SharingRound(
            client: client,
            gate: gate,
            interceptor: interceptor,
            request: request.withInstanceCaching(),
            callers: callers
        )
        let figures = SharingFigures(callers: callers, rounds: rounds, before: ProcessFacts.now())
        ProcessFacts.resetPeak()
        let first = await round.run(.completed)
        let afterFirst = ProcessFacts.now()
        var later: [SharingRound.Result] = []
        for _ in 0..<rounds { later.append(await round.run(.completed)) }
        let abandoned = await round.run(.cancelled)
        let next = gate.exchanges
        gate.open()
        _ = try await client.fetch(request: round.request)
        await Quiescence.wait()
        ProcessFacts.trim()
        let results = SharingFigures.Results(
            first: first,
            later: later,
            abandoned: abandoned,
            cancelledExchanges: gate.cancellations,
            exchangesOfOneMore: gate.exchanges - next
        )
        figures.report(results, afterFirst: afterFirst, atEnd: ProcessFacts.now(), to: report)
    }
}
