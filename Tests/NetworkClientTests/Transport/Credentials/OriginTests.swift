import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// The origin that is read from a URL's text is the one that Foundation parses (RFC 6454 §4).
struct OriginTests {
    @Test(
        arguments: [
            ("http://example.org", "http", "example.org", 80), ("https://example.org/", "https", "example.org", 443),
            ("http://example.org:8080/a:9/b", "http", "example.org", 8080), ("https://h?a=http://b", "https", "h", 443),
            ("http://127.0.0.1:0/", "http", "127.0.0.1", 0), ("http://h:00080#f", "http", "h", 80),
            ("HTTP://Example.ORG:80/", "http", "example.org", 80), ("hTTps://h:443", "https", "h", 443),
            ("http://user:1@h:2/", "http", "h", 2), ("http://user@other/", "http", "other", 80),
            ("http://h:/a", "http", "h", 80), ("http://h_1/", "http", "h_1", 80), ("httpx://h/", "httpx", "h", 80),
            ("http://xn--e1afmkfd.org/", "http", "xn--e1afmkfd.org", 80), ("http://a.b:81", "http", "a.b", 81),
        ]
    )
    func anOriginIsSchemeHostAndPort(text: String, scheme: String, host: String, port: Int) throws {
        let origin = Origin(of: try #require(URL(string: text)))

        expect(origin.scheme, scheme)
        expect(origin.host, host)
        expect(origin.port, port)
    }

    @Test(arguments: [
        "http://example.org", "http://example.org:80/a", "HTTP://Example.org/", "http://user@example.org/?a",
        "https://example.org", "https://example.org:80/", "http://example.org:81", "http://example.or",
        "http://example.org.de", "http://example.org@other", "http:///example.org", "https://h:443",
    ])
    func aURLHasOneOfSeveralOriginsIfItsOwnIsAmongThem(text: String) throws {
        let url = try #require(URL(string: text))
        let origins = try ["https://h", "http://example.org"].map { Origin(of: try #require(URL(string: $0))) }

        expect(Origin.isOne(of: origins, url), origins.contains(Origin(of: url)))
        #expect(!Origin.isOne(of: [], url))
    }

    @Test func theOriginOfARelativeURLIsThatOfItsBase() throws {
        let url = try #require(URL(string: "/a", relativeTo: URL(string: "http://h:81/b")))

        expect(Origin(of: url), Origin(of: try #require(URL(string: "http://h:81"))))
    }

    @Test(arguments: [
        "http://[::1]:8080/", "http://h%2Fx/", "http://exa%6Dple.org/", "http://h:99999/", "http://h:999999/",
    ])
    func anOriginHasTheHostThatFoundationParses(text: String) throws {
        let url = try #require(URL(string: text))

        expect(Origin(of: url).host, url.host?.lowercased())
        expect(Origin(of: url).port, url.port ?? 80)
    }

    @Test(arguments: ["", "a", "http:", "http://", "http:///a", "https://", "http://?", "file:///a"])
    func anOriginWithoutAHostIsEmpty(text: String) throws {
        guard let url = URL(string: text) else { return }

        expect(Origin(of: url).host, "")
    }

    /// The port is that of a redirect, which the server chooses.
    @Test(arguments: [20, 1_000, 100_000])
    func aPortOfAnyLengthCausesNoTrap(digits: Int) {
        guard let url = URL(string: "http://h:\(String(repeating: "9", count: digits))/") else { return }

        expect(Origin(of: url).host, "h")
    }
}
