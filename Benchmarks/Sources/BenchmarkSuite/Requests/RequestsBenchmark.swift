import Foundation

/// Measures requests, sequential and concurrent, by the library and by others.
struct RequestsBenchmark: Benchmark {
    /// Whether pages are requested, whose decoding takes longer than their transfer: callers that decode must not keep
    /// the others waiting.
    let isOfPages: Bool
    let rivals: [RequestVariant]

    var name: String { isOfPages ? "pages" : "requests" }

    var summary: String {
        let what = isOfPages ? "10 KB of JSON" : "A small JSON object"
        return "\(what) requested and decoded: requests a second, latency, processor time."
    }

    func run(_ options: Options, _ report: Report) async throws {
        #if os(Linux)
        let rounds = try RequestRounds(options, milliseconds: 500)
        let variants = try options.chosen("variants", of: variants, \.name)
        let server = try ServerProcess()
        defer { server.stop() }
        let useBefore = MachineUse(server: server.identifier)
        var levels: [RequestLevel] = []
        for concurrency in try options.numbers("concurrency", isOfPages ? [1, 16] : [1, 16, 64, 256]) {
            let target = try RequestTarget(server, isOfPages ? "page" : "small", concurrency: concurrency)
            levels.append(try await rounds.measure(variants, target))
        }
        report.note(
            "\(rounds.rounds) interleaved rounds of \(rounds.milliseconds) ms; medians (and quartiles); latencies are "
                + "those of all rounds. Ratios are the median of the rounds' ratios to \(variants[0].name). "
                + "One server of one thread in another process; as many connections as requests at a time, except for "
                + "URLSession.shared; logging off."
        )
        MachineUse(server: server.identifier).report(since: useBefore, to: report)
        report.requests(levels)
        for goal in goals { goal.report(on: levels, to: report) }
        #else
        report.note("n/a: the server needs Linux.")
        #endif
    }

    #if os(Linux)
    /// All variants; ratios refer to the first chosen one.
    private var variants: [RequestVariant] {
        let own: [RequestVariant] = [.session, .sessionTransport, .curlTransport, .curlExecutor, .curlStream]
        return own + rivals + (isOfPages ? [] : [.sharedSession, .curlInC])
    }

    private var goals: [RequestGoal] {
        let (curl, session) = (RequestVariant.curlTransport.name, RequestVariant.session.name)
        if isOfPages {
            return [
                RequestGoal(.rate, of: curl, 3.5, times: session, at: 1...16),
                RequestGoal(.slowest, of: curl, 3, times: curl, at: 16...16),
            ] + rivals.map { RequestGoal(.rate, of: curl, 2.2, times: $0.name, at: 1...16) }
        }
        let own = [
            RequestGoal(.rate, of: curl, 3, times: session, at: 1...1),
            RequestGoal(.rate, of: curl, 8, times: session, at: 16...256),
            RequestGoal(.processorTime, of: curl, 1 / 7, times: session, at: 16...256),
            RequestGoal(.rate, of: curl, 0.6, times: RequestVariant.curlInC.name, at: 1...256),
            RequestGoal(.rate, of: RequestVariant.sessionTransport.name, 1, times: session, at: 1...256),
        ]
        return own
            + rivals.flatMap { rival in
                [
                    RequestGoal(.rate, of: curl, 1.5, times: rival.name, at: 1...1),
                    RequestGoal(.rate, of: curl, 1.1, times: rival.name, at: 16...256),
                ]
            }
    }
    #endif
}
