import BenchmarkHarness
import NetworkClient

import Foundation

/// Measures a call of a routed endpoint with four properties, compared with the same request made by the builder, and
/// with one that was made before.
struct RoutedEndpointBenchmark: Benchmark {
    let name = "routed"
    let summary = "A routed endpoint with four properties, over a transport without latency."

    private struct Posts: RoutedEndpoint {
        static let route: Route = .get("/users/:id/posts")
        @Path var id: Int
        @Query var query: String
        @Query var page: Int
        @Header var acceptLanguage: String
    }

    func run(_ options: Options, _ report: Report) async throws {
        let comparison = Comparison(
            rounds: try options.number("rounds", quick: 15, full: 61),
            operations: try options.number("operations", quick: 500, full: 2_000)
        )
        let measured = try await comparison.measure(try Self.variants())
        var table = Table("call", "ns", "more than prepared", "processor ns", "allocations")
        for variant in measured {
            table.add(
                variant.name,
                Figures.number(variant.median, digits: 0),
                Figures.number(variant.median - measured[0].median, digits: 0),
                Figures.number(variant.processorNanoseconds.median, digits: 0),
                Figures.number(variant.allocations, digits: 1)
            )
        }
        report.table(table)
        let more = zip(measured[2].nanoseconds, measured[1].nanoseconds).map { $0 - $1 }.median
        report.goal(more <= 3_000, "at most 3,000 ns more than with the builder", Figures.number(more, digits: 0))
    }

    private static func variants() throws -> [Variant] {
        let prepared = try PreparedExchange()
        guard let base = URL(string: "http://stub.invalid/v1") else { throw URLError(.badURL) }
        let client = NetworkClient(
            transport: ClosureTransport { _, _ in prepared.response },
            configuration: .init(baseURL: base)
        )
        let request = try Posts(id: 42, query: "swift", page: 2, acceptLanguage: "el").request(from: client.request)
        return [
            Variant("fetch, prepared request") { count in
                for _ in 0..<count {
                    let _: NetworkClient.Response<EmptyResponse> = try await client.fetch(request: request)
                }
            },
            Variant("fetch, builder") { count in
                for index in 0..<count {
                    let request = try client.request.get(path: "/users/\(index)/posts")
                        .add(query: "query", value: "swift").add(query: "page", value: 2)
                        .set(header: .language(value: "el")).build()
                    let _: NetworkClient.Response<EmptyResponse> = try await client.fetch(request: request)
                }
            },
            Variant("send, routed endpoint") { count in
                for index in 0..<count {
                    try await client.send(Posts(id: index, query: "swift", page: 2, acceptLanguage: "el"))
                }
            },
        ]
    }
}
