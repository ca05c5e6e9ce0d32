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
        let comparison = try Comparison(options, rounds: (7, 41), operations: (500, 2_000))
        guard let url = URL(string: "http://stub.invalid"), let other = URL(string: "http://other.invalid") else {
            throw URLError(.badURL)
        }
        let stacks: [(name: String, interceptors: [any InterceptorProtocol])] = [
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
        let measured = try await comparison.measure(
            try stacks.map { try StubbedCall($0.name, interceptors: $0.interceptors).variant }
        )
        report.note("\(comparison.rounds) interleaved rounds of \(comparison.operations) calls; medians.")
        report.table(
            ["interceptors", "ns a call", "more than with one that does nothing", "allocations"],
            measured.map { variant in
                let more = format(variant.median - measured[1].median, digits: 0)
                return [variant.name, format(variant.median, digits: 0), more, format(variant.allocations, digits: 2)]
            }
        )
        let (none, all) = (measured[0], measured[2])
        let cost = all.median - none.median
        report.goal(cost <= 3_000, "the standard stack costs at most 3 µs", "\(format(cost, digits: 0)) ns")
        let allocations = all.allocations.flatMap { all in none.allocations.map { all - $0 } }
        let fact = "the standard stack makes at most 12 heap allocations"
        report.goal(allocations.map { $0 <= 12 }, fact, format(allocations, digits: 2))
        for variant in measured.dropFirst(4) {
            let (cost, most) = (variant.median - measured[1].median, variant.name.hasPrefix("bearer") ? 150.0 : 100)
            let goal = "\(variant.name) costs at most \(format(most, digits: 0)) ns"
            report.goal(cost <= most, goal, "\(format(cost, digits: 0)) ns")
        }
    }
}
