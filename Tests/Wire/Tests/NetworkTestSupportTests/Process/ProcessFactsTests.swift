import NetworkTestSupport
import Testing

@Suite(.enabled(if: ProcessFacts.now().openDescriptors != nil, "nothing is known on this platform"))
struct ProcessFactsTests {
    @Test func processFactsCountDescriptors() throws {
        // Other tests open and close theirs at the same time, so one look may be wrong; all of them cannot be.
        let growths = try (0..<20).map { _ in
            let before = try #require(ProcessFacts.now().openDescriptors)
            let pairs = try (0..<60).map { _ in try Socket.pair() }
            let during = try #require(ProcessFacts.now().openDescriptors)
            return withExtendedLifetime(pairs) { during - before }
        }
        #expect(growths.contains { $0 > 60 })
    }
}
