#if os(macOS) || os(Linux)
import NetworkTestSupport
import Testing

@Suite(.enabled(if: SwiftCompiler.isAvailable, "swiftc and the built modules are needed"))
struct SnippetProgramTests {
    private static let importing = """
        #if canImport(Dispatch)
        import Dispatch
        #endif

        let queue = DispatchQueue(label: "a")
        """

    private static let extending = """
        @available(macOS 13, *)
        public struct Point: Sendable {
            let x: Int
        }

        /// Shows it.
        extension Point: CustomStringConvertible {
            public var description: String { x.description }
        }

        let point = Point(x: 1)
        print(
            point
        )
        await Task.yield()

        @MainActor
        func show(_ point: Point) {}
        """

    @Test(arguments: ["let url = url.absoluteString\nprint(url)", importing, "struct Item {}\nlet item = Item()"])
    func compilesWhatIsRight(_ code: String) async throws {
        let snippets = [snippet(code), snippet(code, in: "B.md")]
        let errors = try await errors(in: snippets)
        #expect(errors.isEmpty)
    }

    @Test func putsWhatIsExtendedAtFileScope() async throws {
        let errors = try await errors(in: [snippet(Self.extending)])
        #expect(errors.isEmpty)
    }

    @Test(arguments: [
        ("let a = 1\n_ = a.nothing", 11),
        ("import NoSuchModule", 10),
        ("struct A {}\n\nextension A {\n    let b: Int\n}", 13),
        ("func a() {", 11),
        ("}", 11),
        ("func a() -> Int {\n    \n}", 12),
    ])
    func namesTheLineOfTheDocument(_ code: String, _ line: Int) async throws {
        let errors = try await errors(in: [snippet("let fine = true", in: "B.md"), snippet(code)])
        #expect(errors.contains { $0.hasPrefix("A.md:\(line): ") })
        #expect(errors.allSatisfy { $0.hasPrefix("A.md:") })
    }

    private func snippet(_ code: String, in document: String = "A.md") -> Snippet {
        let lines = code.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return Snippet(document: document, line: 10, code: lines)
    }

    private func errors(in snippets: [Snippet]) async throws -> [String] {
        try await SwiftCompiler().errors(in: snippets, check: .flow).map(\.description)
    }
}
#endif
