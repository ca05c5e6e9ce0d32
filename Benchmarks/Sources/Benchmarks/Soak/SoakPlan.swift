import BenchmarkHarness

/// How large a soak is, and of what.
struct SoakPlan: Sendable {
    let transport: TransportKind
    var requests: Int
    let workers: Int
    let connections: Int
    let seed: Int
    /// Percent of the calls.
    let cancelled: Int
    let moments: [CancelMoment]
    let kinds: [SoakKind]

    init(_ options: Options, _ transport: TransportKind) throws {
        self.transport = transport
        requests = try options.number("requests", quick: 4_000, full: transport == .curl ? 1_000_000 : 60_000)
        workers = try options.number("workers", quick: 64, full: 64)
        connections = try options.number("connections", quick: 64, full: 64)
        seed = try options.number("seed", quick: 1, full: 1)
        cancelled = try options.number("cancelled", quick: 50, full: transport == .curl ? 33 : 50)
        moments = try Self.cases(options.settings["moments"], of: CancelMoment.self)
        let kinds = try Self.cases(options.settings["kinds"], of: SoakKind.self)
        // FoundationNetworking accepts some of those responses, and hangs or ends the process on others.
        self.kinds = transport == .curl ? kinds : kinds.filter { $0 != .misbehaving }
    }

    /// The cases of a list with commas; all of them if there is none.
    private static func cases<Case: CaseIterable & RawRepresentable<String>>(
        _ list: String?,
        of type: Case.Type
    ) throws -> [Case] {
        guard let list else { return Array(Case.allCases) }
        return try list.split(separator: ",").map { name in
            guard let found = Case(rawValue: String(name)) else { throw UsageError("there is no \(type) '\(name)'") }
            return found
        }
    }
}
