#if os(macOS) || os(Linux)
import Foundation

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
