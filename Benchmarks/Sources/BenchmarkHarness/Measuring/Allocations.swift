import CAllocations

/// Counts the heap allocations of the process; works with glibc only.
public enum Allocations {
    /// Whether allocations can be counted here: the allocation of a probe object must show.
    public static let areCounted: Bool = {
        allocations_start()
        withExtendedLifetime(Probe()) {}
        return allocations_stop() > 0
    }()

    /// Counts the allocations of all threads while an operation runs.
    public static func count(_ operation: () async throws -> Void) async rethrows -> Int {
        allocations_start()
        defer { _ = allocations_stop() }
        try await operation()
        return Int(allocations_stop())
    }

    /// An object that is too large and opaque for the optimiser to put it on the stack.
    private final class Probe {
        var values = [Int](repeating: 0, count: Int.random(in: 100...200))
    }
}
