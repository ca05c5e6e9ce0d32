import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CircuitTests {
    private typealias Thresholds = CircuitBreakerInterceptor.Thresholds

    /// Admits a request that must be admitted, and ends it.
    @discardableResult
    private func pass(
        _ outcome: Circuit.Outcome,
        _ circuit: inout Circuit,
        at now: Double,
        times: Int = 1
    ) -> Circuit.Change? {
        var change: Circuit.Change?
        for _ in 0..<times {
            guard case .proceeds(let ticket) = circuit.admit(at: now) else {
                Issue.record("A request was refused at \(now).")
                return nil
            }
            change = circuit.end(ticket, outcome, at: now)
        }
        return change
    }

    /// Admits a request; nil if it is refused.
    private func admitted(_ circuit: inout Circuit, at now: Double, isOfRefresh: Bool = false) -> Circuit.Ticket? {
        guard case .proceeds(let ticket) = circuit.admit(at: now, isOfRefresh: isOfRefresh) else { return nil }
        return ticket
    }

    private func openCircuit(at now: Double) -> Circuit {
        var circuit = Circuit(Thresholds(failureRatio: 0.5, minimumRequests: 1))
        expect(pass(.failure, &circuit, at: now), .opened(failures: 1, of: 1))
        return circuit
    }

    @Test(
        .spec(113),
        arguments: [
            (0, 1_000, false), (200, 800, false), (10, 10, true), (10, 9, false), (9, 11, false), (19, 0, false),
            (20, 0, true), (100, 101, false), (101, 101, true),
        ]
    )
    func theCircuitOpensWhenHalfOfAtLeastTwentyRequestsFail(failures: Int, successes: Int, opens: Bool) {
        var circuit = Circuit(Thresholds())
        pass(.success, &circuit, at: 1, times: successes)
        let change = pass(.failure, &circuit, at: 2, times: failures)
        expect(change, (opens ? .opened(failures: failures, of: failures + successes) : nil))
        expect((circuit.admit(at: 2) == .refused(5)), opens)
    }

    @Test(.spec(113), arguments: [(20.0, true), (27, true), (30, false), (1_000, false)])
    func aCircuitCountsOnlyTheOutcomesWithinItsWindow(seconds: Double, opens: Bool) {
        var circuit = Circuit(Thresholds(failureRatio: 1, minimumRequests: 100))
        pass(.failure, &circuit, at: 100, times: 50)
        let change = pass(.failure, &circuit, at: 100 + seconds, times: 50)
        expect((change != nil), opens)
    }

    @Test(.spec(113)) func anOpenCircuitRefusesUntilItsTimeHasPassedAndThenAdmitsOneProbe() {
        var circuit = openCircuit(at: 10)
        expect(circuit.admit(at: 10), .refused(5))
        expect(circuit.admit(at: 14), .refused(1))
        expect(admitted(&circuit, at: 15)?.isProbe, true)
        expect(circuit.admit(at: 15), .refused(0))
        expect(circuit.admit(at: 19.9), .refused(0))
    }

    @Test(
        .spec(113),
        arguments: [(Circuit.Outcome.success, Circuit.Change.closed), (.failure, nil), (.neutral, nil)]
            as [(Circuit.Outcome, Circuit.Change?)]
    )
    func aProbeThatHasNotEndedMakesRoomForTheNextWhichDecidesUnlessItSucceedsFirst(
        outcome: Circuit.Outcome,
        change: Circuit.Change?
    ) throws {
        var circuit = openCircuit(at: 0)
        let late = try #require(admitted(&circuit, at: 5))
        let next = try #require(admitted(&circuit, at: 10))
        expect(circuit.admit(at: 14), .refused(0))
        expect(circuit.end(late, outcome, at: 14), change)
        guard change == nil else {
            expect(admitted(&circuit, at: 14)?.isProbe, false)
            expect(circuit.end(next, .failure, at: 14), nil)
            return
        }
        expect(circuit.admit(at: 14), .refused(0))
        expect(circuit.end(next, .failure, at: 14), .reopened)
        expect(circuit.admit(at: 14), .refused(5))
        expect(circuit.end(late, .success, at: 14), nil)
    }

    @Test(.spec(113)) func aRefreshProbesBesideTheProbeThatMayWaitForItButNotWhileTheCircuitIsOpen() throws {
        var circuit = openCircuit(at: 0)
        expect(circuit.admit(at: 4, isOfRefresh: true), .refused(1))
        let waiting = try #require(admitted(&circuit, at: 5))
        let refresh = try #require(admitted(&circuit, at: 5, isOfRefresh: true))
        expect(circuit.admit(at: 5), .refused(0))
        expect(circuit.end(refresh, .failure, at: 6), .reopened)
        expect(circuit.end(waiting, .neutral, at: 6), nil)
        expect(circuit.admit(at: 6), .refused(5))
    }

    @Test(.spec(113)) func anAcceptedHeadIsTheSuccessOfAProbeWhateverBecomesOfItsBody() throws {
        var circuit = openCircuit(at: 0)
        let ticket = try #require(admitted(&circuit, at: 5))
        expect(circuit.receiveHead(ticket, .failure, at: 5), nil)
        expect(circuit.receiveHead(ticket, .success, at: 5), .closed)
        for outcome in [Circuit.Outcome.failure, .success, .neutral] {
            expect(circuit.end(ticket, outcome, at: 6), nil)
        }
        // One failure opens this circuit: the head of a request that is no probe is not counted beside its end.
        let other = try #require(admitted(&circuit, at: 6))
        expect(circuit.receiveHead(other, .success, at: 6), nil)
        expect(circuit.end(other, .failure, at: 6), .opened(failures: 1, of: 1))
    }

    @Test(
        .spec(113),
        arguments: [
            (Circuit.Outcome.success, Circuit.Change.closed, nil), (.failure, .reopened, 5.0), (.neutral, nil, nil),
        ] as [(Circuit.Outcome, Circuit.Change?, Double?)]
    )
    func theProbeDecides(outcome: Circuit.Outcome, change: Circuit.Change?, refusal: Double?) {
        var circuit = openCircuit(at: 0)
        expect(pass(outcome, &circuit, at: 6), change)
        if let refusal { return expect(circuit.admit(at: 6), .refused(refusal)) }
        // After a cancelled probe, the next request is a probe.
        expect(admitted(&circuit, at: 6)?.isProbe, (outcome == .neutral))
    }

    @Test(.spec(113), arguments: [0, Double.nan, -1, -.infinity, .infinity, 1e300])
    func onlyTheOutcomesSinceACircuitHasClosedCountAndNoCancellations(now: Double) {
        var circuit = Circuit(Thresholds(failureRatio: 0.5, minimumRequests: 4))
        pass(.neutral, &circuit, at: now, times: 200)
        expect(pass(.failure, &circuit, at: now, times: 3), nil)
        guard now == 0 else { return }
        expect(pass(.failure, &circuit, at: 0), .opened(failures: 4, of: 4))
        pass(.success, &circuit, at: 5)
        expect(pass(.failure, &circuit, at: 5, times: 3), nil)
        expect(pass(.failure, &circuit, at: 5), .opened(failures: 4, of: 4))
    }

    @Test func theOutcomesOfAnEarlierPhaseDoNotCount() throws {
        var circuit = Circuit(Thresholds(failureRatio: 0.5, minimumRequests: 1))
        let late = try #require(admitted(&circuit, at: 0))
        let later = try #require(admitted(&circuit, at: 0))
        pass(.failure, &circuit, at: 0)
        expect(circuit.end(late, .success, at: 1), nil)
        expect(circuit.admit(at: 1), .refused(4))
        let probe = try #require(admitted(&circuit, at: 5))
        expect(circuit.end(later, .failure, at: 5), nil)
        expect(circuit.admit(at: 5), .refused(0))
        expect(circuit.end(probe, .success, at: 5), .closed)
    }

    @Test func thresholdsOutsideTheirRangeBecomeTheNearestInIt() {
        let low = Thresholds(failureRatio: -1, minimumRequests: -5, window: -1, openTime: -1)
        expect(low, Thresholds(failureRatio: 0, minimumRequests: 1, window: 0.01, openTime: 0))
        let high = Thresholds(failureRatio: 7, window: .infinity, openTime: .infinity)
        expect(high, Thresholds(failureRatio: 1, window: Seconds.longest, openTime: Seconds.longest))
        let strange = Thresholds(failureRatio: .nan, window: .nan, openTime: .nan)
        expect(strange, Thresholds(failureRatio: 0, window: 0.01, openTime: 0))
    }
}
