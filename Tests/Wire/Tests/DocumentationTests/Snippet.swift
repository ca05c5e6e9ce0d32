import Foundation

/// A piece of code that the documentation shows, and where it stands there.
struct Snippet: Sendable, Equatable {
    /// The path of the document from the root of the package.
    let document: String

    /// The line of the document on which the code begins, below the opening fence.
    let line: Int

    /// The code, without the indentation or the `///` of the document around it.
    let code: [String]

    /// The line of the fence that closes it.
    var end: Int { line + code.count }

    /// Whether it shows a mistake: one of its comments says `does not compile`.
    var showsAMistake: Bool {
        code.contains { line in
            guard let comment = line.range(of: "//") else { return false }
            return line[comment.upperBound...].contains("does not compile")
        }
    }

    /// Whether it belongs into a `Package.swift`, where our modules are not there to be used.
    var isForAManifest: Bool {
        code.contains { $0.contains(".package(") }
    }
}
