import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CookieTests {
    @Test func isHostOnlyForEveryPathUntilTheSessionEndsByDefault() throws {
        let cookie = try Cookie(name: "id", value: "1", domain: "Example.COM")
        #expect(cookie.domain == "example.com")
        #expect(cookie.isHostOnly)
        #expect(cookie.path == "/")
        #expect(cookie.expires == nil)
        #expect(!cookie.isSecure && !cookie.isHTTPOnly)
        #expect(cookie.sameSite == .default)
    }

    @Test func dropsTheDotOfASharedDomain() throws {
        #expect(try Cookie(name: "a", value: "", domain: ".example.com", isHostOnly: false).domain == "example.com")
        #expect(try Cookie(name: "a", value: "", domain: "[::1]").domain == "::1")
    }

    @Test(.spec(94)) func neverShowsItsValue() throws {
        let cookie = try Cookie(name: "id", value: "s3cret", domain: "example.com", isHostOnly: false, path: "/a")
        #expect("\(cookie)" == "Cookie 'id' of *.example.com/a")
        #expect(try "\(Cookie(name: "id", value: "s3cret", domain: "h"))" == "Cookie 'id' of h/")
        let store = CookieStore(cookies: [cookie])
        #expect("\(store)" == "CookieStore (cookies: 1)")
        for shown in [cookie, [cookie], Cookie?.some(cookie) as Any, ["k": cookie], store] as [Any] {
            var dumped = ""
            dump(shown, to: &dumped)
            for text in [dumped, "\(shown)", String(reflecting: shown)] { #expect(!text.contains("s3cret")) }
        }
    }

    @Test func endsAtItsDate() throws {
        let date = Date(timeIntervalSince1970: 100)
        let cookie = try Cookie(name: "a", value: "", domain: "h", expires: date)
        #expect(cookie.isLive(at: date - 0.001))
        #expect(!cookie.isLive(at: date))
        #expect(try Cookie(name: "a", value: "", domain: "h").isLive(at: .distantFuture))
        let never = try Cookie(name: "a", value: "", domain: "h", expires: Date(timeIntervalSince1970: .nan))
        #expect(!never.isLive(at: date))
    }

    @Test func isTheSameByNameAndPlace() throws {
        let cookie = try Cookie(name: "a", value: "1", domain: "h.example")
        #expect(try cookie.isSame(as: Cookie(name: "a", value: "2", domain: "H.example", isSecure: true)))
        #expect(try !cookie.isSame(as: Cookie(name: "A", value: "1", domain: "h.example")))
        #expect(try !cookie.isSame(as: Cookie(name: "a", value: "1", domain: "h.example", path: "/x")))
        #expect(try !cookie.isSame(as: Cookie(name: "a", value: "1", domain: "h.example", isHostOnly: false)))
    }
}
