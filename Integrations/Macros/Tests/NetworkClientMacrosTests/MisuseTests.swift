#if os(macOS) || os(Linux)
import Foundation
import NetworkTestSupport
import Testing

/// What a request cannot be does not compile, and the message says what to write.
@Suite(.enabled(if: SwiftCompiler.isAvailable, "swiftc and the built modules are needed"))
struct MisuseTests {
    private static let folder = "Integrations/Macros/Misuse"

    /// The diagnostics of all programs, which are compiled together, once.
    private static let diagnostics = Task {
        let compiler = try SwiftCompiler()
        let options = compiler.macroOptions("NetworkClientMacrosPlugin")
        return try await compiler.diagnostics(in: programs().map(\.file), check: .types, options: options)
    }

    private static func programs() throws -> [MisuseProgram] { try MisuseProgram.all(in: folder) }

    @Test(.spec(277), arguments: try programs())
    func everyMisuseOfAMacroIsRefusedWithItsMessage(_ program: MisuseProgram) async throws {
        for problem in program.problems(in: try await Self.diagnostics.value) {
            Issue.record("\(program.testDescription): \(problem)")
        }
    }

    @Test func everyErrorBelongsToAProgram() async throws {
        let files = try Self.programs().map(\.file.path)
        #expect(try Self.programs().contains { $0.expectations == [MisuseProgram.noError] })
        #expect(try await Self.diagnostics.value.filter { $0.isError && !files.contains($0.file) } == [])
    }
}
#endif
