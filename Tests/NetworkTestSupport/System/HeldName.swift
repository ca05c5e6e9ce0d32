import CTestSystem
import NetworkClient

/// A host name whose look-ups in the C library wait until they are released, like with a name server that doesn't
/// respond; then they return 127.0.0.1.
///
/// ```swift
/// let name = try HeldName("slow.test")
/// // … send something to http://slow.test:\(server.port)/ …
/// try await name.lookups(1)
/// name.release()
/// ```
package final class HeldName: Sendable {
    /// Whether look-ups can be held here: with glibc and without a sanitizer.
    package static let isPossible = ctest_can_interpose() != 0

    /// The name can't be held: too many names are held, or look-ups can't be held here.
    package struct NotHeld: Error {}

    private final class Log: Sendable {
        let count = AwaitableValue(0)
    }

    package let name: String
    private let log = Log()
    private let held: Int32
    private let isReleased = AwaitableValue(false)

    /// Creates a name that no other test may use; throws ``NotHeld``.
    package init(_ name: String) throws {
        self.name = name
        let context = Unmanaged.passUnretained(log).toOpaque()
        held = ctest_hold_name(
            name,
            { context in
                guard let context else { return }
                Unmanaged<Log>.fromOpaque(context).takeUnretainedValue().count.update { $0 += 1 }
            },
            context
        )
        guard held >= 0 else { throw NotHeld() }
    }

    deinit {
        release()
    }

    /// The number of look-ups that have begun.
    package var lookupCount: Int { log.count.current }

    /// Waits until `count` look-ups have begun.
    package func lookups(_ count: Int) async throws {
        try await log.count.wait { $0 >= count ? () : nil }
    }

    /// Releases all look-ups, and returns when they have ended.
    package func release() {
        let isFirst = isReleased.update { isReleased in
            defer { isReleased = true }
            return !isReleased
        }
        if isFirst { ctest_release_name(held) }
    }
}

/// Runs a closure while the calling thread can't start threads, as in a process that has reached its limit.
package func withoutNewThreads<Outcome>(_ body: () throws -> Outcome) rethrows -> Outcome {
    ctest_refuse_threads(1)
    defer { ctest_refuse_threads(0) }
    return try body()
}
