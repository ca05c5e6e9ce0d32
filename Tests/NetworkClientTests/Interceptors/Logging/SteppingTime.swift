import NetworkClient

/// A time that moves on by one step each time it is read, so that an exchange takes exactly that long.
final class SteppingTime: TimeSource {
    private let step: Double
    private let current = Locked(100.0)

    init(step: Double) {
        self.step = step
    }

    var now: Double {
        current.withLock { now in
            defer { now += step }
            return now
        }
    }

    func sleep(seconds: Double) async throws {
        current.withLock { $0 += seconds }
    }
}
