import Foundation

/// Reads the lines of the standard input.
public enum StandardInput {
    /// The lines without their line ends, until the end of the input; for one reader.
    public static var lines: AsyncStream<String> {
        AsyncStream { lines in
            // On a separate thread, since `readLine` blocks; the thread ends with the input or the program.
            Thread.detachNewThread {
                while let line = readLine() { lines.yield(line) }
                lines.finish()
            }
        }
    }
}
