import NetworkTestSupport
import Testing

/// Runs a test that computes for seconds on a thread outside Swift's pool, one such test at a time.
///
/// Each test target compiles this file, through a link: a target that is not a test target cannot import Testing
/// everywhere in Xcode.
struct LongComputationTrait: TestTrait, TestScoping {
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await ComputationQueue.run(function)
    }
}

extension Trait where Self == LongComputationTrait {
    static var longComputation: Self { LongComputationTrait() }
}
