import Testing

@testable import NetworkClient

struct SharingStateTests {
    @Test func startsAnExchangeForTheFirstOnly() {
        var state = SharingState<String, String>()
        let exchanges = [state.join("k", id: 1, "a"), state.join("k", id: 2, "b"), state.join("other", id: 3, "c")]
        #expect(exchanges.map { $0 != nil } == [true, false, true])
        #expect(state.waiterCount == 3)
        #expect(state.exchangeCount == 2)
    }

    @Test func tellsEveryoneAndForgets() throws {
        var state = SharingState<String, String>()
        let joined = state.join("k", id: 1, "a")
        let exchange = try #require(joined)
        _ = state.join("k", id: 2, "b")
        let told = state.finished("k", exchangeID: exchange)
        #expect(told.sorted() == ["a", "b"])
        #expect(state.exchangeCount == 0)
        let toldAgain = state.finished("k", exchangeID: exchange)
        #expect(toldAgain.isEmpty)
        let next = state.join("k", id: 3, "c")
        #expect(next != nil)
    }

    @Test func keepsTheExchangeWhileSomeoneWaits() throws {
        var state = SharingState<String, String>()
        let joined = state.join("k", id: 1, "a")
        let exchange = try #require(joined)
        let hasStarted = state.started("k", exchangeID: exchange, Task {})
        #expect(hasStarted)
        _ = state.join("k", id: 2, "b")
        let departure = state.leave("k", id: 1)
        #expect(departure?.waiter == "a")
        #expect(departure?.abandoned == nil)
        let second = state.leave("k", id: 1)
        #expect(second?.waiter == nil)
        let told = state.finished("k", exchangeID: exchange)
        #expect(told == ["b"])
    }

    @Test(.spec(124)) func abandonsTheExchangeWithTheLastWaiterAndStartsAnew() throws {
        var state = SharingState<String, String>()
        let joined = state.join("k", id: 1, "a")
        let exchange = try #require(joined)
        let task = Task<Void, Never> {}
        _ = state.started("k", exchangeID: exchange, task)
        let departure = state.leave("k", id: 1)
        #expect(departure?.abandoned == task)
        let next = state.join("k", id: 2, "b")
        #expect(next != nil)
        #expect(next != exchange)
        let told = state.finished("k", exchangeID: exchange)
        #expect(told.isEmpty)
        #expect(state.waiterCount == 1)
    }

    @Test func anExchangeThatStartsAfterEveryoneLeftIsNotWanted() throws {
        var state = SharingState<String, String>()
        let joined = state.join("k", id: 1, "a")
        let exchange = try #require(joined)
        let departure = state.leave("k", id: 1)
        #expect(departure?.abandoned == nil)
        let isWanted = state.started("k", exchangeID: exchange, Task {})
        #expect(!isWanted)
    }

    @Test func ignoresAWaiterThatIsNotThere() {
        var state = SharingState<String, String>()
        let departure = state.leave("k", id: 9)
        #expect(departure?.waiter == nil)
    }
}
