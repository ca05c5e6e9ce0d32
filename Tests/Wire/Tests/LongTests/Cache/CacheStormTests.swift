@testable import NetworkClient
import NetworkClientTesting
@testable import NetworkUtilities

/// A hundred thousand calls, of which many fail and many are cancelled.
struct CacheStormTests {
    private static let limit = 100_000
    private let clock = TestClock()
    private let looks = Locked(0)

    /// A server that fails every fifth request, and whose responses may be used stale.
    private func server() -> ClosureTransport {
        let random = Locked(SeededGenerator(seed: 1))
        return ClosureTransport { request, _ in
            let (yields, outcome, count) = random.withLock { random in
                (Int.random(in: 0...8, using: &random), Int.random(in: 0..<5, using: &random), random.next() % 4_000)
            }
            for _ in 0..<yields { await Task.yield() }
            try Task.checkCancellation()
            guard outcome > 0 else { return TransportResponse(response: .made(503)) }
            let isConfirmed = outcome == 1 && request.value(forHTTPHeaderField: "If-None-Match") != nil
            let fields = [
                "Cache-Control": "max-age=5, stale-while-revalidate=20, stale-if-error=40", "ETag": "\"1\"",
                "Vary": "Accept-Language",
            ]
            let head = HTTPURLResponse.made(isConfirmed ? 304 : 200, headers: fields)
            return TransportResponse(response: head, data: Data(count: isConfirmed ? 0 : Int(count)))
        }
    }

    @Test(.spec(259)) func aStormOfCallsLeavesNothingBehindAndStaysWithinItsLimit() async throws {
        let limits = ResponseCache.Limits(memory: Self.limit, response: 3_000, variants: 2)
        let cache = ResponseCache(limits: limits)
        let client = NetworkClient(transport: server(), logging: .off, configuration: .init(cache: cache, time: clock))
        try await withDeadline(seconds: 600, "the storm") {
            await withTaskGroup(of: Void.self) { group in
                for seed in 0..<8 { group.addTask { await run(client, cache, calls: 12_500, UInt64(seed)) } }
            }
            while cache.flightCount > 0 || client.calls.count > 0 { await Task.yield() }
        }
        let statistics = cache.statistics
        let counts = (statistics.hits, statistics.revalidations, statistics.misses)
        #expect(counts.0 > 20_000 && counts.1 > 1_000 && counts.2 > 10_000, "\(counts)")
        #expect(looks.withLock { $0 } == 100_000 && statistics.stored > 10)
        cache.withResponses { expectConsistency(of: $0) }
        cache.removeAll()
        #expect(cache.statistics.bytes == 0 && cache.statistics.stored == 0)
        cache.withResponses { expectConsistency(of: $0) }
    }

    private func run(_ client: NetworkClient, _ cache: ResponseCache, calls: Int, _ seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        for number in 0..<calls {
            var request = URLRequest(url: url("https://h.example/\(Int.random(in: 0..<60, using: &random))"))
            request.setValue(Bool.random(using: &random) ? "de" : "en", forHTTPHeaderField: "Accept-Language")
            if number % 100 == 0 { request.httpMethod = "PUT" }
            let call = Task { [request] in try await client.fetch(request: request) as NetworkClient.Response<Data> }
            if number % 3 == 0 {
                for _ in 0..<Int.random(in: 0...12, using: &random) { await Task.yield() }
                call.cancel()
            }
            _ = try? await call.value
            clock.advance(by: 0.02)
            if number % 50 == 0 { clock.advance(by: 0.5) }
            looks.withLock { $0 += 1 }
            guard cache.statistics.bytes <= Self.limit else { return #expect(Bool(false), "\(cache)") }
        }
    }

    /// For the thread sanitizer, too: every state of one stored response is reached from many threads.
    @Test(.spec(259)) func aThousandTasksHaveOneStoredResponse() async throws {
        let cache = ResponseCache()
        let client = NetworkClient(transport: server(), logging: .off, configuration: .init(cache: cache, time: clock))
        try await withDeadline(seconds: 600, "the tasks") {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<1_000 {
                    group.addTask {
                        var request = URLRequest(url: url("https://h.example/a"))
                        if number % 50 == 49 { request.httpMethod = number % 100 == 99 ? "PUT" : "HEAD" }
                        for round in 0..<5 {
                            _ = try? await client.fetch(request: request) as NetworkClient.Response<Data>
                            clock.advance(by: Double(round))
                            if number % 200 == 0 { cache.remove(for: url("https://h.example/a")) }
                            #expect(cache.statistics.stored <= 1)
                        }
                    }
                }
            }
            while cache.flightCount > 0 || client.calls.count > 0 { await Task.yield() }
        }
        cache.withResponses { expectConsistency(of: $0) }
    }

    /// Expects the indexes of a cache without requests in flight to agree with each other.
    private func expectConsistency(of responses: CachedResponses) {
        let mirror = Mirror(reflecting: responses)
        let entries = Mirror(reflecting: mirror.descendant("entries") ?? []).children
        let known = entries.compactMap { entry -> (UInt64, Int)? in
            let parts = Mirror(reflecting: entry.value).children.map(\.value)
            guard parts.count == 2, let id = parts[0] as? UInt64 else { return nil }
            let response = Mirror(reflecting: parts[1]).descendant("response") as? CachedResponse
            return response.map { (id, $0.size) }
        }
        #expect(known.count == entries.count && known.count == responses.statistics.stored)
        expect(known.reduce(0) { $0 + $1.1 }, responses.statistics.bytes)
        let places = Mirror(reflecting: mirror.descendant("places") ?? []).children.map { entry in
            let place = Mirror(reflecting: Mirror(reflecting: entry.value).descendant(1) ?? ())
            let own = place.descendant("own") as? [CachePartition: [UInt64]] ?? [:]
            return [place.descendant("common") as? [UInt64] ?? []] + own.values
        }
        expect(places.joined().joined().sorted(), known.map { $0.0 }.sorted())
        #expect(places.allSatisfy { $0.allSatisfy { $0.count <= 2 } && !$0.allSatisfy(\.isEmpty) })
        #expect(responses.flightCount == 0 && mirror.descendant("revalidations") as? Int == 0)
    }
}
