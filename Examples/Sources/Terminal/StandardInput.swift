import Foundation

/// The lines of the standard input, as they come; for one reader.
public enum StandardInput {
    /// The lines, without their ends, until the end of the input.
    public static var lines: AsyncStream<String> {
        AsyncStream { lines in
            // A thread of its own, since reading waits; it ends with the input or the program.
            Thread.detachNewThread {
                while let line = readLine() { lines.yield(line) }
                lines.finish()
            }
        }
    }
}
