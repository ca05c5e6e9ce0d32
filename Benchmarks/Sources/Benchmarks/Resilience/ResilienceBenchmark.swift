import BenchmarkHarness
import Foundation
import NetworkClient

/// Measures the cost of interceptors that have nothing to do, and sends many calls through the standard stack to a
/// server that fails at random.
struct ResilienceBenchmark: Benchmark {
    let name = "resilience"
    let summary = "The cost of retry, deadline, limit, breaker and authentication; and calls to a server that fails."

    func run(_ options: Options, _ report: Report) async throws {
        try await measureCosts(options, report)
        let calls = try options.number("calls", quick: 20_000, full: 100_000)
        let seed = try options.number("seed", quick: 1, full: 1)
        try await Storm(calls: calls, seed: UInt64(seed)).run(report)
    }

    private func measureCosts(_ options: Options, _ report: Report) async throws {
        let comparison = Comparison(
            rounds: try options.number("rounds", quick: 7, full: 41),
            operations: try options.number("operations", quick: 500, full: 2_000)
        )
        let stacks = try Self.stacks()
        let measured = try await comparison.measure(try stacks.map(Self.variant))
        var table = Table("interceptors", "ns a call", "more than with one that does nothing", "allocations")
        for variant in measured {
            table.add(
                variant.name,
                Figures.number(variant.median, digits: 0),
                Figures.number(variant.median - measured[1].median, digits: 0),
                Figures.number(variant.allocations, digits: 2)
            )
        }
        report.note("\(comparison.rounds) interleaved rounds of \(comparison.operations) calls; medians.")
        report.table(table)
        let (none, all) = (measured[0], measured[2])
        report.goal(
            all.median - none.median <= 3_000,
            "the standard stack costs at most 3 µs",
            "\(Figures.number(all.median - none.median, digits: 0)) ns"
        )
        let allocations = all.allocations.flatMap { all in none.allocations.map { all - $0 } }
        report.goal(
            allocations.map { $0 <= 12 },
            "the standard stack makes at most 12 heap allocations",
            Figures.number(allocations, digits: 2)
        )
        for variant in measured.dropFirst(4) {
            let (cost, most) = (variant.median - measured[1].median, variant.name.hasPrefix("bearer") ? 150.0 : 100)
            let goal = "\(variant.name) costs at most \(Figures.number(most, digits: 0)) ns"
            report.goal(cost <= most, goal, "\(Figures.number(cost, digits: 0)) ns")
        }
    }

    private static func stacks() throws -> [(name: String, interceptors: [any InterceptorProtocol])] {
        guard let url = URL(string: "http://stub.invalid"), let other = URL(string: "http://other.invalid") else {
            throw URLError(.badURL)
        }
        return [
            ("none", []),
            ("one that does nothing", [.noOp]),
            ("the standard stack", [try .standardResilience()]),
            ("bearer token", [.authentication(.bearer("token"), origins: [url])]),
            ("retry", [.retry()]),
            ("deadline", [.deadline(30)]),
            ("circuit breaker", [.circuitBreaker()]),
            ("concurrency limit", [.concurrencyLimit(1_000)]),
            ("bearer token for others", [.authentication(.bearer("token"), origins: [other])]),
        ]
    }

    private static func variant(_ name: String, _ interceptors: [any InterceptorProtocol]) throws -> Variant {
        let prepared = try PreparedExchange()
        let client = NetworkClient(
            transport: ClosureTransport { _, _ in prepared.response },
            interceptors: interceptors,
            logging: .off
        )
        return Variant(name) { count in
            for _ in 0..<count { try await client.fetch(request: prepared.request) }
        }
    }
}
