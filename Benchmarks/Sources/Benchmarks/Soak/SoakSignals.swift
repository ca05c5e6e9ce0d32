import BenchmarkHarness

/// Who is to be cancelled when the server has come so far with a call.
final class SoakSignals: Sendable {
    private struct Entry {
        let moment: CancelMoment
        let handle: CancelHandle
    }

    private let entries = Locked<[Int: Entry]>([:])

    func add(_ index: Int, _ moment: CancelMoment, _ handle: CancelHandle) {
        entries.withLock { $0[index] = Entry(moment: moment, handle: handle) }
    }

    func remove(_ index: Int) {
        entries.withLock { $0[index] = nil }
    }

    func reached(_ moment: CancelMoment, _ index: Int) {
        let handle = entries.withLock { entries in
            entries[index].flatMap { $0.moment == moment ? $0.handle : nil }
        }
        handle?.cancel()
    }
}
