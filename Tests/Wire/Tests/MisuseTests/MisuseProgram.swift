#if os(macOS) || os(Linux)
import Foundation
import NetworkTestSupport
import Testing

/// A program of a folder `Misuse` that must not compile, with the parts of the message that the compiler must report.
struct MisuseProgram: Sendable, CustomTestStringConvertible {
    /// The expectation of a program that must compile, which proves that the others don't fail for a missing module.
    static let noError = "no error"

    let file: URL
    let expectations: [String]

    var testDescription: String { file.lastPathComponent }

    /// Reads the expectations from the lines `// expect: part of the message` at the top of the text.
    init(file: URL, text: String) {
        let mark = "// expect: "
        self.file = file
        self.expectations = text.split(separator: "\n").prefix { $0.hasPrefix(mark) }
            .map { String($0.dropFirst(mark.count)) }
    }

    /// Reads all programs, including the one that must compile.
    static func all(in folder: String = "Tests/Wire/Misuse") throws -> [MisuseProgram] {
        try PackageFiles.files(in: PackageFiles.root.appendingPathComponent(folder))
            .filter { $0.pathExtension == "swift" }
            .map { MisuseProgram(file: $0, text: try String(contentsOf: $0, encoding: .utf8)) }
    }

    /// Compares the compiler's diagnostics, for this program and others, with the expectations.
    ///
    /// Returns one sentence for every difference.
    func problems(in diagnostics: [SwiftCompiler.Diagnostic]) -> [String] {
        let errors = diagnostics.filter { $0.isError && $0.file == file.path }
        guard expectations != [Self.noError] else { return errors.map { "It must compile: \($0)" } }
        guard !expectations.isEmpty else { return ["It does not begin with a line '// expect: …'."] }
        guard !errors.isEmpty else { return ["It compiles."] }
        let missing = expectations.filter { expected in !errors.contains { $0.message.contains(expected) } }
        let surplus = errors.filter { error in !expectations.contains { error.message.contains($0) } }
        return missing.map { "No error says '\($0)'." } + surplus.map { "Nothing expects \($0)" }
    }
}
#endif
