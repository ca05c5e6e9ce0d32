public import BenchmarkHarness
import BenchmarkServer
import Foundation

/// Small requests, one after the other and many at a time, by the library and by others.
public struct RequestsBenchmark: Benchmark {
    /// `requests`.
    public let name = "requests"

    /// One line for `--list`.
    public let summary = "A small JSON object requested and decoded: requests a second, latency, processor time."

    private let rivals: [RequestVariant]
    private let goals: [RequestGoal]

    /// Compares the library with URLSession, libcurl and bare sockets, and with others.
    ///
    /// - Parameters:
    ///   - rivals: What else is measured.
    ///   - goals: What the library is to reach besides its own goals.
    public init(rivals: [RequestVariant] = [], goals: [RequestGoal] = []) {
        self.rivals = rivals
        self.goals = goals
    }

    /// Measures and reports.
    ///
    /// - Parameters:
    ///   - options: How many rounds, of how many milliseconds, at which numbers of concurrent requests.
    ///   - report: Takes the figures.
    /// - Throws: What a variant throws.
    public func run(_ options: Options, _ report: Report) async throws {
        #if os(Linux)
        let milliseconds = try options.number("milliseconds", quick: 40, full: 500)
        let rounds = RequestRounds(
            rounds: try options.number("rounds", quick: 3, full: 9),
            seconds: Double(milliseconds) / 1_000
        )
        let variants = try variants(options)
        let server = try ServerProcess()
        defer { server.stop() }
        let useBefore = MachineUse(without: [server.identifier])
        var levels: [RequestLevel] = []
        for concurrency in try Self.concurrency(options) {
            let target = try RequestTarget(port: server.port, concurrency: concurrency)
            let measured = try await rounds.measure(variants, target)
            levels.append(RequestLevel(concurrency: concurrency, measured: measured))
        }
        report.note(
            "\(rounds.rounds) interleaved rounds of \(milliseconds) ms; medians (and quartiles), of latencies those "
                + "of all rounds. A ratio is the median of the rounds' own, to \(variants[0].name). "
                + "One server of one thread in another process; as many connections as requests at a time, but for "
                + "URLSession.shared; logging off."
        )
        if let others = MachineUse(without: [server.identifier]).others(since: useBefore) {
            report.note("Meanwhile others kept \(Figures.number(others * 100, digits: 0)) % of the machine busy.")
        }
        RequestFigures(levels: levels).report(to: report)
        for goal in Self.goals + goals { goal.report(on: levels, to: report) }
        #else
        report.note("n/a: the server that is fast enough is Linux's.")
        #endif
    }

    #if os(Linux)
    /// The first one is what the others are compared with.
    private func variants(_ options: Options) throws -> [RequestVariant] {
        let all =
            [.session, .sharedSession, .sessionTransport, .curlTransport] + rivals + [.curlPoll, .curlEvents, .sockets]
        guard let names = options.settings["variants"]?.split(separator: ",") else { return all }
        let chosen = all.filter { variant in names.contains { variant.name.contains($0) } }
        if chosen.isEmpty { throw UsageError("no variant has such a name: \(all.map(\.name))") }
        return chosen
    }

    private static func concurrency(_ options: Options) throws -> [Int] {
        guard let list = options.settings["concurrency"] else { return [1, 16, 64, 256] }
        return try list.split(separator: ",").map { text in
            guard let number = Int(text), number > 0 else { throw UsageError("'\(text)' is no number of requests") }
            return number
        }
    }

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
