import CTestSystem
import NetworkClient

/// A host name whose look-ups by the C library wait until they are released, as with a name server that does not
/// respond; they find 127.0.0.1 then.
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

    /// The name cannot be held, since too many are, or none can be.
    package struct NotHeld: Error {}

    private final class Log: Sendable {
        let count = AwaitableValue(0)
    }

    package let name: String
    private let log = Log()
    private let held: Int32
    private let isReleased = AwaitableValue(false)

    /// - Parameter name: One that no other test uses.
    /// - Throws: ``NotHeld``.
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

    /// Waits until so many look-ups have begun.
    package func lookups(_ count: Int) async throws {
        try await log.count.wait { $0 >= count ? () : nil }
    }

    /// Lets all look-ups go on, and returns when they have.
    package func release() {
        let isFirst = isReleased.update { isReleased in
            defer { isReleased = true }
            return !isReleased
        }
        if isFirst { ctest_release_name(held) }
    }
}

/// Runs a closure while the calling thread can start no other thread, as where a process has as many as it may have.
package func withoutNewThreads<Outcome>(_ body: () throws -> Outcome) rethrows -> Outcome {
    ctest_refuse_threads(1)
    defer { ctest_refuse_threads(0) }
    return try body()
}
