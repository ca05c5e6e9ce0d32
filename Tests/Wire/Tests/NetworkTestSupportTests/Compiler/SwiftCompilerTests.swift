#if os(macOS) || os(Linux)
import Foundation
import Testing

@testable import NetworkTestSupport

@Suite(.enabled(if: SwiftCompiler.isAvailable, "swiftc and the built modules are needed"))
struct SwiftCompilerTests {
    @Test func theCompilerReportsTheErrorsOfEveryFileAtTheirLines() async throws {
        let diagnostics = try await diagnostics(
            of: [
                "A.swift": "import NetworkClient\nimport NetworkUtilities\nfunc a(_ client: NetworkClient?) {}",
                "B.swift": "import Foundation\n\nfunc b(url: URL) { url.nothing }",
                "C.swift": "func c() { let n: Int = \"\" }\nfunc d() {",
                "D.swift": "#sourceLocation(file: \"README.md\", line: 41)\nlet d = e\n",
            ],
            check: .types
        )
        let errors = diagnostics.filter(\.isError)
        let places = errors.map { "\(URL(fileURLWithPath: $0.file).lastPathComponent):\($0.line)" }
        #expect(places.sorted() == ["B.swift:3", "C.swift:1", "C.swift:2", "README.md:41"])
    }

    @Test(arguments: [
        "func a() -> Int { }",
        "final class Box { var n = 0 }\nfunc a() { let box = Box(); Task { box.n += 1 }; box.n += 1 }",
    ])
    func theCompilerChecksTheFlowOnlyOnRequest(_ text: String) async throws {
        #expect(try await diagnostics(of: ["A.swift": text], check: .flow).contains(where: \.isError))
        #expect(try await !diagnostics(of: ["A.swift": text], check: .types).contains(where: \.isError))
    }

    @Test func theCompilerHidesPackageDeclarations() async throws {
        let text = "import NetworkClient\nfunc a(_ value: Locked<Int>) {}"
        let diagnostics = try await diagnostics(of: ["A.swift": text], check: .types)
        #expect(diagnostics.contains { $0.message.contains("cannot find type 'Locked' in scope") })
    }

    @Test func theModuleCacheIsTemporaryIfTheBuildFolderIsNotWritable() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("build", "not a folder")
        #expect(SwiftCompiler.moduleCache(for: directory.url).deletingLastPathComponent().path == directory.url.path)
        let cache = SwiftCompiler.moduleCache(for: file).deletingLastPathComponent()
        #expect(cache.path == FileManager.default.temporaryDirectory.path)
    }

    @Test(arguments: [
        ("/a b/A.swift:12:5: error: cannot find 'x: y'", "/a b/A.swift:12: error: cannot find 'x: y'"),
        ("README.md:4:1: warning: unused", "README.md:4: warning: unused"),
        ("<unknown>:0: error: no such module 'A'", "<unknown>:0: error: no such module 'A'"),
        ("error: no input files", ":0: error: no input files"),
    ])
    func aDiagnosticIsParsedFromALine(_ line: String, as description: String) {
        #expect(SwiftCompiler.Diagnostic(line: line)?.description == description)
    }

    @Test(arguments: ["", "    _ = url.nothing", "A.swift:1:2: note: declared here"])
    func linesThatAreNotDiagnosticsAreIgnored(_ line: String) {
        #expect(SwiftCompiler.Diagnostic(line: line) == nil)
    }

    @Test func anErrorInTheExpansionOfAMacroHasThePlaceOfTheMacro() {
        let output = """
            /tmp/@__swiftmacro_1A3GetfMe_.swift:5:10: error: no
            /a/A.swift:4:1: note: in expansion of macro 'Get' on struct 'A' here
            /a/B.swift:2:1: error: nor this
            /a/C.swift:3:1: note: in expansion of macro 'Get' on struct 'C' here
            """
        let places = SwiftCompiler.Diagnostic.all(in: output).map(\.description)
        #expect(places == ["/a/A.swift:4: error: no", "/a/B.swift:2: error: nor this"])
    }

    private func diagnostics(
        of files: [String: String],
        check: SwiftCompiler.Check
    ) async throws -> [SwiftCompiler.Diagnostic] {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let urls = try files.map { name, text in try directory.file(name, text) }
        return try await SwiftCompiler().diagnostics(in: urls, check: check)
    }
}
#endif
