import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CookieTargetTests {
    @Test func aCookieTargetHasHostPathAndSecurityOfItsURL() throws {
        let target = try #require(CookieTarget(url("HTTPS://u:p@Example.com:8443/a%20b/c%2Fd/?q=1#f")))
        expect(target.host.name, "example.com")
        expect(target.path, "/a%20b/c%2Fd/")
        #expect(target.isSecure)
        expect(try #require(CookieTarget(url("http://localhost"))).path, "/")
        expect(try #require(CookieTarget(url("http://localhost"))).isSecure, false)
        expect(try #require(CookieTarget(url("http://[::1]:80/"))).host.name, "::1")
        let relative = try #require(URL(string: "c?d", relativeTo: url("http://h/a/b")))
        expect(try #require(CookieTarget(relative)).path, "/a/c")
    }

    @Test(arguments: [
        ("https://example.com/", "example.com", true), ("https://example.com/a/b", "example.com", true),
        ("http://example.com/", "example.com", false), ("https://www.example.com/", "example.com", false),
        ("https://com/", "example.com", false), ("http://localhost/", "localhost", false),
        ("http://127.0.0.1/", "127.0.0.1", false), ("http://[::1]/", "::1", false),
        // Without a host, a URL is not a target.
        ("/a", "a", false), ("mailto:a@b", "b", false), ("file:///a", "a", false), ("data:,x", "x", false),
    ])
    func aSecureCookieIsReceivedByItsHostOverHTTPSOnly(text: String, domain: String, isReceived: Bool) throws {
        let cookie = try Cookie(name: "a", value: "1", domain: domain, isSecure: true)
        let target = CookieTarget(url(text))
        expect((target == nil), !text.hasPrefix("http"))
        expect((target?.receives(cookie) ?? false), isReceived)
    }
}

struct CookieHostTests {
    @Test(
        arguments: [
            ("Example.COM", "example.com"), ("localhost", "localhost"), ("a_b.example", "a_b.example"),
            ("xn--mller-kva.de", "xn--mller-kva.de"), ("[::1]", "::1"), ("2001:DB8::1", "2001:db8::1"),
            ("example.com.", "example.com."), ("127.0.0.1", "127.0.0.1"),
        ]
            + [
                "", ".", "..", "[]", "a b", "a/b", "a;b", "müller.de", "a,b", "a\u{0}", "a%2eb", "fe80::1%en0", "x::y",
                "a:80", "1:2:3", "1::2::3", "*", String(repeating: "a", count: 256),
            ].map { ($0, nil) } as [(String, String?)]
    )
    func aCookieHostIsAValidHostInLowerCase(text: String, name: String?) {
        expect(CookieHost(text)?.name, name)
    }

    @Test(
        arguments: ["127.0.0.1", "127.1", "2130706433", "0x7f.1", "1.0x", "::1", "[::ffff:1.2.3.4]", "1.2.3.4."]
            .map { ($0, true) }
            + ["example.com", "1.example", "0xg.a0xg", "127.0.0.1.nip.io", "1a"].map { ($0, false) }
    )
    func aCookieHostRecognisesAddresses(text: String, isAddress: Bool) throws {
        let host = try #require(CookieHost(text))
        expect(host.isAddress, isAddress)
        if isAddress { expectAll((host.hasNamesBelow, host.domains), (false, [host.name])) }
    }

    @Test(arguments: [
        ("example.com", "example.com", true), ("www.example.com", "example.com", true),
        ("a.b.example.com", "example.com", true), ("badexample.com", "example.com", false),
        ("example.com", "www.example.com", false), ("example.com.evil.com", "example.com", false),
        ("127.0.0.1", "0.0.1", false), ("127.0.0.1", "127.0.0.1", true), ("example.com.", "example.com", false),
        ("a.example.com", ".com", false), ("::1", "1", false),
    ])
    func aCookieHostMatchesDomainsByWholeLabels(host: String, domain: String, isMatch: Bool) throws {
        expect(try #require(CookieHost(host)).matches(domain), isMatch)
    }

    @Test func aCookieHostHasTheDomainsAboveItAndSharesCookiesIfItHasADot() throws {
        expect(try #require(CookieHost("a.b.c")).domains, ["a.b.c", "b.c", "c"])
        expect(try #require(CookieHost("c")).domains, ["c"])
        expect(try #require(CookieHost("b.c.")).domains, ["b.c.", "c.", ""])
        for name in ["example.com", "a.b.c", "com", "localhost", "com.", "a.com.", ".com", "a..com"] {
            expect(try #require(CookieHost(name)).hasNamesBelow, ["example.com", "a.b.c"].contains(name))
        }
    }
}

struct CookiePathTests {
    @Test(arguments: [
        ("", "/"), ("/", "/"), ("/a", "/"), ("/a/", "/a"), ("/a/b", "/a"), ("/a/b/", "/a/b"), ("//", "/"),
        ("//a", "/"), ("/%2F/b", "/%2F"), ("/%C3%A9/b", "/%C3%A9"),
    ])
    func theDefaultCookiePathEndsAtTheLastSlash(request: String, path: String) {
        expect(CookieTarget(url("http://h\(request)"))?.defaultCookiePath, path)
    }

    @Test(arguments: [
        ("/", "/", true), ("/a", "/", true), ("/a", "/a", true), ("/a/", "/a", true), ("/a/b", "/a", true),
        ("/a/b", "/a/", true), ("/ab", "/a", false), ("/a", "/a/", false), ("/A", "/a", false), ("/", "/a", false),
        ("/a%2Fb", "/a", false), ("/e\u{301}/x", "/e", false), ("/\u{e9}", "/e\u{301}", false), ("/a?", "/a", false),
    ])
    func cookiePathsMatchWholeSegments(request: String, path: String, isMatch: Bool) {
        expect(CookieTarget.path(request, isWithin: path), isMatch)
    }
}
