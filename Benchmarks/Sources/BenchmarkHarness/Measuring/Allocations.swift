import CAllocations

/// Counts the heap allocations of the process, with glibc.
public enum Allocations {
    /// Whether a count says anything here: tried with an object, whose allocation has to show.
    public static let areCounted: Bool = {
        allocations_start()
        withExtendedLifetime(Probe()) {}
        return allocations_stop() > 0
    }()

    /// Counts what happens while an operation runs, on whatever thread.
    ///
    /// - Parameter operation: What is counted.
    /// - Returns: How many allocations there were.
    /// - Throws: What the operation throws.
    public static func count(_ operation: () async throws -> Void) async rethrows -> Int {
        allocations_start()
        defer { _ = allocations_stop() }
        try await operation()
        return Int(allocations_stop())
    }

    /// Large and opaque enough that no optimiser puts it on the stack.
    private final class Probe {
        var values = [Int](repeating: 0, count: Int.random(in: 100...200))
    }
}
