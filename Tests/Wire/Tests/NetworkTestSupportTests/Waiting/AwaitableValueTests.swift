import NetworkTestSupport
import Testing

struct AwaitableValueTests {
    private struct Refused: Error {}

    @Test func awaitingAConditionThrowsItsError() async throws {
        let value = AwaitableValue(false)
        let waiting = Task {
            try await value.wait { isRefused -> Int? in
                if isRefused { throw Refused() }
                return nil
            }
        }
        value.update { $0 = true }
        await #expect(throws: Refused.self) { try await withDeadline { _ = try await waiting.value } }
    }

    @Test func everyWaiterIsReleasedWhenChangesAndCancellationsRace() async throws {
        let value = AwaitableValue(0)
        try await withDeadline {
            await withTaskGroup(of: Bool.self) { group in
                for number in 0..<400 {
                    group.addTask {
                        let waiting = Task { try await value.wait { $0 > number ? () : nil } }
                        if number % 3 == 0 { waiting.cancel() }
                        value.update { $0 += 1 }
                        if case .success = await waiting.result { return true }
                        return false
                    }
                }
                let passed = await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                #expect(passed >= 266)
            }
        }
        #expect(value.current == 400)
    }
}
