import Foundation

/// Measures gateways, which pass the requests of their clients on to a server: their processor time, and their memory
/// while clients read slowly.
struct GatewayBenchmark: Benchmark {
    let name = "gateway"
    let summary = "A kilobyte streamed through a gateway: its processor time, requests a second, memory."
    /// The reference for ratios is the first one.
    let gateways: [Gateway]

    func run(_ options: Options, _ report: Report) async throws {
        #if os(Linux)
        let rounds = try RequestRounds(options, milliseconds: 500)
        let gateways = try options.chosen("variants", of: gateways, \.name)
        let server = try ServerProcess()
        defer { server.stop() }
        let useBefore = MachineUse(server: server.identifier)
        var levels: [RequestLevel] = []
        for concurrency in try options.numbers("concurrency", [16, 32, 128]) {
            let target = try RequestTarget(server, "kilobyte", concurrency: concurrency)
            levels.append(try await rounds.measure(gateways.map(Self.variant), target))
        }
        report.note(
            "\(rounds.rounds) interleaved rounds of \(rounds.milliseconds) ms; medians (and quartiles); latencies are "
                + "those of all rounds. Ratios are the median of the rounds' ratios to \(gateways[0].name). Each "
                + "gateway and the server are processes of their own; the load is libcurl in C, with one connection "
                + "for each request at a time."
        )
        // The gateways have ended, so their time is that of children of this process.
        MachineUse(server: server.identifier).report(since: useBefore, to: report)
        report.requests(levels, measured: "gateway")
        for gateway in gateways.dropFirst() {
            RequestGoal(.processorTime, of: gateway.name, 1, times: gateways[0].name, at: 1...128)
                .report(on: levels, to: report)
        }
        try reportSlowReaders(gateways, server, options, report)
        try Self.reportInstructions(server, report)
        #else
        report.note("n/a: the server needs Linux.")
        #endif
    }

    #if os(Linux)
    /// Requests the kilobyte from a gateway, in whose process the cost is measured.
    private static func variant(_ gateway: Gateway) -> RequestVariant {
        RequestVariant(
            gateway.name,
            prepare: { target in
                let process = try gateway.start(server: target.port, connections: target.concurrency)
                let (port, connections) = (process.port, target.concurrency)
                var load = try RequestLoad.curlInC(port, path: "/kilobyte", bodyBytes: 1_024, connections: connections)
                load.process = process.identifier
                let endLoad = load.end
                return RequestLoad(process: process.identifier, run: load.run) {
                    try await endLoad()
                    process.stop()
                }
            }
        )
    }

    /// Counts the instructions of the library's part, which times on a busy machine can't show.
    private static func reportInstructions(_ server: ServerProcess, _ report: Report) throws {
        guard let callgrind = Callgrind(), let program = ServerProcess.program("StreamCosts") else {
            report.note("Instructions: n/a, since valgrind or strip isn't installed.")
            return
        }
        let kinds = ["fetch", "stream", "gateway"]
        let counts = try kinds.map { try callgrind.instructions(program, $0, ["http://127.0.0.1:\(server.port)"]) }
        report.note("User instructions of a call, one after another: the difference of 600 and 100 calls.")
        report.table(["call", "instructions"], zip(kinds, counts).map { [$0, format($1, digits: 0)] })
        report.goal(
            counts[2].map { $0 <= 280_000 },
            "a streamed call with the conversions of a gateway: at most 280,000 instructions",
            format(counts[2], digits: 0)
        )
        let ratio = counts[1].flatMap { stream in counts[0].map { stream / $0 } }
        report.goal(
            ratio.map { $0 <= 1.15 },
            "a streamed kilobyte: at most 1.15 × the instructions of a fetched one",
            format(ratio, digits: 2)
        )
    }

    private func reportSlowReaders(
        _ gateways: [Gateway],
        _ server: ServerProcess,
        _ options: Options,
        _ report: Report
    ) throws {
        let count = try options.number("readers", quick: 16, full: 64)
        let readers = SlowReaders(count: count, bytes: 4 << 20)
        let rows = try gateways.map { gateway in
            let process = try gateway.start(server: server.port, connections: count)
            defer { process.stop() }
            // A first small body, for what is loaded and made once.
            try SlowReaders(count: count, bytes: 1_024).read(port: process.port)
            let before = ProcessFacts.residentBytes(of: process.identifier)
            let start = Clocks.elapsed
            try readers.read(port: process.port)
            let seconds = Clocks.seconds(since: start)
            let after = ProcessFacts.residentBytes(of: process.identifier)
            return [gateway.name, megabytes(before?.now), megabytes(after?.peak), format(seconds)]
        }
        report.note("\(count) readers take 4 MiB each at about \(readers.pace): the gateway's resident memory.")
        report.table(["gateway", "before", "peak", "seconds"], rows)
    }
    #endif
}
