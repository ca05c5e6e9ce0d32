import Foundation
import Testing

@testable import NetworkClient

/// The rules of a token session, without tasks and without a clock.
struct RefreshStateTests {
    private static let failed = AuthenticationError(.refreshFailed)

    private func at(_ seconds: Double) -> Moment {
        Moment(date: Date(timeIntervalSince1970: 1_000 + seconds), clock: seconds)
    }

    private func token(_ value: String, expiresAt seconds: Double? = nil) -> AccessToken {
        AccessToken(value, refreshToken: "r", expiry: seconds.map { Date(timeIntervalSince1970: 1_000 + $0) })
    }

    /// A state that has loaded a token.
    private func loaded(_ token: AccessToken, policy: TokenSession.RefreshPolicy = .init()) throws -> RefreshState {
        var state = RefreshState(policy: policy, canRefresh: true)
        let job = try #require(started(state.decide(.credential(of: nil), at: at(0))))
        state.find(token)
        #expect(!job.isRefresh)
        #expect(state.finish(job, nil, at: at(0)) == nil)
        return state
    }

    private func started(_ decision: TokenRefresh.Decision) -> TokenRefresh.Job? {
        switch decision {
        case .wait(_, let job), .verdict(_, let job): job
        }
    }

    /// The number of the job that is waited for, and was started before.
    private func awaited(_ decision: TokenRefresh.Decision) -> UInt64? {
        guard case .wait(let id, nil) = decision else { return nil }
        return id
    }

    private func issued(_ verdict: TokenRefresh.Verdict?) -> TokenRefresh.Issued? {
        guard case .use(let issued) = verdict else { return nil }
        return issued
    }

    private func reason(_ verdict: TokenRefresh.Verdict?) -> AuthenticationError.Reason? {
        guard case .failed(let error) = verdict else { return nil }
        return error.reason
    }

    private func use(_ state: RefreshState, at now: Moment) throws -> TokenRefresh.Issued {
        try #require(issued(state.verdict(on: .credential(of: nil), at: now)))
    }

    @Test(.spec(98)) func refusalsOfOneTokenStartOneRefreshAndTheOthersWait() throws {
        var state = try loaded(token("old"))
        let old = try use(state, at: at(1))
        let job = try #require(started(state.decide(.rejection(old), at: at(1))))
        #expect(job.isRefresh && !job.isProactive)
        expect(state.tokenToRefresh(for: job, at: at(1)), token("old"))
        for _ in 2...1_000 { expect(awaited(state.decide(.rejection(old), at: at(1))), job.id) }
        #expect(state.succeed(token("new"), job, at: at(2)) == nil)
        expect(issued(state.verdict(on: .rejection(old), at: at(2)))?.token, token("new"))
        // A later refusal of the old token, too.
        expect(issued(state.verdict(on: .rejection(old), at: at(90)))?.token, token("new"))
    }

    @Test(.spec(99)) func aRequestIsNotSentAgainWithTheSameTokenNorAfterTheFailedRefreshOfItsToken() throws {
        var same = try loaded(token("old"))
        let old = try use(same, at: at(1))
        let refresh = try #require(started(same.decide(.rejection(old), at: at(1))))
        #expect(same.succeed(token("old"), refresh, at: at(2)) == nil)
        guard case .stands = same.verdict(on: .rejection(old), at: at(2)) else {
            return #expect(Bool(false), "it was sent again")
        }

        var state = try loaded(token("old"))
        let early = try use(state, at: at(1))
        let job = try #require(started(state.decide(.rejection(early), at: at(1))))
        expect(reason(state.finish(job, Self.failed, at: at(2))), .refreshFailed)
        expect(reason(state.verdict(on: .rejection(early), at: at(2))), .refreshFailed)
        // A request that was sent after the failure may refresh again.
        let late = try use(state, at: at(2))
        #expect(started(state.decide(.rejection(late), at: at(3))) != nil)
    }

    @Test(.spec(99), arguments: [(29.9, false), (30, true), (1_000, true)])
    func aRefreshMoreThanTheWindowAllowsIsAnError(seconds: Double, isAllowed: Bool) throws {
        var state = try loaded(token("0"))
        for number in 1...5 {
            let job = try #require(started(state.decide(.rejection(try use(state, at: at(0))), at: at(0))))
            _ = state.succeed(token("\(number)"), job, at: at(0))
        }
        let last = try use(state, at: at(0))
        expect(reason(state.verdict(on: .rejection(last), at: at(seconds))), (isAllowed ? nil : .excessiveRefresh))
        expect((started(state.decide(.rejection(last), at: at(seconds))) != nil), isAllowed)
    }

    @Test(.spec(202)) func aRefreshLetsNewRequestsWaitOnceTheTokenHasExpired() throws {
        var state = try loaded(token("old", expiresAt: 100))
        expect(try use(state, at: at(69.9)).token.value, "old")
        let decision = state.decide(.credential(of: nil), at: at(70))
        guard case .verdict(.use, let job?) = decision else { return #expect(Bool(false), "\(decision)") }
        #expect(job.isProactive)
        expect(try use(state, at: at(99)).token.value, "old")
        expect(awaited(state.decide(.credential(of: nil), at: at(100))), job.id)
        #expect(state.succeed(token("new"), job, at: at(101)) == nil)
        expect(try use(state, at: at(101)).token.value, "new")
    }

    @Test(
        arguments: [
            // The life of the new token, and when it is refreshed before a refusal.
            (1_000, 970), (60, 30), (10, 5), (0, nil), (-5, nil), (.infinity, nil), (.nan, nil),
            (-.infinity, nil), (1e300, nil),
        ] as [(Double, Double?)]
    )
    func aNewTokenIsRefreshedBeforeItsExpiryButNotBeforeTheMiddleOfItsLife(life: Double, due: Double?) throws {
        var state = try loaded(token("old"))
        _ = state.set(token("new", expiresAt: life), at: at(0))
        expect(state.write(), true)
        guard let due else { return expect(try use(state, at: at(1e9)).token.value, "new") }
        expect(try use(state, at: at(due - 0.01)).token.value, "new")
        #expect(state.verdict(on: .credential(of: nil), at: at(due)) == nil)
    }

    @Test func aTokenThatCannotBeRefreshedInTimeIsUsedUntilItExpires() throws {
        var state = try loaded(token("old", expiresAt: 100))
        let job = try #require(started(state.decide(.credential(of: nil), at: at(80))))
        #expect(state.finish(job, Self.failed, at: at(81)) == nil)
        #expect(started(state.decide(.credential(of: nil), at: at(99))) == nil)
        let second = try #require(started(state.decide(.credential(of: nil), at: at(100))))
        expect(reason(state.finish(second, Self.failed, at: at(101))), .refreshFailed)
    }

    /// The calendar is set forth and back by a day; the clock goes on.
    @Test(arguments: [86_400.0, -86_400]) func aCalendarThatJumpsCausesOneRefreshAtMost(jump: Double) throws {
        var state = try loaded(token("old", expiresAt: 1_000))
        let later = Moment(date: Date(timeIntervalSince1970: 1_010 + jump), clock: 10)
        if let job = started(state.decide(.credential(of: nil), at: later)) {
            #expect(jump > 0)
            #expect(state.succeed(token("new", expiresAt: 2_000), job, at: later) == nil)
        }
        expect(try use(state, at: later).token.value, (jump > 0 ? "new" : "old"))
        expect(try use(state, at: at(20)).token.value, (jump > 0 ? "new" : "old"))
    }

    @Test(.spec(202)) func aResultAfterTheLimitIsKeptUnlessANewerOneHasTakenItsPlace() throws {
        var state = try loaded(token("old"))
        let first = try #require(started(state.decide(.rejection(try use(state, at: at(1))), at: at(1))))
        expect(reason(state.finish(first, Self.failed, at: at(2))), .refreshFailed)
        let second = try #require(started(state.decide(.rejection(try use(state, at: at(2))), at: at(2))))
        expect(state.adopt(token("late"), from: first, at: at(3)), true)
        // The second one has spent the same refresh token: those who wait for it ask again.
        #expect(state.finish(second, Self.failed, at: at(4)) == nil)
        expect(try use(state, at: at(4)).token.value, "late")
        expect(state.adopt(token("newer"), from: second, at: at(5)), true)
        expect(state.adopt(token("late"), from: first, at: at(6)), false)
        expect(try use(state, at: at(6)).token.value, "newer")
    }

    @Test(.spec(200), arguments: [nil, AccessToken("b", refreshToken: "rb")])
    func aChangeOfPersonEndsWhatBeganBefore(next: AccessToken?) throws {
        var state = try loaded(token("old"))
        let old = try use(state, at: at(1))
        let job = try #require(started(state.decide(.rejection(old), at: at(1))))
        expect(reason(state.set(next, at: at(1))), .signedOut)
        expect(state.tokenToRefresh(for: job, at: at(1)), nil)
        expect(state.adopt(token("new"), from: job, at: at(2)), false)
        expect(reason(state.finish(job, nil, at: at(2))), .signedOut)
        expect(reason(state.verdict(on: .rejection(old), at: at(2))), .signedOut)
        expect(reason(state.verdict(on: .credential(of: old.person), at: at(2))), .signedOut)
        let now = state.verdict(on: .credential(of: nil), at: at(2))
        expect(issued(now)?.token, next)
    }

    @Test(.spec(200)) func theSamePersonMayReplaceItsTokenWhileCallsGoOn() throws {
        var state = try loaded(token("old").identified(as: "7"))
        let old = try use(state, at: at(1))
        let job = try #require(started(state.decide(.rejection(old), at: at(1))))
        #expect(state.set(token("new").identified(as: "7"), at: at(1)) == nil)
        expect(state.adopt(token("late"), from: job, at: at(2)), false)
        expect(issued(state.verdict(on: .rejection(old), at: at(2)))?.token, token("new"))
    }

    @Test func aSignOutStandsAlthoughTheStoreHasFailed() throws {
        var state = try loaded(token("old"))
        expect(reason(state.set(nil, at: at(1))), .signedOut)
        let write = state.beginWrite()
        // What the store still has is not loaded before it was removed.
        for _ in 1...2 {
            state.find(token("old"))
            guard case .missing = state.verdict(on: .credential(of: nil), 9, at: at(2)) else {
                return #expect(Bool(false), "the store was asked")
            }
            if !state.isStoreBehind { state.endFailedWrite() }
        }
        #expect(state.isStoreBehind && write.overwrites)
        let again = state.beginWrite()
        expectAll((again.overwrites, again.expected, again.token), (false, token("old"), nil))
        expect(state.endWrite(again, 10), true)
        #expect(!state.isStoreBehind)
        #expect(state.verdict(on: .credential(of: nil), 11, at: at(2)) == nil)
    }

    @Test(
        .spec(200, 201),
        arguments: [
            // What is found in the store instead of the token, and the numbers of the person before and after.
            (AccessToken("old", refreshToken: "r", expiry: Date()), 0), (AccessToken("old2", refreshToken: "r"), 0),
            (AccessToken("x", refreshToken: "y").identified(as: "7"), 0), (AccessToken("x", refreshToken: "y"), 1),
            (AccessToken("x").identified(as: "8"), 1), (nil, 1),
        ] as [(AccessToken?, Int)]
    )
    func theSessionFollowsItsStore(found: AccessToken?, person: Int) throws {
        let name = found?.value == "x" ? "7" : nil
        var state = try loaded(token("old").identified(as: name))
        let old = try use(state, at: at(1))
        state.find(found)
        expect(state.person, person)
        expect(reason(state.verdict(on: .credential(of: old.person), at: at(1))), (person == 0 ? nil : .signedOut))
        let now = state.verdict(on: .credential(of: nil), at: at(1))
        expect(issued(now)?.token.value, found?.value)
    }

    @Test func anotherMarkOfTheStoreIsAReasonToLoadItUnlessItIsTheSessionsOwn() throws {
        var state = try loaded(token("a"))
        state.find(token("a"), 1)
        let a = try #require(issued(state.verdict(on: .credential(of: nil), 1, at: at(1))))
        #expect(state.verdict(on: .credential(of: nil), 2, at: at(1)) == nil)
        let load = try #require(started(state.decide(.rejection(a), 2, at: at(1))))
        #expect(!load.isRefresh)
        expect(awaited(state.decide(.credential(of: nil), 2, at: at(1))), load.id)
        state.find(token("a"), 2)
        #expect(state.finish(load, nil, at: at(1)) == nil)
        let job = try #require(started(state.decide(.rejection(a), 2, at: at(1))))
        expect(state.adopt(token("b"), from: job, at: at(2)), true)
        let write = state.beginWrite()
        expect(issued(state.verdict(on: .credential(of: nil), 3, at: at(2)))?.token, token("b"))
        expect(state.endWrite(write, 3), true)
        #expect(state.finish(job, nil, at: at(2)) == nil)
        expect(issued(state.verdict(on: .credential(of: nil), 3, at: at(2)))?.token, token("b"))
        // What was read before a write of the session is out of date.
        let reading = state.beginReading(3)
        _ = state.set(token("c"), at: at(3))
        expect(state.write(4), true)
        state.endReading(reading, found: token("b"))
        expect(issued(state.verdict(on: .credential(of: nil), 4, at: at(3)))?.token, token("c"))
    }

    @Test(.spec(202)) func aTokenThatCouldNotBeStoredReplacesOnlyTheOneThatTheStoreHad() throws {
        var state = try loaded(token("a"))
        let job = try #require(started(state.decide(.rejection(try use(state, at: at(1))), at: at(1))))
        expect(state.adopt(token("b"), from: job, at: at(2)), true)
        _ = state.beginWrite()
        #expect(!state.isStoreBehind)
        state.endFailedWrite()
        // The store still has the old token, which is no news.
        state.find(token("a"))
        #expect(state.isStoreBehind)
        let again = state.beginWrite()
        expectAll((again.token, again.expected, again.overwrites), (token("b"), token("a"), false))
    }
}

extension RefreshState {
    fileprivate func verdict(
        on question: TokenRefresh.Question,
        at now: Moment
    ) -> TokenRefresh.Verdict? {
        verdict(on: question, nil, at: now)
    }

    fileprivate mutating func decide(
        _ question: TokenRefresh.Question,
        at now: Moment
    ) -> TokenRefresh.Decision {
        decide(question, nil, at: now)
    }

    /// The store is read, and nothing is written in the meantime.
    fileprivate mutating func find(_ token: AccessToken?, _ mark: UInt64? = nil) {
        endReading(beginReading(mark), found: token)
    }

    fileprivate mutating func write(_ mark: UInt64? = nil) -> Bool { endWrite(beginWrite(), mark) }

    /// The result of a refresh comes in time and is stored.
    fileprivate mutating func succeed(
        _ token: AccessToken,
        _ job: TokenRefresh.Job,
        at now: Moment
    ) -> TokenRefresh.Verdict? {
        if adopt(token, from: job, at: now) { _ = write() }
        return finish(job, nil, at: now)
    }
}
