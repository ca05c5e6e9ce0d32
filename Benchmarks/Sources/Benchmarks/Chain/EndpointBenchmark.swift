import BenchmarkHarness
import Foundation
import NetworkClient
import NetworkUtilities

/// Measures what an endpoint costs, compared with the same request that is built and fetched, over a transport that
/// responds immediately.
struct EndpointBenchmark: Benchmark {
    let name = "endpoints"
    let summary = "The cost of a call of an endpoint, compared with a call of the same request."

    private struct Item: Decodable, Sendable {
        var id: Int
    }

    /// The response is the value.
    private struct ItemEndpoint: Endpoint {
        typealias Response = Item
        let id: Int

        func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
            try builder.get(path: "/items/\(id)").build()
        }
    }

    /// The value is made from the response, in a task of the call.
    private struct NumberEndpoint: Endpoint {
        typealias Response = Item
        let id: Int

        func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
            try builder.get(path: "/items/\(id)").build()
        }

        func value(from response: NetworkClient.Response<Item>) -> Int { response.item.id }
    }

    func run(_ options: Options, _ report: Report) async throws {
        let comparison = Comparison(
            rounds: try options.number("rounds", quick: 15, full: 61),
            operations: try options.number("operations", quick: 500, full: 2_000)
        )
        let measured = try await comparison.measure(try variants())
        var table = Table("call", "ns", "ratio", "quartiles of the ratio", "allocations")
        for variant in measured {
            let ratios = zip(variant.nanoseconds, measured[0].nanoseconds).map { $0 / $1 }
            table.add(
                variant.name,
                Figures.number(variant.median, digits: 0),
                Figures.number(ratios.median, digits: 3),
                [0.25, 0.75].map { Figures.number(ratios.quantile($0), digits: 3) }.joined(separator: "…"),
                Figures.number(variant.allocations, digits: 2)
            )
        }
        report.note("\(comparison.rounds) interleaved rounds of \(comparison.operations) calls; medians.")
        report.table(table)
        let ratio = zip(measured[1].nanoseconds, measured[0].nanoseconds).map { $0 / $1 }.median
        report.goal(ratio <= 1.1, "at most 1.1 times the call of the same request", Figures.number(ratio, digits: 3))
    }

    private func variants() throws -> [Variant] {
        let prepared = try PreparedExchange(body: #"{"id":1}"#)
        let client = NetworkClient(
            transport: ClosureTransport { _, _ in prepared.response },
            logging: .off,
            configuration: .init(baseURL: URL(string: "http://stub.invalid"))
        )
        return [
            Variant("fetch(request:)") { count in
                for _ in 0..<count {
                    let request = try client.request.get(path: "/items/\(1)").build()
                    let _: NetworkClient.Response<Item> = try await client.fetch(request: request)
                }
            },
            Variant("send(endpoint)") { count in
                for _ in 0..<count { try await client.send(ItemEndpoint(id: 1)) }
            },
            Variant("send(endpoint), another value") { count in
                for _ in 0..<count { try await client.send(NumberEndpoint(id: 1)) }
            },
        ]
    }
}
