public import BenchmarkHarness
import BenchmarkServer
import Foundation

/// Measures requests, sequential and concurrent, by the library and by others.
public struct RequestsBenchmark: Benchmark {
    /// `requests`, or `pages`.
    public var name: String { isOfPages ? "pages" : "requests" }

    /// The description for `--list`, in one line.
    public var summary: String {
        isOfPages
            ? "10 KB of JSON requested and decoded: requests a second, latency, processor time."
            : "A small JSON object requested and decoded: requests a second, latency, processor time."
    }

    private let rivals: [RequestVariant]
    private let goals: [RequestGoal]
    private let isOfPages: Bool

    /// Creates the benchmark, which compares the library with URLSession, libcurl, bare sockets, and `rivals`.
    ///
    /// The goals are reported in addition to the built-in ones.
    public init(rivals: [RequestVariant] = [], goals: [RequestGoal] = []) {
        self.rivals = rivals
        self.goals = goals
        isOfPages = false
    }

    /// Creates the benchmark of pages, whose decoding takes longer than their transfer: callers that decode must not
    /// keep the others waiting.
    public init(pagesWith rivals: [RequestVariant], goals: [RequestGoal]) {
        self.rivals = rivals
        self.goals = goals
        isOfPages = true
    }

    /// Measures and reports.
    ///
    /// The options are the number of rounds, their milliseconds, and the numbers of concurrent requests.
    public func run(_ options: Options, _ report: Report) async throws {
        #if os(Linux)
        let milliseconds = try options.number("milliseconds", quick: 40, full: 500)
        let rounds = RequestRounds(
            rounds: try options.number("rounds", quick: 3, full: 9),
            seconds: Double(milliseconds) / 1_000
        )
        let selection = RequestSelection(options)
        let variants = try selection.variants(of: self.variants)
        let server = try ServerProcess()
        defer { server.stop() }
        let useBefore = MachineUse(without: [server.identifier])
        var levels: [RequestLevel] = []
        for concurrency in try selection.concurrency(isOfPages ? [1, 16] : [1, 16, 64, 256]) {
            let target = try RequestTarget(port: server.port, concurrency: concurrency, isPage: isOfPages)
            let measured = try await rounds.measure(variants, target)
            levels.append(RequestLevel(concurrency: concurrency, measured: measured))
        }
        report.note(
            "\(rounds.rounds) interleaved rounds of \(milliseconds) ms; medians (and quartiles); latencies are "
                + "those of all rounds. Ratios are the median of the rounds' ratios to \(variants[0].name). "
                + "One server of one thread in another process; as many connections as requests at a time, except for "
                + "URLSession.shared; logging off."
        )
        if let others = MachineUse(without: [server.identifier]).others(since: useBefore) {
            let percent = Figures.number(others * 100, digits: 0)
            report.note("Other processes used \(percent) % of the machine during the run.")
        }
        RequestFigures(levels: levels).report(to: report)
        for goal in (isOfPages ? Self.pageGoals : Self.goals) + goals { goal.report(on: levels, to: report) }
        #else
        report.note("n/a: the server needs Linux.")
        #endif
    }

    #if os(Linux)
    /// All variants; ratios refer to the first chosen one.
    private var variants: [RequestVariant] {
        let small: [RequestVariant] = [.sharedSession, .curlPoll, .curlEvents, .sockets]
        return [.session, .sessionTransport, .curlTransport] + rivals + (isOfPages ? [] : small)
    }

    private static let pageGoals: [RequestGoal] = [
        .rate(of: RequestVariant.curlTransportName, isAtLeast: 3.5, times: RequestVariant.session.name, at: 1...16),
        .slowest(of: RequestVariant.curlTransportName, isAtMost: 3, at: 16...16),
    ]

    private static let goals: [RequestGoal] = {
        let (curl, session) = (RequestVariant.curlTransportName, RequestVariant.session.name)
        let (sessionTransport, ceiling) = (RequestVariant.sessionTransport.name, RequestVariant.curlPoll.name)
        return [
            .rate(of: curl, isAtLeast: 3, times: session, at: 1...1),
            .rate(of: curl, isAtLeast: 8, times: session, at: 16...256),
            .processorTime(of: curl, isAtMost: 1 / 7, times: session, at: 16...256),
            .rate(of: curl, isAtLeast: 0.6, times: ceiling, at: 1...256),
            .rate(of: sessionTransport, isAtLeast: 1, times: session, at: 1...256),
        ]
    }()
    #endif
}
