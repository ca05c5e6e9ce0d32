#if canImport(Darwin)
package import Darwin
#elseif canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#endif

/// A value behind a lock: the one that the whole package uses, since `Mutex` is newer than the oldest platforms.
///
/// The closure given to ``withLock(_:)`` must not call out (resume a continuation, call a delegate or a closure of the
/// user's): it returns what is to be done, and the caller does it after the lock is released. There are several for
/// each call, so value and lock are one allocation, and the lock is the system's own, which is a fifth of the size of
/// Foundation's on Linux. Copies share the value.
///
/// The other library has the initializer and ``withLock(_:)`` once more, specialised there, and prefers those.
package struct Locked<Value>: @unchecked Sendable {
    package let storage: ManagedBuffer<Value, pthread_mutex_t>

    package init(storage: ManagedBuffer<Value, pthread_mutex_t>) {
        self.storage = storage
    }

    @_disfavoredOverload
    package init(_ value: sending Value) {
        let storage = LockedStorage<Value>.create(minimumCapacity: 1) { _ in value }
        storage.withUnsafeMutablePointerToElements { mutex in
            mutex.initialize(to: pthread_mutex_t())
            pthread_mutex_init(mutex, nil)
        }
        self.storage = storage
    }

    @_disfavoredOverload
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        // By pointers, since the language would otherwise keep a record of each access to the value besides.
        try storage.withUnsafeMutablePointers { value, mutex in
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&value.pointee)
        }
    }
}
