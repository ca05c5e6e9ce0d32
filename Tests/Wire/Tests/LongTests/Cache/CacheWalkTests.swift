/// Random walks of persons, of several tenants, through a cache that several clients have: tokens expire, their server
/// and the other one go down, limits pass, circuits open.
struct CacheWalkTests {
    @Test(.spec(260)) func tenThousandWalksNeverGiveOnePersonsResponseToAnother() async throws {
        let (walks, tasks) = (10_000, 2)
        let counts = try await withDeadline(seconds: 600, "the walks") {
            await withTaskGroup(of: [String: Int].self) { group in
                for task in 0..<tasks {
                    group.addTask { await Self.walk(seeds: stride(from: task, to: walks, by: tasks)) }
                }
                return await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
            }
        }
        for (name, count) in Self.leastCounts { #expect(counts[name, default: 0] >= count, "\(name): \(counts)") }
    }

    /// What the walks must reach for their law to mean something.
    private static let leastCounts = [
        "GET network": 20_000, "GET fresh": 12_000, "GET revalidated": 1_500, "GET stale": 200,
        "GET staleOnError": 1, "HEAD fresh": 1_000, "HEAD network": 3_000, "PUT none": 4_000,
        "fresh of another": 2_500, "redirects from the cache": 1_200, "shared": 600, "after a refresh": 80,
        "signedOut": 6, "open circuits": 200, "refreshFailed": 12, "timedOut": 25,
    ]

    private static func walk(seeds: StrideTo<Int>) async -> [String: Int] {
        var counts: [String: Int] = [:]
        for seed in seeds {
            let walk = CacheWalk(seed: UInt64(seed))
            await walk.run(steps: 6)
            for fault in walk.faults { Issue.record("seed \(seed): \(fault)") }
            counts.merge(walk.counts, uniquingKeysWith: +)
        }
        return counts
    }
}
