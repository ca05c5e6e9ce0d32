import Foundation

/// A value behind a lock that the thread sanitizer knows; it takes what `Mutex` guards for unguarded on Linux.
public final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    /// Takes the value.
    ///
    /// - Parameter value: Used by nobody else.
    public init(_ value: sending Value) {
        self.value = value
    }

    /// Runs a closure that alone has the value.
    ///
    /// - Parameter body: Does not call out.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws.
    public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
