import NetworkTestSupport
import Testing

@testable import NetworkClient

struct SharedExchangesTests {
    /// The exchange that a caller has to start; nil if it joins that of another caller.
    private func join(
        _ state: inout SharingState<String, String>,
        _ key: String,
        id: UInt64,
        _ priority: TaskPriority = .medium
    ) -> UInt64? {
        guard case .starts(let exchange, _) = state.join(key, id: id, "waiter \(id)", priority) else { return nil }
        return exchange
    }

    @Test func theFirstCallerStartsAnExchangeThatServesEveryCallerAndIsForgotten() throws {
        var state = SharingState<String, String>()
        let exchange = try #require(join(&state, "k", id: 1))
        expect(join(&state, "k", id: 2), nil)
        #expect(join(&state, "other", id: 3) != nil)
        expectAll((state.waiterCount, state.exchangeCount), (3, 2))
        expect(state.leave(9)?.waiter, nil)
        expect(state.finished(exchange).sorted(), ["waiter 1", "waiter 2"])
        expectAll((state.waiterCount, state.exchangeCount), (1, 1))
        expect(state.finished(exchange), [])
        #expect(join(&state, "k", id: 4) != nil)
    }

    @Test func anExchangeGoesOnWhileACallerWaits() throws {
        var state = SharingState<String, String>()
        let exchange = try #require(join(&state, "k", id: 1))
        let priority = state.started(exchange, Task {})
        expect(priority, .medium)
        expect(join(&state, "k", id: 2), nil)
        let departure = state.leave(1)
        expect(departure?.waiter, "waiter 1")
        expect(departure?.abandoned, nil)
        let second = state.leave(1)
        expect(second?.waiter, nil)
        let told = state.finished(exchange)
        expect(told, ["waiter 2"])
    }

    @Test(.spec(124)) func anExchangeEndsWithItsLastCallerAndTheNextCallerStartsAnother() throws {
        var state = SharingState<String, String>()
        let exchange = try #require(join(&state, "k", id: 1))
        let task = Task<Void, Never> {}
        _ = state.started(exchange, task)
        let departure = state.leave(1)
        expect(departure?.abandoned, task)
        let next = join(&state, "k", id: 2)
        #expect(next != nil)
        #expect(next != exchange)
        let told = state.finished(exchange)
        expect(told, [])
        expect(state.waiterCount, 1)
        // A task that starts after all callers have left is not wanted.
        expect(state.leave(2)?.abandoned, nil)
        expect(state.started(try #require(next), Task {}), nil)
    }

    @Test(.spec(166)) func aClosedExchangeServesItsCallersAndNoOthers() throws {
        var state = SharingState<String, String>()
        let closed = try #require(join(&state, "k", id: 1))
        expect(join(&state, "k", id: 2), nil)
        state.close(closed)
        let next = try #require(join(&state, "k", id: 3))
        expect(join(&state, "k", id: 4), nil)
        state.close(closed)
        expect(join(&state, "k", id: 5), nil)
        expect(state.leave(2)?.waiter, "waiter 2")
        expect(state.finished(closed), ["waiter 1"])
        expect(state.finished(next).sorted(), ["waiter 3", "waiter 4", "waiter 5"])
        expect(state.exchangeCount, 0)
        expect(state.waiterCount, 0)
    }

    @Test(.spec(187)) func aCallerWithAHigherPriorityGetsTheTaskToRaise() throws {
        func raised(_ admission: SharingState<String, String>.Admission) -> Task<Void, Never>? {
            if case .joins(let task) = admission { task } else { nil }
        }
        var state = SharingState<String, String>()
        guard case .starts(let exchange, let priority) = state.join("k", id: 1, "a", .background) else {
            Issue.record("nothing to start")
            return
        }
        expect(priority, .medium)
        let task = Task<Void, Never> {}
        expect(raised(state.join("k", id: 2, "b", .high)), nil)
        expect(state.started(exchange, task), .high)
        expect(raised(state.join("k", id: 3, "c", .high)), nil)
        expect(raised(state.join("k", id: 4, "d", .init(rawValue: TaskPriority.high.rawValue + 1))), task)
    }
}
