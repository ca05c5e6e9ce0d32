#if os(macOS) || os(Linux)
import NetworkTestSupport
import Testing

/// What a reader of a tutorial could not compile is found.
@Suite(.enabled(if: SwiftCompiler.isAvailable, "swiftc and the built modules are needed"))
struct TutorialSectionTests {
    @Test func aMistakeInAManifestIsReported() async throws {
        let manifest = "// swift-tools-version: 6.3\nimport PackageDescription\nlet package = Package(nam: \"A\")\n"
        #expect(try await places(of: ["Package.swift": manifest]) == ["Package.swift:3"])
    }

    @Test func errorsAndWarningsAreReportedAtTheirLines() async throws {
        let files = [
            "Sources/A/A.swift": "struct A {}\nfunc a() { let b = 1 }\n",
            "Sources/A/main.swift": "_ = A()\n_ = A(id: 1)\n",
        ]
        #expect(try await places(of: files).sorted() == ["Sources/A/A.swift:2", "Sources/A/main.swift:2"])
    }

    @Test func aTestThatDoesNotImportTheAppIsReported() async throws {
        let files = ["Sources/A/A.swift": "struct A {}\n", "Tests/ATests/ATests.swift": "let a = A()\n"]
        #expect(try await places(of: files) == ["Tests/ATests/ATests.swift:1"])
    }

    private func places(of texts: [String: String]) async throws -> [String] {
        let files = texts.map { path, text in (path, Tutorial.File(name: path, text: text)) }
        let section = Tutorial.Section(
            title: "",
            files: Dictionary(uniqueKeysWithValues: files),
            changed: Set(texts.keys)
        )
        return try await SwiftCompiler().diagnostics(in: section).map { "\($0.file):\($0.line)" }
    }
}
#endif
