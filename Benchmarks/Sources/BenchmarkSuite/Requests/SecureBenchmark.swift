import Foundation

/// Measures the requests of ``RequestsBenchmark`` with TLS: over HTTP/1.1, over HTTP/2, and over new connections, with
/// and without session tickets.
///
/// All variants have their default settings, and keep as many connections as they do then. They trust the system's
/// authorities and that of the server. A variant isn't shown where the server counted requests over another protocol.
struct SecureBenchmark: Benchmark {
    let name = "secure"
    let summary = "A small JSON object requested and decoded with TLS: HTTP/1.1, HTTP/2, new connections."
    let rivals: [RequestVariant]

    /// The certificates are those of the library's tests: valid until 2120, for 127.0.0.1.
    static let certificates = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }.appendingPathComponent("Tests/NetworkTestSupport/TLS/Fixtures")

    private let trust = TrustingCommand(trustRoots: certificates.appendingPathComponent("root.pem"))

    init(rivals: [RequestVariant]) {
        self.rivals = rivals
    }

    /// Returns a command whose process trusts the server; the given one if that isn't possible.
    func command(toRun command: [String]) -> [String] {
        trust.command(toRun: command) ?? command
    }

    func run(_ options: Options, _ report: Report) async throws {
        #if os(Linux)
        guard trust.isInEffect else {
            return report.note("n/a: clients can't be made to trust the server here, which needs a mount namespace.")
        }
        let rounds = try RequestRounds(options, milliseconds: 400)
        let own: [RequestVariant] = [.session, .sessionTransport, .curlTransport]
        let variants = try options.chosen("variants", of: own + rivals, \.name)
        report.note(
            "\(rounds.rounds) interleaved rounds of \(rounds.milliseconds) ms; medians (and quartiles); latencies are "
                + "those of all rounds. One server of one thread in another process; each variant keeps as many "
                + "connections as it does by default; logging off."
        )
        for exchange in try options.chosen("exchanges", of: SecureExchange.allCases, \.rawValue) {
            report.note("### \(exchange.title)")
            try await measure(exchange, variants, rounds, options, report)
        }
        #else
        report.note("n/a: the server needs Linux.")
        #endif
    }

    #if os(Linux)
    private func measure(
        _ exchange: SecureExchange,
        _ variants: [RequestVariant],
        _ rounds: RequestRounds,
        _ options: Options,
        _ report: Report
    ) async throws {
        let identity = ["localhost.pem", "localhost.key"].map { Self.certificates.appendingPathComponent($0).path }
        let server = try ServerProcess(identity + exchange.serverOptions)
        defer { server.stop() }
        let useBefore = MachineUse(server: server.identifier)
        var levels: [RequestLevel] = []
        var served: [Int: [String: ServerCounts]] = [:]
        for concurrency in try options.numbers("concurrency", exchange.concurrency) {
            let path = exchange.closesConnections ? "close" : "small"
            let target = try RequestTarget(server, path, isSecure: true, concurrency: concurrency)
            let tallies = Locked<[String: ServerCounts]>([:])
            let level = try await rounds.measure(variants.map { Self.counting($0, server, tallies) }, target)
            let counts = tallies.withLock { $0 }
            let shown = level.measured.filter { counts[$0.name].map(exchange.wasUsed) ?? false }
            for variant in level.measured where !shown.contains(where: { $0.name == variant.name }) {
                let counts = counts[variant.name] ?? ServerCounts()
                report.note("\(variant.name), \(concurrency) at a time, isn't shown; the server counted \(counts)")
            }
            if !shown.isEmpty { levels.append(RequestLevel(concurrency: concurrency, measured: shown)) }
            served[concurrency] = counts
        }
        MachineUse(server: server.identifier).report(since: useBefore, to: report)
        guard !levels.isEmpty else { return }
        report.requests(levels)
        report.note("The server: connections / those that it resumed / microseconds of processor time for a request:")
        report.overview(levels) { variant, level in
            (served[level.concurrency]?[variant.name] ?? ServerCounts()).overview
        }
        for rival in rivals {
            RequestGoal(.rate, of: RequestVariant.curlTransport.name, 1, times: rival.name, at: 1...256)
                .report(on: levels, to: report)
        }
    }

    /// Returns a variant that counts what the server does in its turns, which takes about 0.1 ms of each turn.
    private static func counting(
        _ variant: RequestVariant,
        _ server: ServerProcess,
        _ tallies: Locked<[String: ServerCounts]>
    ) -> RequestVariant {
        RequestVariant(
            variant.name,
            prepare: { target in
                let load = try await variant.prepare(target)
                let run: @Sendable (UInt64) async throws -> [UInt32] = { deadline in
                    let before = try server.counts()
                    let latencies = try await load.run(deadline)
                    let after = try server.counts()
                    tallies.withLock {
                        $0[variant.name, default: ServerCounts()].add(after)
                        $0[variant.name, default: ServerCounts()].add(before, sign: -1)
                    }
                    return latencies
                }
                return RequestLoad(run: run, end: load.end)
            }
        )
    }
    #endif
}

/// A kind of exchange with TLS.
///
/// No client is told which protocol to use: all of them prefer HTTP/2 where the server offers it.
private enum SecureExchange: String, CaseIterable, Sendable {
    /// HTTP/1.1 over kept connections.
    case http1 = "http/1.1"
    /// HTTP/2 over kept connections.
    case http2 = "h2"
    /// HTTP/1.1 with a new connection for each request, and with a full TLS handshake, since the server sends no
    /// session tickets.
    case handshakes
    /// The same with a server that sends tickets, as nearly all servers do.
    case handshakesWithTickets = "handshakes-tickets"

    /// The title of a part of the report.
    var title: String {
        switch self {
        case .http1: "HTTP/1.1 with TLS"
        case .http2: "HTTP/2 with TLS"
        case .handshakes: "A new connection for each request, HTTP/1.1 with TLS, without session tickets"
        case .handshakesWithTickets: "A new connection for each request, HTTP/1.1 with TLS and session tickets"
        }
    }

    /// The numbers of concurrent requests that are measured by default.
    var concurrency: [Int] { closesConnections ? [1, 16] : [1, 16, 64, 256] }

    /// Whether the server closes each connection after its response.
    var closesConnections: Bool { self == .handshakes || self == .handshakesWithTickets }

    /// The arguments of the server besides its certificate and key.
    var serverOptions: [String] {
        switch self {
        case .http1, .handshakes: []
        case .http2: ["h2"]
        case .handshakesWithTickets: ["tickets"]
        }
    }

    /// Whether requests were made in this way, by the server's counts.
    func wasUsed(_ counts: ServerCounts) -> Bool {
        switch self {
        case .http1: counts.requests1 > 0 && counts.requests2 == 0 && counts.connections < counts.requests1
        case .http2: counts.requests2 > 0 && counts.requests1 == 0 && counts.connections < counts.requests2
        case .handshakes, .handshakesWithTickets:
            counts.requests1 > 0 && counts.requests2 == 0 && counts.connections >= counts.requests1
        }
    }
}
