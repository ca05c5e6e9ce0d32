#if os(macOS) || os(Linux)
import NetworkTestSupport

extension Snippet {
    /// Whether a diagnostic is about this snippet.
    ///
    /// - Parameter diagnostic: What the compiler said about the program made of the snippet.
    /// - Returns: `true` if it names a line of this snippet.
    func holds(_ diagnostic: SwiftCompiler.Diagnostic) -> Bool {
        diagnostic.file == document && (line...end).contains(diagnostic.line)
    }
}
#endif
