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
#endif
