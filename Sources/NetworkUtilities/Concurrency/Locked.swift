/// A value behind a lock, for the whole package: `Mutex` is newer than the oldest supported platforms.
///
/// Copies share the value. The closure passed to ``withLock(_:)`` must not call out (resume a continuation, call a
/// delegate or a caller-provided closure): it returns an action, and the caller performs the action after the lock is
/// released. One request creates several locks: to keep them small, the value and the mutex share one allocation, and
/// the mutex is the system's, which on Linux is a fifth of the size of Foundation's.
@usableFromInline
package struct Locked<Value>: @unchecked Sendable {
    @usableFromInline package let storage: ManagedBuffer<Value, pthread_mutex_t>

    @usableFromInline
    package init(storage: ManagedBuffer<Value, pthread_mutex_t>) {
        self.storage = storage
    }

    @inlinable
    package init(_ value: sending Value) {
        let storage = LockedStorage<Value>.create(minimumCapacity: 1) { _ in value }
        storage.withUnsafeMutablePointerToElements { mutex in
            mutex.initialize(to: pthread_mutex_t())
            pthread_mutex_init(mutex, nil)
        }
        self.storage = storage
    }

    @inlinable
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        // Access by pointers avoids the runtime's exclusivity record for each access to the value.
        try storage.withUnsafeMutablePointers { value, mutex in
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&value.pointee)
        }
    }

    /// Makes everything that happened before the last use of the lock visible to the code after this call.
    ///
    /// Call it after waiting for a continuation. The runtime orders the two sides too, but doesn't tell the thread
    /// sanitizer if the continuation was resumed before the task waited, and the sanitizer then reports a race.
    @inlinable
    package func meet() {
        // Doesn't access the value: a value of size zero lies at the start of the object, which any thread may read.
        storage.withUnsafeMutablePointerToElements { mutex in
            pthread_mutex_lock(mutex)
            pthread_mutex_unlock(mutex)
        }
    }
}

/// The memory of a ``Locked`` value: the value, followed by the mutex.
@usableFromInline
package final class LockedStorage<Value>: ManagedBuffer<Value, pthread_mutex_t> {
    deinit {
        withUnsafeMutablePointerToElements { mutex in
            pthread_mutex_destroy(mutex)
            mutex.deinitialize(count: 1)
        }
    }
}
