import NetworkTestSupport
import Testing

/// Runs a test that computes for long without a pause where it holds up no other.
///
/// Each test target has its own copy, as of ``SpecTrait``.
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
