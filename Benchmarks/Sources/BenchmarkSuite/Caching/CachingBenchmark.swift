import Foundation
import NetworkClient
import NetworkClientTesting

/// Measures a stored response and the storing of one, over a transport that responds immediately.
struct CachingBenchmark: Benchmark {
    let name = "caching"
    let summary = "A response from the cache, and the storing of a response, without latency."

    func run(_ options: Options, _ report: Report) async throws {
        let comparison = try Comparison(options, rounds: (15, 61), operations: (500, 2_000))
        let cache = ResponseCache()
        let urls = try (0..<4_000).map { try Self.url("items/\($0)") }
        let measured = try await comparison.measure([
            try Self.call("without a cache", nil),
            try Self.call("hit", cache),
            try Self.call("hit with a credential", cache, ["Authorization": "Bearer t", "Accept-Language": "en"]),
            try Self.call("other URLs, without a cache", nil, urls: urls),
            try Self.call("other URLs, stored", ResponseCache(limits: .init(memory: 1 << 20)), urls: urls),
        ])
        let rows = measured.map { variant in
            let allocations = format(variant.allocations, digits: 2)
            return [variant.name, format(variant.median, digits: 0), allocations]
        }
        report.table(["call", "ns", "allocations"], rows)
        let (hit, store) = (measured[1].median - measured[0].median, measured[4].median - measured[3].median)
        let more = measured[1].allocations.flatMap { all in measured[0].allocations.map { all - $0 } }
        report.goal(hit <= 5_000, "a hit costs at most 5 µs above the call", "\(format(hit, digits: 0)) ns")
        if let more { report.goal(more <= 12, "and at most 12 allocations", format(more, digits: 1)) }
        report.goal(store <= 3_000, "storing costs at most 3 µs", "\(format(store, digits: 0)) ns")
    }

    private static func url(_ path: String) throws -> URL {
        guard let url = URL(string: "http://stub.invalid/\(path)") else { throw URLError(.badURL) }
        return url
    }

    /// Returns a call of one URL, or of one URL after the other.
    private static func call(
        _ name: String,
        _ cache: ResponseCache?,
        _ fields: [String: String] = [:],
        urls: [URL] = []
    ) throws -> Variant {
        let url = try url("items")
        let known = ResponseFields([
            .init(name: "Content-Type", value: "application/json"), .init(name: "ETag", value: "\"5d8c72a5\""),
            .init(name: "Date", value: "Sat, 28 Nov 2026 12:00:00 GMT"), .init(name: "Vary", value: "Accept-Language"),
            .init(name: "Cache-Control", value: "max-age=2000000000"), .init(name: "Content-Length", value: "2"),
        ])
        guard let response = TransportResponse(url: url, status: 200, fields: known, data: Data("{}".utf8)) else {
            throw URLError(.badServerResponse)
        }
        let transport = ClosureTransport { _, _ in response }
        let client = NetworkClient(transport: transport, logging: .off, configuration: .init { $0.cache = cache })
        let requests = (urls.isEmpty ? [url] : urls).map { url in
            var request = URLRequest(url: url)
            for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
            return request
        }
        return Variant(name) { count in
            for number in 0..<count { try await client.fetch(request: requests[number % requests.count]) }
        }
    }
}
