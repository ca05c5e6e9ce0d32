@testable import NetworkClient

/// A state in a class: an expectation does not call functions that change a value.
final class RefreshStateProbe {
    private var state: RefreshState

    init(policy: TokenSession.RefreshPolicy) {
        state = RefreshState(policy: policy, canRefresh: true)
    }

    var person: Int { state.person }
    var isStoreBehind: Bool { state.isStoreBehind }

    func verdict(
        on question: TokenRefresh.Question,
        _ mark: UInt64? = nil,
        at now: TokenRefresh.Moment
    ) -> TokenRefresh.Verdict? {
        state.verdict(on: question, mark, at: now)
    }

    func decide(
        _ question: TokenRefresh.Question,
        _ mark: UInt64? = nil,
        at now: TokenRefresh.Moment
    ) -> TokenRefresh.Decision {
        state.decide(question, mark, at: now)
    }

    /// The store is read, and nothing is written in the meantime.
    func find(_ token: AccessToken?, _ mark: UInt64? = nil) {
        state.endReading(state.beginReading(mark), found: token)
    }

    func finish(
        _ job: TokenRefresh.Job,
        _ error: AuthenticationError? = nil,
        at now: TokenRefresh.Moment
    ) -> TokenRefresh.Verdict? {
        state.finish(job, error, at: now)
    }

    func adopt(_ token: AccessToken, from job: TokenRefresh.Job, at now: TokenRefresh.Moment) -> Bool {
        state.adopt(token, from: job, at: now)
    }

    func tokenToRefresh(for job: TokenRefresh.Job, at now: TokenRefresh.Moment) -> AccessToken? {
        state.tokenToRefresh(for: job, at: now)
    }

    func set(_ token: AccessToken?, at now: TokenRefresh.Moment) -> TokenRefresh.Verdict? { state.set(token, at: now) }
    func beginReading(_ mark: UInt64? = nil) -> TokenRefresh.Reading { state.beginReading(mark) }
    func endReading(_ reading: TokenRefresh.Reading, _ found: AccessToken?) {
        state.endReading(reading, found: found)
    }
    func beginWrite() -> TokenRefresh.Write { state.beginWrite() }
    func endWrite(_ write: TokenRefresh.Write, _ mark: UInt64? = nil) -> Bool { state.endWrite(write, mark) }
    func endFailedWrite() { state.endFailedWrite() }

    /// The result of a refresh comes in time and is stored.
    func succeed(_ token: AccessToken, _ job: TokenRefresh.Job, at now: TokenRefresh.Moment) -> TokenRefresh.Verdict? {
        if state.adopt(token, from: job, at: now) { _ = state.endWrite(state.beginWrite(), nil) }
        return state.finish(job, nil, at: now)
    }
}
