import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CookieStoreTests {
    private let clock = TestClock(now: 1_600_000_000, date: Date(timeIntervalSince1970: 1_600_000_000))
    private let store: CookieStore

    init() {
        store = CookieStore(on: clock)
    }

    private func sent(to text: String) -> String {
        store.cookies(for: url(text)).map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    private func receive(_ fields: String..., from text: String = "https://www.example.com/") {
        store.receive(fields, from: url(text), on: clock)
    }

    /// The examples of RFC 6265 §3.1, in their order.
    @Test func aStoreBehavesLikeTheExamplesOfTheStandard() {
        receive("SID=31d4d96e407aad42", from: "http://example.com/")
        expect(sent(to: "http://example.com/x"), "SID=31d4d96e407aad42")
        expect(sent(to: "http://www.example.com/"), "")
        store.removeAll()
        receive("SID=31d4d96e407aad42; Path=/; Domain=example.com", from: "http://example.com/a/b")
        expect(sent(to: "http://www.example.com/c"), "SID=31d4d96e407aad42")
        store.removeAll()
        receive("SID=31d4d96e407aad42; Path=/; Secure; HttpOnly", "lang=en-US; Path=/; Domain=example.com")
        expect(sent(to: "https://www.example.com/"), "SID=31d4d96e407aad42; lang=en-US")
        expect(sent(to: "http://www.example.com/"), "lang=en-US")
        expect(sent(to: "https://example.com/"), "lang=en-US")
        receive("lang=en-US; Expires=Wed, 09 Jun 2021 10:18:14 GMT; Path=/; Domain=example.com")
        expect(sent(to: "https://www.example.com/"), "SID=31d4d96e407aad42; lang=en-US")
        receive("lang=; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Domain=example.com")
        expect(sent(to: "https://www.example.com/"), "SID=31d4d96e407aad42")
    }

    @Test func aStoreReturnsLongerPathsFirstAndThenOlderCookies() {
        receive("a=1; Path=/", "b=2; Path=/x/y", "c=3; Path=/x", "d=4; Path=/", "e=5; Path=/z", "f=6; Path=/x/y")
        expect(sent(to: "https://www.example.com/x/y"), "b=2; f=6; c=3; a=1; d=4")
        receive("a=7; Path=/")
        expect(sent(to: "https://www.example.com/"), "a=7; d=4")
        expect(store.cookies.map(\.name), ["a", "b", "c", "d", "e", "f"])
    }

    @Test func aStoreForgetsExpiredCookies() {
        receive("a=1; Max-Age=10", "b=2", "c=3; Expires=Wed, 09 Jun 2021 10:18:14 GMT")
        expect(store.persistentCookies.map(\.name), ["a", "c"])
        clock.advance(by: 9.999)
        expect(sent(to: "https://www.example.com/"), "a=1; b=2; c=3")
        clock.advance(by: 0.001)
        expect(sent(to: "https://www.example.com/"), "b=2; c=3")
        clock.advance(by: 1e9)
        expect(store.cookies.map(\.name), ["b"])
    }

    @Test func aStoreSetsAndRemovesTheCookiesItIsTold() throws {
        receive("a=1; Max-Age=10", "b=2", "c=3", "d=4; Max-Age=10")
        store.remove(try Cookie(name: "a", value: "", domain: "www.example.com"))
        expect(store.cookies.map(\.name), ["b", "c", "d"])
        store.remove(try Cookie(name: "b", value: "2", domain: "example.com"))
        expect(store.cookies.count, 3)
        store.removeSessionCookies()
        expect(store.cookies.map(\.name), ["d"])
        store.removeAll()
        expect(store.cookies, [])
        store.set(try Cookie(name: "a", value: "1", domain: "example.com", isHostOnly: false, isSecure: true))
        store.set(try Cookie(name: "a", value: "2", domain: "example.com", isHostOnly: false))
        expect(sent(to: "http://www.example.com/"), "a=2")
        store.set(try Cookie(name: "a", value: "", domain: "example.com", isHostOnly: false, expires: .distantPast))
        expect(store.cookies, [])
    }

    @Test func aStoreKeepsItsOrderInASnapshot() throws {
        receive("b=1; Max-Age=10; Path=/", "a=2; Max-Age=10", "session=3", "c=4; Max-Age=5")
        let data = try JSONEncoder().encode(store.persistentCookies)
        clock.advance(by: 5)
        let restored = CookieStore(
            cookies: try JSONDecoder().decode([Cookie].self, from: data),
            on: clock
        )
        expect(restored.cookies(for: url("https://www.example.com/")).map(\.name), ["b", "a"])
        expect(CookieStore(cookies: restored.cookies).cookies, [])
    }

    /// RFC 6265bis §5.7, "leave secure cookies alone".
    @Test(arguments: [
        ("http://www.example.com/", "SID=2; Path=/", false),
        ("http://www.example.com/", "SID=2; Domain=example.com; Path=/", false),
        ("http://a.www.example.com/", "SID=2; Path=/", false), ("http://www.example.com/login/x", "SID=2", false),
        ("http://www.example.com/", "SID=; Max-Age=0; Path=/", false),
        ("http://www.example.com/", "sid=2; Path=/", true),
        ("http://other.example.com/", "SID=2; Path=/", true), ("https://www.example.com/", "SID=2; Path=/", true),
    ])
    func plainHTTPCannotReplaceSecureCookies(place: String, field: String, isTaken: Bool) {
        receive("SID=1; Secure; Domain=www.example.com; Path=/")
        let before = store.cookies
        receive(field, from: place)
        expect((store.cookies != before), isTaken)
    }

    @Test func cookiesOfOtherPathsDomainsAndNamesAreNotReplaced() {
        receive("SID=1; Secure; Path=/login")
        receive("SID=2; Path=/", from: "http://www.example.com/")
        expect(sent(to: "https://www.example.com/login"), "SID=1; SID=2")
        receive("SID=1; Path=/", from: "https://example.org/")
        receive("SID=2; Path=/; Domain=example.org", from: "https://evil.example.org/")
        expect(sent(to: "https://example.org/"), "SID=1; SID=2")
        receive("\u{e9}=1", "e\u{301}=2", "a=3", "A=4", from: "https://names.example/")
        receive("a=1", from: "file:///x")
        expect(store.cookies.count, 8)
        expect(store.cookies(for: url("/x")), [])
    }

    @Test func aRequestGetsAsManyCookiesAsServersAccept() {
        let long = String(repeating: "v", count: 1_000)
        for index in 0..<20 { receive("long\(index)=\(long)", from: "https://h.example/") }
        for index in 0..<49 {
            receive("a\(index)=", "b\(index)=; Domain=example.com", from: "https://www.example.com/")
            receive("c\(index)=; Domain=a.www.example.com; Path=/", from: "https://a.www.example.com/")
            receive("d\(index)=; Domain=www.example.com; Path=/", from: "https://a.www.example.com/")
        }
        func field(_ place: String, own: String? = nil) -> String {
            var request = URLRequest(url: url(place))
            if let own { request.setValue(own, forHTTPHeaderField: "Cookie") }
            return store.adding(to: request, on: clock).value(forHTTPHeaderField: "Cookie") ?? ""
        }
        expect(field("https://h.example/").components(separatedBy: "; ").count, 8)
        #expect(field("https://h.example/").utf8.count <= 8_190)
        #expect(field("https://a.www.example.com/").components(separatedBy: "; ").count <= 150)
        #expect(field("https://a.www.example.com/", own: "own=1").hasPrefix("own=1; "))
        let own = "own=" + String(repeating: "v", count: 9_000)
        expect(field("https://h.example/", own: own), own)
    }

    @Test func aStoreCanBeUsedConcurrently() async {
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask { [store] in
                    let place = url("https://h\(task % 3).example.com/")
                    for round in 0..<200 {
                        store.receive(
                            ["n\(round % 60)=\(task); Domain=example.com", "m=\(round)"],
                            from: place,
                            on: clock
                        )
                        _ = store.cookies(for: place)
                        if round % 50 == 0 { store.removeSessionCookies() }
                        for cookie in store.cookies.prefix(2) { store.remove(cookie) }
                    }
                }
            }
        }
        #expect(store.cookies.count <= 53)
    }
}

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

    @Test func aStoreHoldsFiftyCookiesOfADomainAndDropsTheLeastRecentlyUsed() throws {
        var state = CookieStoreState()
        for index in 0..<50 {
            let cookie = try Cookie(name: "\(index)", value: "v", domain: "h.example", path: index == 0 ? "/a" : "/")
            state.set([cookie], now: now)
        }
        expect(names(state).count, 50)
        let target = try #require(CookieTarget(url("http://h.example/")))
        expect(state.cookies(for: target, now: now).count, 49)
        state.set([try cookie("new")], now: now)
        expect(names(state), (1..<50).map { "\($0)" } + ["new"])
        state.set([try cookie("other", "other.example")], now: now)
        expect(names(state).count, 51)
        // Expired cookies are dropped first, then insecure ones.
        state.set([try cookie("secure", "s.example", isSecure: true), try cookie("plain", "s.example")], now: now)
        state.set([try cookie("short", "s.example", expires: 10)], now: now)
        for index in 0..<47 { state.set([try cookie("\(index)", "s.example")], now: now) }
        state.set([try cookie("a", "s.example")], now: now + 10)
        #expect(names(state, at: 10).contains("plain"))
        state.set([try cookie("b", "s.example")], now: now + 10)
        #expect(names(state, at: 10).contains("secure") && !names(state, at: 10).contains("plain"))
    }

    @Test func aStoreHoldsThreeThousandCookiesAndDropsExpiredOnesAndThenTheLeastRecentlyUsed() throws {
        var state = CookieStoreState()
        for index in 0..<3000 {
            state.set([try cookie("a", "h\(index).example", expires: index == 1500 ? 5 : nil)], now: now)
        }
        expect(names(state).count, 3000)
        state.set([try cookie("first")], now: now + 5)
        expect(names(state, at: 5).count, 3000)
        let target = try #require(CookieTarget(url("http://h0.example/")))
        expect(state.cookies(for: target, now: now + 5).count, 1)
        state.set([try cookie("new"), try cookie("newer")], now: now + 5)
        expect(names(state, at: 5).count, 3000)
        let domains = Set(state.cookies(now: now + 5).map(\.domain))
        #expect(["h0.example", "h3.example"].allSatisfy { domains.contains($0) })
        #expect(!domains.contains("h1.example") && !domains.contains("h2.example"))
    }

    /// RFC 6265bis §5.7: the domains with the most cookies lose theirs first.
    @Test func manyCookiesOfSomeHostsPushNoCookiesOfOthersOut() throws {
        var state = CookieStoreState()
        for index in 0..<10 { state.set([try cookie("a", "old\(index).example")], now: now) }
        for host in 0..<70 {
            for name in 0..<50 { state.set([try cookie("\(name)", "h\(host).example")], now: now) }
        }
        let byDomain = Dictionary(grouping: state.cookies(now: now), by: \.domain).mapValues(\.count)
        #expect((0..<10).allSatisfy { byDomain["old\($0).example"] == 1 })
        #expect((0..<70).allSatisfy { byDomain["h\($0).example"] ?? 0 >= 41 })
        #expect((2_900...3_000).contains(byDomain.values.reduce(0, +)))
    }

    @Test func aReplacedCookieKeepsItsPosition() throws {
        var state = CookieStoreState()
        state.set([try cookie("a"), try cookie("b"), try cookie("a", isSecure: true)], now: now)
        expect(names(state), ["a", "b"])
        expect(state.cookies(now: now).first?.isSecure, true)
        state.set([try cookie("a", expires: 0)], now: now)
        expect(names(state), ["b"])
        state.set([try cookie("a")], now: now)
        expect(names(state), ["b", "a"])
    }

    @Test(.longComputation) func theNumberOfCookiesStaysRight() throws {
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
        expect(state.cookies(now: now), [])
        for index in 0..<3000 { state.set([try cookie("a", "h\(index).example")], now: now) }
        expect(names(state).count, 3000)
    }
}
