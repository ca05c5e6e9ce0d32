#if os(macOS) || os(Linux)
import NetworkTestSupport
import Testing

extension Tutorial.Section: CustomTestStringConvertible {
    var testDescription: String { title }
}

/// The tutorials of the documentation can be followed section by section.
@Suite(.enabled(if: SwiftCompiler.isAvailable, "swiftc and the built modules are needed"))
struct TutorialTests {
    @Test(arguments: try Documents.tutorials().flatMap(\.sections))
    func thePackageOfTheReaderCompilesAfterEachSection(_ section: Tutorial.Section) async throws {
        for diagnostic in try await SwiftCompiler().diagnostics(in: section) {
            Issue.record("\(section.title): \(diagnostic)")
        }
    }

    @Test func thereIsATutorialThatEndsWithTests() throws {
        let last = try #require(try Documents.tutorials().first?.sections.last)
        #expect(last.changed.contains { $0.hasPrefix("Tests/") })
    }

    @Test func everyFileOfTheDocumentationIsUsed() throws {
        #expect(try Documents.unusedFiles() == [])
    }
}
#endif
