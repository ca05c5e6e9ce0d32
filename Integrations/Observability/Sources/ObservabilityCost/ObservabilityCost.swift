import Foundation
import NetworkClient
import NetworkClientObservability
import NetworkClientTesting

/// Measures what `.traced()` and `.measured()` add to a call over a stub, without backends: pairs of rounds with and
/// without them, in alternating order, and the median of the differences.
@main
struct ObservabilityCost {
    static func main() async throws {
        let without = client([PassingInterceptor(), PassingInterceptor()])
        let with = client([.traced(), .measured()])
        let bare = client([])
        _ = try await (round(without), round(with), round(bare))
        var added: [Double] = []
        var fromBare: [Double] = []
        for number in 0..<21 {
            let isFirst = number.isMultiple(of: 2)
            let early = try await round(isFirst ? without : with)
            let late = try await round(isFirst ? with : without)
            added.append(isFirst ? late - early : early - late)
            fromBare.append(try await (isFirst ? late : early) - round(bare))
        }
        print("added by .traced() and .measured(), µs a call:", median(added))
        print("the same, compared with no interceptor:", median(fromBare))
    }

    private static func client(_ interceptors: [any InterceptorProtocol]) -> NetworkClient {
        NetworkClient(transport: ClosureTransport(status: 200, json: "1"), interceptors: interceptors)
    }

    /// Returns the microseconds of a call.
    private static func round(_ client: NetworkClient) async throws -> Double {
        let request = try URLRequest(url: url())
        let count = 20_000
        let start = SystemTimeSource().now
        for _ in 0..<count { try await client.fetch(request: request) }
        return (SystemTimeSource().now - start) / Double(count) * 1e6
    }

    private static func url() throws -> URL {
        guard let url = URL(string: "https://api.example.com/items?page=1") else { throw URLError(.badURL) }
        return url
    }

    private static func median(_ values: [Double]) -> String {
        String(format: "%.2f", values.sorted()[values.count / 2])
    }
}

/// An interceptor of another module than the library's, which changes nothing.
private struct PassingInterceptor: InterceptorProtocol {
    func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
        try await next(request)
    }
}
