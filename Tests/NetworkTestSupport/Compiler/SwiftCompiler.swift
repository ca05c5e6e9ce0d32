#if os(macOS) || os(Linux)
package import Foundation

/// The compiler that built the tests, set up to import the modules that were built with them, as a user would.
///
/// All files of one call are checked together as one module, so that a hundred of them take about a second; names at
/// file scope must differ between them.
package struct SwiftCompiler: Sendable {
    /// How far the compiler looks.
    package enum Check: Sendable {
        /// Every file is type-checked, whatever is wrong with the others.
        case types

        /// As `types`; if nothing is wrong there, also what the compiler only sees in the flow of the code: missing
        /// returns, use before initialisation, data races.
        case flow
    }

    let executable: URL
    let searchArguments: [String]

    /// Compiles the files without keeping any result, and returns what the compiler says about them.
    ///
    /// - Parameters:
    ///   - files: Swift files; they are compiled as one module.
    ///   - check: How far to look.
    /// - Returns: The errors and warnings, in the compiler's order; empty if it had nothing to say.
    /// - Throws: ``Failure`` if the compiler could not be run, or failed without an error that can be understood.
    package func diagnostics(in files: [URL], check: Check) async throws -> [Diagnostic] {
        let (status, output) = try await run(arguments(for: check) + files.map(\.path))
        let diagnostics = output.split(separator: "\n").compactMap { Diagnostic(line: String($0)) }
        guard (status == 0) != diagnostics.contains(where: \.isError) else {
            throw Failure(description: "\(executable.path) exited with \(status) and said: \(output)")
        }
        return diagnostics
    }

    private func arguments(for check: Check) -> [String] {
        let mode =
            switch check {
            case .types: ["-typecheck"]
            case .flow: ["-emit-sil", "-o", "/dev/null"]
            }
        return mode + ["-swift-version", "6", "-wmo", "-diagnostic-style=llvm"] + searchArguments
    }

    /// Suspends until the process has ended, and blocks no thread meanwhile: the other tests need them.
    private func run(_ arguments: [String]) async throws -> (status: Int32, output: String) {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let log = try directory.file("log.txt", "")
        let handle = try FileHandle(forWritingTo: log)
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = handle
        let status: Int32 = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        try handle.close()
        return (status, try String(contentsOf: log, encoding: .utf8))
    }
}

extension SwiftCompiler {
    /// One error or warning, and where it is.
    package struct Diagnostic: Sendable, Equatable, CustomStringConvertible {
        /// The path as the compiler names it: that of the file, or what `#sourceLocation` says instead.
        package var file: String

        /// The line, from 1; 0 for what is wrong with no line in particular.
        package var line: Int

        /// Whether it keeps the code from compiling.
        package let isError: Bool

        /// What the compiler says.
        package let message: String

        /// Reads a line of the compiler's output.
        ///
        /// - Parameter line: As in `Sources/A.swift:12:5: error: cannot find 'x' in scope`; `nil` comes of any line
        ///   that is not the first of an error or warning (notes, excerpts, carets).
        package init?(line: String) {
            for severity in ["error", "warning"] {
                guard let mark = line.range(of: ": \(severity): ") else { continue }
                var place = line[..<mark.lowerBound].split(separator: ":", omittingEmptySubsequences: false)
                let numbers = place.suffix(2).compactMap { Int($0) }
                place.removeLast(place.count > 1 ? numbers.count : 0)
                self.file = place.joined(separator: ":")
                self.line = numbers.first ?? 0
                self.isError = severity == "error"
                self.message = String(line[mark.upperBound...])
                return
            }
            guard line.hasPrefix("error: ") else { return nil }
            self.file = ""
            self.line = 0
            self.isError = true
            self.message = String(line.dropFirst("error: ".count))
        }

        /// The diagnostic as the compiler writes it, without the column.
        package var description: String {
            "\(file):\(line): \(isError ? "error" : "warning"): \(message)"
        }
    }
}
#endif
