import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CookieTargetTests {
    @Test func isWhatMattersOfAURL() throws {
        let target = try #require(CookieTarget(url("HTTPS://u:p@Example.com:8443/a%20b/c%2Fd/?q=1#f")))
        #expect(target.host.name == "example.com")
        #expect(target.path == "/a%20b/c%2Fd/")
        #expect(target.isSecure)
        #expect(try #require(CookieTarget(url("http://localhost"))).path == "/")
        #expect(try #require(CookieTarget(url("http://localhost"))).isSecure == false)
        #expect(try #require(CookieTarget(url("http://[::1]:80/"))).host.name == "::1")
        let relative = try #require(URL(string: "c?d", relativeTo: url("http://h/a/b")))
        #expect(try #require(CookieTarget(relative)).path == "/a/c")
    }

    @Test(arguments: ["/a", "mailto:a@b", "file:///a", "data:,x"])
    func needsAHost(text: String) {
        #expect(CookieTarget(url(text)) == nil)
    }

    @Test(arguments: [
        ("https://example.com/", true), ("https://example.com/a/b", true), ("http://example.com/", false),
        ("https://www.example.com/", false), ("https://com/", false),
    ])
    func receivesWhatIsForIt(text: String, isReceived: Bool) throws {
        let cookie = try Cookie(name: "a", value: "1", domain: "example.com", isSecure: true)
        #expect(try #require(CookieTarget(url(text))).receives(cookie) == isReceived)
    }

    @Test(arguments: ["http://localhost/", "http://127.0.0.1/", "http://[::1]/"])
    func trustsPlainHTTPNoMoreOnThisMachine(text: String) throws {
        let target = try #require(CookieTarget(url(text)))
        let cookie = try Cookie(name: "a", value: "1", domain: target.host.name, isSecure: true)
        #expect(!target.receives(cookie))
    }
}
