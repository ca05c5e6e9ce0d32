import Foundation

/// A value behind a lock that the thread sanitizer understands: on Linux it reports values behind a `Mutex` as races.
public final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    /// Creates a lock around a value.
    public init(_ value: sending Value) {
        self.value = value
    }

    /// Runs a closure with exclusive access to the value.
    public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
