import Foundation
import Testing

@testable import NetworkClient

/// The rules of a token session, without tasks and without a clock.
struct RefreshStateTests {
    private typealias Moment = TokenRefresh.Moment

    /// A state in a class: an expectation does not call functions that change a value.
    private final class State {
        private var state: RefreshState<Int>

        init(policy: TokenSession.RefreshPolicy) {
            state = RefreshState(policy: policy, canRefresh: true)
        }

        func verdict(on question: TokenRefresh.Question, at now: Moment) -> TokenRefresh.Verdict? {
            state.verdict(on: question, at: now)
        }

        func join(
            _ question: TokenRefresh.Question,
            id: UInt64,
            _ waiter: Int,
            at now: Moment
        ) -> TokenRefresh.Joining {
            state.join(question, id: id, waiter, at: now)
        }

        func leave(_ id: UInt64) -> Int? { state.leave(id) }

        func finish(
            _ id: UInt64,
            _ outcome: TokenRefresh.Outcome,
            at now: Moment
        ) -> (waiters: [Int], ending: TokenRefresh.Ending) {
            state.finish(id, outcome, at: now)
        }

        func set(_ token: AccessToken?, at now: Moment) -> [Int] { state.set(token, at: now) }
        func beginWrite(of id: UInt64) -> Bool { state.beginWrite(of: id) }
        func endWrite(_ written: AccessToken?, succeeded: Bool) { state.endWrite(written, succeeded: succeeded) }
        func isNews(_ found: AccessToken) -> Bool { state.isNews(found) }
    }

    private static let failed = TokenRefresh.Outcome.failed(AuthenticationError(.refreshFailed))

    private func at(_ seconds: Double) -> Moment { Moment(clock: seconds, calendar: 1_000 + seconds) }

    private func token(_ value: String, expiresAt seconds: Double? = nil) -> AccessToken {
        AccessToken(value, refreshToken: "r", expiry: seconds.map { Date(timeIntervalSince1970: 1_000 + $0) })
    }

    /// A state that has loaded a token.
    private func loaded(_ token: AccessToken, policy: TokenSession.RefreshPolicy = .init()) throws -> State {
        let state = State(policy: policy)
        let job = try #require(started(state.join(.credential(of: nil), id: 900, 900, at: at(0))))
        #expect(state.finish(job.id, .loaded(token), at: at(0)).waiters == [900])
        return state
    }

    private func started(_ joining: TokenRefresh.Joining) -> TokenRefresh.Job? {
        guard case .waits(let job) = joining else { return nil }
        return job
    }

    private func waits(_ joining: TokenRefresh.Joining) -> Bool {
        guard case .waits(nil) = joining else { return false }
        return true
    }

    private func issued(_ verdict: TokenRefresh.Verdict?) -> TokenRefresh.Issued? {
        guard case .use(let issued) = verdict else { return nil }
        return issued
    }

    private func reason(_ joining: TokenRefresh.Joining) -> AuthenticationError.Reason? {
        guard case .decided(.failed(let error)) = joining else { return nil }
        return error.reason
    }

    @Test(.spec(98)) func refusalsOfOneTokenStartOneRefreshAndTheOthersWait() throws {
        let state = try loaded(token("old"))
        let old = try #require(issued(state.verdict(on: .credential(of: nil), at: at(1))))
        let job = try #require(started(state.join(.rejection(old), id: 1, 1, at: at(1))))
        #expect(job.token == token("old") && !job.isProactive)
        for id in 2...1_000 { #expect(waits(state.join(.rejection(old), id: UInt64(id), id, at: at(1)))) }
        let (waiters, ending) = state.finish(job.id, .refreshed(token("new")), at: at(2))
        #expect(Set(waiters) == Set(1...1_000))
        guard case .changed = ending else { return #expect(Bool(false), "the waiters were not told to ask again") }
        #expect(issued(state.verdict(on: .rejection(old), at: at(2)))?.token == token("new"))
    }

    @Test(.spec(99)) func aRefusalOfAnOlderTokenStartsNoRefresh() throws {
        let state = try loaded(token("old"))
        let old = try #require(issued(state.verdict(on: .credential(of: nil), at: at(1))))
        let job = try #require(started(state.join(.rejection(old), id: 1, 1, at: at(1))))
        _ = state.finish(job.id, .refreshed(token("new")), at: at(2))
        #expect(issued(state.verdict(on: .rejection(old), at: at(90)))?.token == token("new"))
    }

    @Test(.spec(99)) func aRefusalThatComesAfterTheFailedRefreshOfItsTokenGetsThatFailure() throws {
        let state = try loaded(token("old"))
        let early = try #require(issued(state.verdict(on: .credential(of: nil), at: at(1))))
        let job = try #require(started(state.join(.rejection(early), id: 1, 1, at: at(1))))
        #expect(state.finish(job.id, Self.failed, at: at(2)).waiters == [1])
        #expect(reason(state.join(.rejection(early), id: 2, 2, at: at(2))) == .refreshFailed)
        // A request that was sent after the failure may refresh again.
        let late = try #require(issued(state.verdict(on: .credential(of: nil), at: at(2))))
        #expect(started(state.join(.rejection(late), id: 3, 3, at: at(3))) != nil)
    }

    @Test(.spec(99), arguments: [(29.9, false), (30, true), (1_000, true)])
    func aRefreshMoreThanTheWindowAllowsIsAnError(seconds: Double, isAllowed: Bool) throws {
        let state = try loaded(token("0"))
        for number in 1...5 {
            let now = try #require(issued(state.verdict(on: .credential(of: nil), at: at(0))))
            let job = try #require(started(state.join(.rejection(now), id: UInt64(number), number, at: at(0))))
            _ = state.finish(job.id, .refreshed(token("\(number)")), at: at(0))
        }
        let last = try #require(issued(state.verdict(on: .credential(of: nil), at: at(0))))
        let joining = state.join(.rejection(last), id: 6, 6, at: at(seconds))
        #expect((started(joining) != nil) == isAllowed)
        #expect(reason(joining) == (isAllowed ? nil : .excessiveRefresh))
    }

    @Test func aRefreshAfterARefusalHoldsNoNewRequestAndOneBeforeTheExpiryDoes() throws {
        let refused = try loaded(token("old"))
        let old = try #require(issued(refused.verdict(on: .credential(of: nil), at: at(1))))
        #expect(started(refused.join(.rejection(old), id: 1, 1, at: at(1))) != nil)
        #expect(issued(refused.verdict(on: .credential(of: nil), at: at(1)))?.token == token("old"))

        let expiring = try loaded(token("old", expiresAt: 100))
        #expect(issued(expiring.verdict(on: .credential(of: nil), at: at(69.9)))?.token.value == "old")
        let job = try #require(started(expiring.join(.credential(of: nil), id: 1, 1, at: at(70))))
        #expect(job.isProactive)
        #expect(waits(expiring.join(.credential(of: nil), id: 2, 2, at: at(70))))
        #expect(Set(expiring.finish(job.id, .refreshed(token("new")), at: at(71)).waiters) == [1, 2])
        #expect(issued(expiring.verdict(on: .credential(of: nil), at: at(71)))?.token == token("new"))
    }

    @Test(
        arguments: [
            // The life of the new token, and when it is refreshed before a refusal.
            (1_000, 970), (60, 30), (10, 5), (0, nil), (-5, nil), (.infinity, nil), (.nan, nil),
            (-.infinity, nil), (1e300, nil),
        ] as [(Double, Double?)]
    )
    func aNewTokenIsRefreshedBeforeItsExpiryButNotBeforeTheMiddleOfItsLife(life: Double, due: Double?) throws {
        let state = try loaded(token("old"))
        _ = state.set(token("new", expiresAt: life), at: at(0))
        state.endWrite(token("new"), succeeded: true)
        guard let due else { return #expect(issued(state.verdict(on: .credential(of: nil), at: at(1e9)))?.token.value == "new") }
        #expect(issued(state.verdict(on: .credential(of: nil), at: at(due - 0.01))) != nil)
        #expect(state.verdict(on: .credential(of: nil), at: at(due)) == nil)
    }

    @Test func aTokenThatCannotBeRefreshedInTimeIsUsedUntilItExpires() throws {
        let state = try loaded(token("old", expiresAt: 100))
        let job = try #require(started(state.join(.credential(of: nil), id: 1, 1, at: at(80))))
        guard case .changed = state.finish(job.id, Self.failed, at: at(81)).ending else {
            return #expect(Bool(false), "the waiter was given up")
        }
        #expect(issued(state.verdict(on: .credential(of: nil), at: at(99)))?.token.value == "old")
        let second = try #require(started(state.join(.credential(of: nil), id: 2, 2, at: at(100))))
        guard case .decided(.failed) = state.finish(second.id, Self.failed, at: at(101)).ending else {
            return #expect(Bool(false), "the failure was lost")
        }
    }

    @Test(.spec(100)) func aRequestThatLeavesLosesNothingForTheOthers() throws {
        let state = try loaded(token("old"))
        let old = try #require(issued(state.verdict(on: .credential(of: nil), at: at(1))))
        let job = try #require(started(state.join(.rejection(old), id: 1, 11, at: at(1))))
        #expect(waits(state.join(.rejection(old), id: 2, 12, at: at(1))))
        #expect(state.leave(1) == 11)
        #expect(state.leave(1) == nil)
        #expect(state.finish(job.id, .refreshed(token("new")), at: at(2)).waiters == [12])
    }

    @Test func signingOutDropsTheRefreshInFlight() throws {
        let state = try loaded(token("old"))
        let old = try #require(issued(state.verdict(on: .credential(of: nil), at: at(1))))
        let job = try #require(started(state.join(.rejection(old), id: 1, 1, at: at(1))))
        #expect(state.set(nil, at: at(1)) == [1])
        #expect(!state.beginWrite(of: job.id))
        #expect(state.finish(job.id, .refreshed(token("new")), at: at(2)).waiters.isEmpty)
        guard case .stands = state.verdict(on: .rejection(old), at: at(2)) else {
            return #expect(Bool(false), "the refusal was not final")
        }
        // What the store still has is not loaded before it was removed.
        guard case .missing = state.verdict(on: .credential(of: nil), at: at(2)) else {
            return #expect(Bool(false), "a token was there")
        }
        state.endWrite(nil, succeeded: true)
        #expect(state.verdict(on: .credential(of: nil), at: at(2)) == nil)
    }

    @Test func aSignOutStandsAlthoughTheStoreHasFailed() throws {
        let state = try loaded(token("old"))
        #expect(state.set(nil, at: at(1)).isEmpty)
        state.endWrite(nil, succeeded: false)
        guard case .missing = state.verdict(on: .credential(of: nil), at: at(2)) else {
            return #expect(Bool(false), "the store was asked")
        }
        #expect(!state.isNews(token("b")))
        _ = state.set(token("c"), at: at(3))
        #expect(!state.isNews(token("b")))
        state.endWrite(token("c"), succeeded: true)
        #expect(state.isNews(token("b")))
    }

    @Test func onlyATokenThatThisSessionDoesNotKnowComesFromAnotherProcess() throws {
        let state = try loaded(token("a"))
        #expect(!state.isNews(token("a", expiresAt: 5)))
        #expect(state.isNews(token("b")))
        let old = try #require(issued(state.verdict(on: .credential(of: nil), at: at(1))))
        let job = try #require(started(state.join(.rejection(old), id: 1, 1, at: at(1))))
        let isCurrent = state.beginWrite(of: job.id)
        state.endWrite(token("b"), succeeded: false)
        _ = state.finish(job.id, .refreshed(token("b")), at: at(2))
        // The store could not keep the new token, and still has the old one.
        #expect(isCurrent && !state.isNews(token("a")) && !state.isNews(token("b")))
    }
}
