import Foundation
import NetworkClient

/// Measures messages over a WebSocket, its opening, and what a received message costs.
struct SocketsBenchmark: Benchmark {
    let name = "sockets"
    let summary = "Messages over a WebSocket and back: messages a second, processor time; openings; allocations."
    let rivals: [SocketVariant]

    func run(_ options: Options, _ report: Report) async throws {
        #if os(Linux)
        let rounds = try RequestRounds(options, milliseconds: 500)
        let variants = try options.chosen("variants", of: [.library, .executor] + rivals + [.socketInC], \.name)
        let inFlight = try options.numbers("concurrency", SocketEcho.all.map(\.inFlight))
        let server = try ServerProcess()
        defer { server.stop() }
        let useBefore = MachineUse(server: server.identifier)
        report.note(
            "\(rounds.rounds) interleaved rounds of \(rounds.milliseconds) ms, each over a new socket; medians (and "
                + "quartiles); latencies are those of all rounds. Ratios are the median of the rounds' ratios to "
                + "\(variants[0].name). One server of one thread in another process; logging off."
        )
        var levels: [RequestLevel] = []
        for echo in SocketEcho.all where inFlight.contains(echo.inFlight) {
            let level = try await rounds.measure(variants, echo, port: server.port)
            report.note("\(echo.size), in flight: \(echo.inFlight)")
            report.requests(level, unit: "message")
            levels.append(level)
            reportGoals(echo, level, to: report)
        }
        let opening = try await rounds.measure(
            [Self.newConnection, Self.opening(port: server.port)],
            RequestTarget(server, "close", concurrency: 1)
        )
        report.note("A WebSocket opened and cancelled, beside a request over a new connection, one at a time:")
        report.requests(opening, unit: "opening")
        var goal = RequestGoal(.rate, of: "webSocket", 0.9, times: Self.newConnection.name, at: 1...1)
        goal.unit = "opening"
        goal.report(on: [opening], to: report)
        MachineUse(server: server.identifier).report(since: useBefore, to: report)
        try await requireFewAllocations(port: server.port, report)
        #else
        report.note("n/a: the server needs Linux.")
        #endif
    }

    #if os(Linux)
    private func reportGoals(_ echo: SocketEcho, _ level: RequestLevel, to report: Report) {
        let (own, floor) = (SocketVariant.library.name, SocketVariant.socketInC.name)
        guard let library = level.results(of: own) else { return }
        if echo.bytes > 64 {
            let speeds = level.measured.map { variant in
                "\(variant.name) \(format(variant.rates.median * Double(echo.bytes) / 1_000_000, digits: 0))"
            }
            report.note("MB/s in each direction: \(speeds.joined(separator: ", "))\n")
            let milliseconds = library.processor.median / 1_000_000
            report.goal(milliseconds <= 2, "at most 2 ms of processor time a MB", format(milliseconds, digits: 2))
        }
        if echo.inFlight == 64 {
            let rate = library.rates.median
            report.goal(rate >= 200_000, "at least 200,000 messages a second", format(rate, digits: 0))
        }
        // With many short messages in flight, the floor has no system call for most of them, and no task to resume.
        let bounds = (echo.inFlight == 64 ? [] : [(floor, 0.5)]) + rivals.map { ($0.name, 1) }
        for (other, bound) in bounds {
            var goal = RequestGoal(.rate, of: own, bound, times: other, at: echo.inFlight...echo.inFlight)
            goal.unit = "message"
            goal.report(on: [level], to: report)
        }
    }

    /// A request over a connection that the server closes after its response.
    private static let newConnection = RequestVariant("fetch, new connection") { target in
        let transport = try CurlTransport()
        let client = NetworkClient(transport: transport, logging: .off)
        let request = URLRequest(url: target.url)
        return RequestClient {
            let response: NetworkClient.Response<RequestedItem> = try await client.fetch(request: request)
            return response.item
        } end: {
            transport.shutDown()
        }
    }

    private static func opening(port: UInt16) -> RequestVariant {
        RequestVariant("webSocket") { _ in
            let transport = try CurlTransport()
            let client = NetworkClient(transport: transport, logging: .off)
            return RequestClient {
                try await client.webSocket("ws://127.0.0.1:\(port)/echo").cancel()
                return .expected
            } end: {
                transport.shutDown()
            }
        }
    }

    /// Counts the allocations of messages that come as fast as they are read: the difference of two numbers of them, so
    /// that the opening isn't counted.
    private func requireFewAllocations(port: UInt16, _ report: Report) async throws {
        let transport = try CurlTransport()
        let client = NetworkClient(transport: transport, logging: .off)
        defer { transport.shutDown() }
        let counts = [2_000, 2_000, 12_000]
        var allocations: [Int] = []
        for count in counts {
            let counted = try await Allocations.count {
                var received = 0
                for try await message in try await client.webSocket("ws://127.0.0.1:\(port)/feed?count=\(count)") {
                    keep(message)
                    received += 1
                }
                report.require(received == count, "all messages of a feed are received", "\(received)")
            }
            guard let counted else { return report.note("Allocations: n/a, since they can't be counted here.") }
            allocations.append(counted)
        }
        // The first feed has made what is made once.
        let each = Double(allocations[2] - allocations[1]) / Double(counts[2] - counts[1])
        let fact = "at most 3 heap allocations for a received message of 64 B"
        report.require(each <= 3, fact, format(each, digits: 2))
    }
    #endif
}

extension RequestRounds {
    /// Measures the variants with new clients, which are closed afterwards.
    fileprivate func measure(_ variants: [SocketVariant], _ echo: SocketEcho, port: UInt16) async throws -> RequestLevel
    {
        var loads: [SocketVariant.Load] = []
        for variant in variants { loads.append(try variant.prepare()) }
        let turn = SocketTurn(port: port, echo: echo, seconds: Double(milliseconds) / 1_000)
        var countingTurn = turn
        countingTurn.countsAllocations = true
        for load in loads { _ = try await load.converse(turn) }
        let turns = try await Comparison.interleaved(loads, rounds: rounds) { load in
            await Quiescence.wait(atMost: 1)
            return try await load.converse(turn)
        }
        var measured: [MeasuredRequests] = []
        for (index, variant) in variants.enumerated() {
            let counted = try await loads[index].converse(countingTurn)
            let allocations = counted.allocations.map { Double($0) / Double(counted.latencies.count) }
            measured.append(MeasuredRequests(variant.name, turns[index], allocations))
        }
        for load in loads { try await load.end() }
        return RequestLevel(concurrency: echo.inFlight, measured: measured)
    }
}
