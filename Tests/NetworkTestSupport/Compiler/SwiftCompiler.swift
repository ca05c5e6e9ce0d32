#if os(macOS) || os(Linux)
package import Foundation

/// The compiler that built the tests, set up to import the modules that were built with them, as a user would.
///
/// All files of one call are checked together as one module, so that a hundred of them take about a second; names at
/// file scope must differ between them.
package struct SwiftCompiler: Sendable {
    /// The extent of the check.
    package enum Check: Sendable {
        /// Type-checks every file, even if other files have errors.
        case types

        /// Like `types`; without errors, also checks the flow of the code: missing returns, use before
        /// initialisation, data races.
        case flow
    }

    let executable: URL
    let searchArguments: [String]

    /// The folder of the build, with the executables of macros.
    let build: URL

    /// The options for the macros of a target that the tests were built with.
    package func macroOptions(_ target: String) -> [String] {
        ["-load-plugin-executable", "\(build.appendingPathComponent("\(target)-tool").path)#\(target)"]
    }

    /// Compiles files as one module, keeps no result, and returns the errors and warnings in the compiler's order.
    ///
    /// The options are added to those for the modules of the package.
    ///
    /// Throws ``Failure`` if the compiler couldn't be run, or failed without an error that can be parsed.
    package func diagnostics(
        in files: [URL],
        check: Check,
        options: [String] = []
    ) async throws -> [Diagnostic] {
        let (status, output) = try await run(arguments(for: check) + options + files.map(\.path))
        let diagnostics = Diagnostic.all(in: output)
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

    /// Suspends until the process has ended; a blocked thread would delay other tests.
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
    /// One error or warning, and its place.
    package struct Diagnostic: Sendable, Equatable, CustomStringConvertible {
        /// The path of the file, or the one in `#sourceLocation`.
        package var file: String

        /// The line, from 1; 0 for errors without a line.
        package var line: Int

        /// Whether it is an error, not a warning.
        package let isError: Bool

        /// The compiler's message.
        package let message: String

        /// Parses the output of the compiler; an error in the expansion of a macro has the place of the macro.
        static func all(in output: String) -> [Diagnostic] {
            var diagnostics: [Diagnostic] = []
            for line in output.split(separator: "\n") {
                if let diagnostic = Diagnostic(line: String(line)) {
                    diagnostics.append(diagnostic)
                } else if let note = line.range(of: ": note: in expansion of macro "), let last = diagnostics.last,
                    last.file.contains("/@__swiftmacro_"),
                    let place = Diagnostic(line: "\(line[..<note.lowerBound]): error: \(last.message)")
                {
                    diagnostics[diagnostics.count - 1] = place
                }
            }
            return diagnostics
        }

        /// Parses a line of the compiler's output, such as `Sources/A.swift:12:5: error: cannot find 'x' in scope`.
        ///
        /// Returns nil for other lines than the first of an error or warning (notes, excerpts, carets).
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

        /// The diagnostic in the compiler's format, without the column.
        package var description: String {
            "\(file):\(line): \(isError ? "error" : "warning"): \(message)"
        }
    }
}
#endif
