import CInstructions

/// Counts the instructions of the calling thread with the processor's own counter, on Linux where that is permitted.
public enum Instructions {
    /// Counts what an operation executes outside the kernel.
    ///
    /// - Parameter operation: Does everything on the thread that calls it.
    /// - Returns: How many instructions there were; nil where they cannot be counted. It still was performed then.
    /// - Throws: What the operation throws.
    public static func count(_ operation: () throws -> Void) rethrows -> Int? {
        let handle = instructions_start()
        guard handle >= 0 else {
            try operation()
            return nil
        }
        var count: Int64 = -1
        do {
            defer { count = instructions_stop(handle) }
            try operation()
        }
        return count > 0 ? Int(count) : nil
    }
}
