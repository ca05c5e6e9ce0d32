import BenchmarkHarness

/// The report on one kind of exchange with TLS.
struct SecureFigures {
    let exchange: SecureExchange
    let useBefore: MachineUse
    var useAfter: MachineUse?
    /// The levels, without the variants that used another protocol.
    private(set) var levels: [RequestLevel] = []
    private var served: [Int: [String: SecureCounts]] = [:]
    private var notes: [String] = []

    init(exchange: SecureExchange, useBefore: MachineUse) {
        self.exchange = exchange
        self.useBefore = useBefore
    }

    /// Adds a level, except for the variants that made their requests in another way, which a note names instead.
    mutating func add(_ level: RequestLevel, _ tallies: [String: SecureCounts]) {
        let shown = level.measured.filter { tallies[$0.name].map(exchange.wasUsed) ?? false }
        for variant in level.measured where !shown.contains(where: { $0.name == variant.name }) {
            let counts = tallies[variant.name] ?? SecureCounts()
            notes.append(
                "\(variant.name), \(level.concurrency) at a time, isn't shown: the server counted "
                    + "\(counts.requests1) requests over HTTP/1.1 and \(counts.requests2) over HTTP/2, "
                    + "on \(counts.connections) connections."
            )
        }
        guard !shown.isEmpty else { return }
        levels.append(RequestLevel(concurrency: level.concurrency, measured: shown))
        served[level.concurrency] = tallies
    }

    func report(to report: Report) {
        report.note("### \(exchange.title)")
        for note in notes { report.note(note) }
        if let others = useAfter?.others(since: useBefore) {
            let percent = Figures.number(others * 100, digits: 0)
            report.note("Other processes used \(percent) % of the machine during the run.")
        }
        guard !levels.isEmpty else { return }
        let figures = RequestFigures(levels: levels)
        figures.report(to: report)
        report.note("Connections that the server accepted / microseconds of its processor time for a request:")
        report.table(
            figures.overview { variant, level in
                guard let counts = served[level.concurrency]?[variant.name] else { return "n/a" }
                let processor = Double(counts.processor) / Double(counts.requests) / 1_000
                return "\(counts.connections) / \(Figures.number(processor))"
            }
        )
        report.note("")
    }
}
