import Testing

@testable import NetworkTestSupport

struct GateTests {
    @Test func cancellingATaskEndsItsWaitAtAGate() async {
        let gate = Gate()
        let waiting = Task { try await gate.wait() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await waiting.value } }
    }

    @Test func anOpeningGatePerformsRegisteredActions() {
        let gate = Gate()
        let kept = Gate()
        let forgotten = Gate()
        _ = gate.whenOpen { kept.open() }
        gate.forget(gate.whenOpen { forgotten.open() })
        gate.open()
        #expect(kept.isOpen)
        #expect(!forgotten.isOpen)
        let late = Gate()
        _ = gate.whenOpen { late.open() }
        #expect(late.isOpen)
    }
}
