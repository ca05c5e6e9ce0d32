import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CookieStoreStateTests {
    private let now = Date(timeIntervalSince1970: 0)

    private func cookie(
        _ name: String,
        _ domain: String = "h.example",
        expires: Double? = nil,
        isSecure: Bool = false
    ) throws -> Cookie {
        try Cookie(
            name: name,
            value: "v",
            domain: domain,
            expires: expires.map(Date.init(timeIntervalSince1970:)),
            isSecure: isSecure
        )
    }

    private func names(_ state: CookieStoreState, at seconds: Double = 0) -> [String] {
        state.cookies(now: Date(timeIntervalSince1970: seconds)).map(\.name)
    }

    @Test func holdsFiftyOfADomainAndDropsTheOneLeastRecentlyUsed() throws {
        var state = CookieStoreState()
        for index in 0..<50 {
            let cookie = try Cookie(name: "\(index)", value: "v", domain: "h.example", path: index == 0 ? "/a" : "/")
            state.set([cookie], now: now)
        }
        #expect(names(state).count == 50)
        let target = try #require(CookieTarget(url("http://h.example/")))
        #expect(state.cookies(for: target, now: now).count == 49)
        state.set([try cookie("new")], now: now)
        #expect(names(state) == (1..<50).map(String.init) + ["new"])
        state.set([try cookie("other", "other.example")], now: now)
        #expect(names(state).count == 51)
    }

    @Test func dropsWhatHasEndedAndThenWhatIsNotSecureBeforeWhatIs() throws {
        var state = CookieStoreState()
        state.set([try cookie("secure", isSecure: true), try cookie("plain")], now: now)
        state.set([try cookie("short", expires: 10)], now: now)
        for index in 0..<47 { state.set([try cookie("\(index)")], now: now) }
        state.set([try cookie("a")], now: now + 10)
        #expect(names(state, at: 10).contains("plain"))
        state.set([try cookie("b")], now: now + 10)
        #expect(names(state, at: 10).contains("secure"))
        #expect(!names(state, at: 10).contains("plain"))
    }

    @Test func holdsThreeThousandInAllAndDropsThoseLeastRecentlyUsed() throws {
        var state = CookieStoreState()
        for index in 0..<3000 { state.set([try cookie("a", "h\(index).example")], now: now) }
        #expect(names(state).count == 3000)
        let target = try #require(CookieTarget(url("http://h0.example/")))
        #expect(state.cookies(for: target, now: now).count == 1)
        state.set([try cookie("new"), try cookie("newer")], now: now)
        #expect(names(state).count == 3000)
        let domains = Set(state.cookies(now: now).map(\.domain))
        #expect(domains.contains("h0.example"))
        #expect(!domains.contains("h1.example") && !domains.contains("h2.example"))
        #expect(domains.contains("h3.example"))
    }

    @Test func dropsNothingLiveWhileThereIsWhatHasEnded() throws {
        var state = CookieStoreState()
        for index in 0..<3000 {
            state.set([try cookie("a", "h\(index).example", expires: index == 1500 ? 5 : 50)], now: now)
        }
        state.set([try cookie("new")], now: now + 5)
        #expect(names(state, at: 5).count == 3000)
        #expect(state.cookies(now: now + 5).contains { $0.domain == "h0.example" })
    }

    @Test func keepsThePlaceOfWhatIsReplaced() throws {
        var state = CookieStoreState()
        state.set([try cookie("a"), try cookie("b"), try cookie("a", isSecure: true)], now: now)
        #expect(names(state) == ["a", "b"])
        #expect(state.cookies(now: now).first?.isSecure == true)
        state.set([try cookie("a", expires: 0)], now: now)
        #expect(names(state) == ["b"])
        state.set([try cookie("a")], now: now)
        #expect(names(state) == ["b", "a"])
    }

    @Test(.longComputation) func countsRightWhateverIsDone() throws {
        var state = CookieStoreState()
        var generator = SeededGenerator(seed: 3)
        for step in 0..<3_000 {
            let domain = "h\(Int.random(in: 0..<3, using: &generator)).example"
            let name = "\(Int.random(in: 0..<70, using: &generator))"
            let expires =
                Bool.random(using: &generator) ? nil : Double(step + Int.random(in: -5...50, using: &generator))
            state.set([try cookie(name, domain, expires: expires)], now: now + Double(step))
            if step % 100 == 0 { state.remove { $0.name == name } }
        }
        let byDomain = Dictionary(grouping: state.cookies(now: now), by: \.domain)
        #expect(byDomain.values.allSatisfy { $0.count <= 50 })
        state.remove { _ in true }
        #expect(state.cookies(now: now).isEmpty)
        for index in 0..<3000 { state.set([try cookie("a", "h\(index).example")], now: now) }
        #expect(names(state).count == 3000)
    }
}
