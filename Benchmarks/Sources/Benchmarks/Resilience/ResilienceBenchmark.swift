import BenchmarkHarness
import BenchmarkServer
import Foundation
import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Measures the cost of interceptors that have nothing to do, and sends many calls through all of them to a server that
/// fails at random.
struct ResilienceBenchmark: Benchmark {
    let name = "resilience"
    let summary = "The cost of retry, deadline, limit, breaker and authentication; and calls to a server that fails."

    func run(_ options: Options, _ report: Report) async throws {
        try await measureCosts(options, report)
        let calls = try options.number("calls", quick: 2_000, full: 100_000)
        let seed = try options.number("seed", quick: 1, full: 1)
        try await FaultyRun(calls: calls, seed: UInt64(seed)).run(report)
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
            let cost = variant.median - measured[1].median
            report.goal(cost <= 100, "\(variant.name) costs at most 100 ns", "\(Figures.number(cost, digits: 0)) ns")
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

/// Calls through the standard stack to a server that fails a fifth of them at random; a third is cancelled.
struct FaultyRun {
    private struct Item: Decodable, Sendable {
        let number: Int
    }

    private enum Outcome: String, CaseIterable {
        case item = "as expected"
        case failed = "500 after the last attempt"
        case cancelled
        case wrong
    }

    let calls: Int
    let seed: UInt64

    private static let workers = 64

    func run(_ report: Report) async throws {
        let before = ProcessFacts.now()
        let requests: Int
        let outcomes: [Outcome: Int]
        do {
            let faults = Locked(seed)
            let server = try LoopbackServer { request, connection in
                let fails = faults.withLock { Self.random(&$0) } % 5 == 0
                let number = request.target.dropFirst()
                try connection.write(
                    fails
                        ? ServerConnection.head(status: 500, [:], length: 0)
                        : ServerConnection.head(status: 200, [:], length: number.utf8.count + 11)
                            + Array(#"{"number":\#(number)}"#.utf8)
                )
            }
            defer { server.stop() }
            outcomes = try await work(try server.url("/"))
            requests = server.requestCount
        }
        _ = await Quiescence.wait(atMost: 20) { ProcessFacts.now().descriptors ?? 0 <= before.descriptors ?? 0 }
        let after = ProcessFacts.now()
        var table = Table(["calls", "requests"] + Outcome.allCases.map(\.rawValue))
        table.add([calls, requests].map(String.init) + Outcome.allCases.map { String(outcomes[$0] ?? 0) })
        report.note("Calls to a server whose response to a fifth of all requests is 500, a third of them cancelled:\n")
        report.table(table)
        report.require(outcomes[.wrong] == nil, "every outcome is right", "\(outcomes[.wrong] ?? 0) are wrong")
        let (failed, cancelled) = (outcomes[.failed] ?? 0, outcomes[.cancelled] ?? 0)
        // Three attempts fail with a probability of 0.8 %.
        report.require(failed * 50 <= calls, "at most 2 % fail after the last attempt", "\(failed) of \(calls)")
        report.require(cancelled > 0, "some calls are cancelled in flight", "\(cancelled)")
        if let before = before.descriptors, let after = after.descriptors {
            report.require(after <= before + 2, "no more descriptors than before (within 2)", "\(after - before)")
        }
    }

    private func work(_ url: URL) async throws -> [Outcome: Int] {
        let policy = RetryPolicy(backoff: Backoff(base: 0.001))
        let transport = try (TransportKind.available.last ?? .session).make(connections: Self.workers)
        let client = NetworkClient(
            transport: transport,
            interceptors: [
                try .standardResilience(
                    retry: policy,
                    retryBudget: .unlimited,
                    circuitBreaker: .init(failureRatio: 0.9)
                )
            ],
            logging: .off
        )
        let next = Locked(0)
        let counts = Locked<[Outcome: Int]>([:])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.workers {
                group.addTask {
                    while let number = next.withLock({ Self.take(&$0, below: calls) }) {
                        let outcome = await call(number, client, url)
                        counts.withLock { $0[outcome, default: 0] += 1 }
                    }
                }
            }
        }
        return counts.withLock { $0 }
    }

    private func call(_ number: Int, _ client: NetworkClient, _ url: URL) async -> Outcome {
        let request = URLRequest(url: url.appendingPathComponent("\(number)"))
        let call = Task { () -> NetworkClient.Response<Item> in try await client.fetch(request: request) }
        let isCancelled = number % 3 == 0
        if isCancelled {
            for _ in 0..<(number % 50) { await Task.yield() }
            call.cancel()
        }
        do {
            return try await call.value.item.number == number ? .item : .wrong
        } catch is CancellationError {
            return isCancelled ? .cancelled : .wrong
        } catch {
            return (error as? NetworkClient.Error)?.statusCode == 500 ? .failed : .wrong
        }
    }

    private static func take(_ next: inout Int, below limit: Int) -> Int? {
        guard next < limit else { return nil }
        next += 1
        return next
    }

    /// The next number of a xorshift generator.
    private static func random(_ state: inout UInt64) -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
