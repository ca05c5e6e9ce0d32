#if os(macOS) || os(Linux)
import Foundation
import NetworkTestSupport
import Testing

/// Calls in the wrong order don't compile, and the compiler's message names the right order.
@Suite(.enabled(if: SwiftCompiler.isAvailable, "swiftc and the built modules are needed"))
struct MisuseTests {
    /// The diagnostics of all programs, which are compiled together, once.
    private static let diagnostics = Task {
        try await SwiftCompiler().diagnostics(in: try MisuseProgram.all().map(\.file), check: .types)
    }

    @Test(.spec(15), arguments: try MisuseProgram.all())
    func everyMisuseProgramIsRefusedWithItsMessage(_ program: MisuseProgram) async throws {
        for problem in program.problems(in: try await Self.diagnostics.value) {
            Issue.record("\(program.testDescription): \(problem)")
        }
    }

    @Test func oneOfTheProgramsIsExpectedToCompile() throws {
        #expect(try MisuseProgram.all().contains { $0.expectations == [MisuseProgram.noError] })
    }

    @Test func everyCompilerErrorBelongsToAMisuseProgram() async throws {
        let files = try MisuseProgram.all().map(\.file.path)
        let strangers = try await Self.diagnostics.value.filter { $0.isError && !files.contains($0.file) }
        #expect(strangers.isEmpty)
    }
}
#endif
