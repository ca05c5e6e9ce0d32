import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CookieReceivingTests {
    private let now = Date(timeIntervalSince1970: 1_600_000_000)

    private func received(_ text: String, from place: String = "https://www.example.com/a/b?q") throws -> Cookie? {
        let field = try #require(SetCookie(text))
        let target = try #require(CookieTarget(url(place)))
        return Cookie(field, from: target, now: now)
    }

    @Test func isForTheHostAndTheFolderThatSetItUnlessItSaysOtherwise() throws {
        let cookie = try #require(try received("a=1"))
        #expect(cookie.domain == "www.example.com")
        #expect(cookie.isHostOnly)
        #expect(cookie.path == "/a")
        #expect(cookie.expires == nil)
        let other = try #require(try received("a=1; Domain=Example.com; Path=/x; HttpOnly; Secure; SameSite=Lax"))
        #expect(other.domain == "example.com")
        #expect(!other.isHostOnly)
        #expect(other.path == "/x")
        #expect(other.isHTTPOnly && other.isSecure)
        #expect(other.sameSite == .lax)
    }

    /// The server at foo.example.com, of RFC 6265 §4.1.2.3.
    @Test(arguments: [
        ("example.com", true), ("foo.example.com", true), (".example.com", true), ("EXAMPLE.com", true),
        ("bar.example.com", false), ("baz.foo.example.com", false), ("com", false), (".com", false), ("com.", false),
        ("ample.com", false), ("example.com.", false), ("..example.com", false), ("foo.example.com:80", false),
        ("example.org", false), ("*.example.com", false), ("exämple.com", false), ("[::1]", false), ("0.1", false),
    ])
    func isForADomainThatItsServerIsIn(domain: String, isTaken: Bool) throws {
        let cookie = try received("a=1; Domain=\(domain)", from: "http://foo.example.com/")
        #expect((cookie != nil) == isTaken)
        #expect(cookie?.isHostOnly != true)
    }

    @Test(arguments: ["", ".", "  ", "example.com; Domain="])
    func isForTheHostOnlyWithoutADomain(domain: String) throws {
        let cookie = try received("a=1; Domain=\(domain)")
        #expect(cookie?.domain == "www.example.com")
        #expect(cookie?.isHostOnly == true)
    }

    @Test(arguments: [
        ("http://localhost/", "localhost"), ("http://com/", "com"), ("http://127.0.0.1/", "127.0.0.1"),
        ("http://[::1]/", "::1"),
        ("http://[::1]/", "[::1]"), ("http://127.1/", "127.1"),
    ])
    func isForTheHostOnlyWhereThatHasNoNamesBelow(place: String, domain: String) throws {
        let cookie = try #require(try received("a=1; Domain=\(domain)", from: place))
        #expect(cookie.isHostOnly)
    }

    @Test(arguments: [
        ("http://127.0.0.1/", "0.0.1"), ("http://127.0.0.1/", "1"), ("http://a.localhost/", "localhost"),
        ("http://[::1]/", "1"), ("http://example.com/", "www.example.com"),
    ])
    func aCookieIsRefusedFromAHostOutsideItsDomain(place: String, domain: String) throws {
        #expect(try received("a=1; Domain=\(domain)", from: place) == nil)
    }

    @Test(arguments: [("", "/a"), ("x", "/a"), ("/", "/"), ("/x/", "/x/"), ("\"/\"", "/a"), ("/é", "/é")])
    func hasThePathThatIsOne(path: String, expected: String) throws {
        #expect(try received("a=1; Path=\(path)")?.path == expected)
    }

    @Test(
        arguments: [
            ("Max-Age=10", 1_600_000_010), ("Max-Age=10; Expires=Wed, 09 Jun 2021 10:18:14 GMT", 1_600_000_010),
            ("Expires=Wed, 09 Jun 2021 10:18:14 GMT; Max-Age=x", 1_623_233_894), ("Expires=tomorrow", nil),
            ("Max-Age=99999999999999999999999999", 253_402_300_799), ("", nil),
        ] as [(String, Double?)]
    )
    func endsByMaxAgeBeforeExpires(attributes: String, seconds: Double?) throws {
        let cookie = try #require(try received("a=1; \(attributes)"))
        #expect(cookie.expires?.timeIntervalSince1970 == seconds)
    }

    @Test(arguments: [
        "Max-Age=0", "Max-Age=-1", "Expires=Thu, 01 Jan 1970 00:00:00 GMT", "Max-Age=0; Expires=1 Jan 2099 0:0:0",
    ])
    func canHaveEnded(attributes: String) throws {
        #expect(try #require(try received("a=1; \(attributes)")).isLive(at: now) == false)
    }

    @Test func isSecureFromHTTPSOnly() throws {
        #expect(try received("a=1; Secure", from: "https://h/")?.isSecure == true)
        #expect(try received("a=1; Secure", from: "http://h/") == nil)
        #expect(try received("a=1; Secure", from: "http://localhost/") == nil)
    }

    /// The examples of RFC 6265bis §4.1.3.
    @Test(arguments: [
        ("__Secure-SID=12345; Domain=site.example", false), ("__Secure-SID=12345; Domain=site.example; Secure", true),
        ("__Host-SID=12345", false), ("__Host-SID=12345; Secure", false),
        ("__Host-SID=12345; Domain=site.example", false),
        ("__Host-SID=12345; Domain=site.example; Path=/", false),
        ("__Host-SID=12345; Secure; Domain=site.example; Path=/", false), ("__Host-SID=12345; Secure; Path=/", true),
        ("__host-SID=12345; Path=/", false), ("__HOST-SID=12345; Secure; Path=/a", false),
    ])
    func holdsANameToItsPrefix(text: String, isTaken: Bool) throws {
        #expect((try received(text, from: "https://site.example/") != nil) == isTaken)
        #expect(try received(text, from: "http://site.example/") == nil)
    }

    @Test(arguments: [
        ("https://127.0.0.1/", "; Domain=127.0.0.1", false), ("https://[::1]/", "; Domain=::1", false),
        ("https://localhost/", "; Domain=localhost", false), ("https://127.0.0.1/", "; Domain=", true),
        ("https://127.0.0.1/", "", true),
    ])
    func aHostCookieNamesNoDomainNotEvenThatOfItsHost(place: String, domain: String, isTaken: Bool) throws {
        #expect((try received("__Host-SID=1; Secure; Path=/\(domain)", from: place) != nil) == isTaken)
    }

    @Test func isNotKeptWhereItsDefaultPathIsTooLong() throws {
        let place = "https://h/" + String(repeating: "p", count: 2000)
        #expect(try received("a=1", from: place) != nil)
        #expect(try received("a=1", from: place + "/") == nil)
    }
}
