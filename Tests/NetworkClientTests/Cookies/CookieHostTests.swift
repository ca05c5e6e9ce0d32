import Foundation
import Testing

@testable import NetworkClient

struct CookieHostTests {
    @Test(arguments: [
        ("Example.COM", "example.com"), ("localhost", "localhost"), ("a_b.example", "a_b.example"),
        ("xn--mller-kva.de", "xn--mller-kva.de"), ("[::1]", "::1"), ("2001:DB8::1", "2001:db8::1"),
        ("example.com.", "example.com."), ("127.0.0.1", "127.0.0.1"),
    ])
    func isInLowerCase(text: String, name: String) {
        #expect(CookieHost(text)?.name == name)
    }

    @Test(arguments: [
        "", ".", "..", "[]", "a b", "a/b", "a;b", "müller.de", "a,b", "a\u{0}", "a%2eb", "fe80::1%en0", "x::y", "a:80",
        "*",
        String(repeating: "a", count: 256),
    ])
    func isNothingElse(text: String) {
        #expect(CookieHost(text) == nil)
    }

    @Test(arguments: ["127.0.0.1", "127.1", "2130706433", "0x7f.1", "1.0x", "::1", "[::ffff:1.2.3.4]", "1.2.3.4."])
    func knowsAddresses(text: String) throws {
        let host = try #require(CookieHost(text))
        #expect(host.isAddress)
        #expect(!host.hasNamesBelow)
        #expect(host.domains == [host.name])
    }

    @Test(arguments: ["example.com", "1.example", "0xg.a0xg", "127.0.0.1.nip.io", "1a"])
    func knowsNames(text: String) throws {
        #expect(try #require(CookieHost(text)).isAddress == false)
    }

    @Test(arguments: [
        ("example.com", "example.com", true), ("www.example.com", "example.com", true),
        ("a.b.example.com", "example.com", true), ("badexample.com", "example.com", false),
        ("example.com", "www.example.com", false), ("example.com.evil.com", "example.com", false),
        ("127.0.0.1", "0.0.1", false), ("127.0.0.1", "127.0.0.1", true), ("example.com.", "example.com", false),
        ("a.example.com", ".com", false), ("::1", "1", false),
    ])
    func matchesWholeLabels(host: String, domain: String, isMatch: Bool) throws {
        #expect(try #require(CookieHost(host)).matches(domain) == isMatch)
    }

    @Test func aCookieHostHasTheDomainsAboveIt() throws {
        #expect(try #require(CookieHost("a.b.c")).domains == ["a.b.c", "b.c", "c"])
        #expect(try #require(CookieHost("c")).domains == ["c"])
        #expect(try #require(CookieHost("b.c.")).domains == ["b.c.", "c.", ""])
    }

    @Test(arguments: [
        ("example.com", true), ("a.b.c", true), ("com", false), ("localhost", false), ("com.", false),
        ("a.com.", false),
        (".com", false), ("a..com", false),
    ])
    func isSharedOnlyWithADotInIt(name: String, isShared: Bool) throws {
        #expect(try #require(CookieHost(name)).hasNamesBelow == isShared)
    }
}
