#if os(macOS) || os(Linux)
import Foundation
import NetworkTestSupport
import Testing

/// Every Swift snippet of the README, the DocC articles and the doc comments compiles, or says that it does not.
@Suite(.enabled(if: SwiftCompiler.isAvailable, "swiftc and the built modules are needed"))
struct DocumentationTests {
    @Test func everySnippetCompiles() async throws {
        let snippets = try Documents.snippets().filter { !$0.showsAMistake }
        for error in try await SwiftCompiler().errors(in: snippets, check: .flow) {
            Issue.record("\(error)")
        }
    }

    @Test func everyMistakeThatIsShownIsOne() async throws {
        let snippets = try Documents.snippets().filter(\.showsAMistake)
        let errors = try await SwiftCompiler().errors(in: snippets, check: .types)
        for snippet in snippets where !errors.contains(where: snippet.holds) {
            Issue.record("\(snippet.document):\(snippet.line): it says 'does not compile', and compiles")
        }
        for error in errors where !snippets.contains(where: { $0.holds(error) }) {
            Issue.record("\(error)")
        }
    }

    @Test func theReadmeShowsCode() throws {
        #expect(try Documents.snippets().contains { $0.document == "README.md" })
    }
}
#endif
