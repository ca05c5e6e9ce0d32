import Foundation

/// A value behind a lock: the only unchecked `Sendable` in the package, since `Mutex` is newer than the oldest
/// platforms.
///
/// The closure given to ``withLock(_:)`` must not call out (resume a continuation, call a delegate or a closure of the
/// user's): it returns what is to be done, and the caller does it after the lock is released.
package final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
    }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
