@testable import NetworkUtilities

/// Records values from any thread, in order.
package final class Recorder<Value: Sendable>: Sendable {
    private let storage = Locked<[Value]>([])

    package init() {}

    package var values: [Value] { storage.withLock { $0 } }

    package var count: Int { storage.withLock { $0.count } }

    package func record(_ value: Value) {
        storage.withLock { $0.append(value) }
    }
}
