import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct SetCookieTests {
    private static let invalid = [
        "", ";", "=", "=b", " =b", "a", "a; b=c", "; a=b", "a\u{0}=b", "a=b\u{0}c", "a=b\r\nc", "a=b\nSet-Cookie: c=d",
        "a=b\u{7F}", "a=b; Path=/\u{1}", "\u{1B}=b",
    ]

    private static let valid: [(String, String?, String?)] = [
        ("a=b", "a", "b"), ("a=", "a", ""), ("a==", "a", "="), ("a=b=c", "a", "b=c"), (" a \t=\t b c ", "a", "b c"),
        ("a=\"b c\"", "a", "\"b c\""), ("a=b;", "a", "b"), ("a=b,c=d", "a", "b,c=d"), ("a b=c", "a b", "c"),
        ("a=b;;;", "a", "b"), ("é=ü", "é", "ü"), ("a[b]=1", "a[b]", "1"), ("a=b ; Secure", "a", "b"), ("A=b", "A", "b"),
    ]

    @Test(arguments: valid + invalid.map { ($0, nil, nil) })
    func nameAndValueOfASetCookieFieldAreKeptUnchangedUnlessItIsInvalid(text: String, name: String?, value: String?) {
        let field = SetCookie(text)
        expectAll((field?.name, field?.value), (name, value))
    }

    @Test func everyAttributeIsReadInAnyLetterCaseAndWithSpaces() {
        let text = "a=1;domain = .Example.com ; PATH=/x;max-age=10;eXpires=Wed, 09 Jun 2021 10:18:14 GMT;"
        let field = SetCookie(text + "secure=no; HTTPONLY ;samesite=STRICT; Other=x; Priority=High")
        expectAll((field?.domain, field?.path, field?.maxAge), ("Example.com", "/x", 10))
        expect(field?.expires, Date(timeIntervalSince1970: 1_623_233_894))
        expectAll((field?.isSecure, field?.isHTTPOnly, field?.sameSite), (true, true, .strict))
        let none = SetCookie("a=1; Secured; Http Only; Max-Age; Expires; ſecure")
        expectAll((none?.domain, none?.path, none?.maxAge, none?.expires), (nil, nil, nil, nil))
        expectAll((none?.isSecure, none?.isHTTPOnly, none?.sameSite), (false, false, .default))
    }

    @Test func theLastOfTwoEqualAttributesWinsUnlessItIsTooLongOrCannotBeRead() {
        let field = SetCookie(
            "a=1; Path=/x; Path=; Domain=a.b; Domain=c.d; Max-Age=1; Max-Age=2; SameSite=Lax; SameSite=x"
        )
        expectAll((field?.path, field?.domain, field?.maxAge, field?.sameSite), ("", "c.d", 2, .default))
        let unreadable = SetCookie("a=1; Max-Age=5; Max-Age=x; Expires=Wed, 09 Jun 2021 10:18:14 GMT; Expires=soon")
        expectAll((unreadable?.maxAge, unreadable?.expires), (5, Date(timeIntervalSince1970: 1_623_233_894)))
        let long = String(repeating: "a", count: 1024)
        expect(SetCookie("a=1; Path=/\(long.dropLast())")?.path?.utf8.count, 1024)
        expect(SetCookie("a=1; Path=/\(long)")?.path, nil)
        expect(SetCookie("a=1; Domain=\(long)b")?.domain, nil)
    }

    @Test(
        arguments: [
            ("10", 10), ("0", 0), ("-1", 0), ("-0", 0), ("007", 7), ("", nil), ("-", nil), ("+1", nil), ("1.5", nil),
            ("1e3", nil), ("1 0", nil), ("٣", nil), ("\"1\"", nil), ("9223372036854775808", 1e15),
            ("-99999999999999999999999", 0), (String(repeating: "9", count: 1000), 1e15),
            (String(repeating: "0", count: 1000) + "5", 5),
        ] as [(String, Double?)]
    )
    func maxAgeIsReadAtAnyLength(text: String, seconds: Double?) {
        expect(SetCookie("a=1; Max-Age=\(text)")?.maxAge, seconds)
    }
}

struct CookieReceivingTests {
    private let now = Date(timeIntervalSince1970: 1_600_000_000)

    private func received(_ text: String, from place: String = "https://www.example.com/a/b?q") throws -> Cookie? {
        let field = try #require(SetCookie(text))
        let target = try #require(CookieTarget(url(place)))
        return Cookie(field, from: target, now: now)
    }

    @Test func aReceivedCookieIsForTheHostAndFolderThatSetItByDefault() throws {
        let cookie = try #require(try received("a=1"))
        expectAll((cookie.domain, cookie.isHostOnly), ("www.example.com", true))
        expectAll((cookie.path, cookie.expires), ("/a", nil))
        let other = try #require(try received("a=1; Domain=Example.com; Path=/x; HttpOnly; Secure; SameSite=Lax"))
        expectAll((other.domain, other.isHostOnly, other.path), ("example.com", false, "/x"))
        expectAll((other.isHTTPOnly, other.isSecure, other.sameSite), (true, true, .lax))
        for place in ["http://h/", "http://localhost/"] { expect(try received("a=1; Secure", from: place), nil) }
        for (path, expected) in [("", "/a"), ("x", "/a"), ("/", "/"), ("/x/", "/x/"), ("\"/\"", "/a"), ("/é", "/é")] {
            expect(try received("a=1; Path=\(path)")?.path, expected)
        }
        expect(try received("a=1", from: "https://h/app;v=2/login")?.path, "/app;v=2")
        // A default path that is too long.
        let place = "https://h/" + String(repeating: "p", count: 2000)
        #expect(try received("a=1", from: place) != nil)
        expect(try received("a=1", from: place + "/"), nil)
    }

    private static let foo = "http://foo.example.com/"

    private typealias DomainRow = (place: String, domain: String, isHostOnly: Bool?)

    /// The server at foo.example.com, of RFC 6265 §4.1.2.3.
    private static func rows(_ domains: [String], _ isHostOnly: Bool?) -> [DomainRow] {
        domains.map { (foo, $0, isHostOnly) }
    }

    private static let accepted: [DomainRow] =
        rows(["example.com", "foo.example.com", ".example.com", "EXAMPLE.com"], false)
        + rows(["", ".", "  ", "example.com; Domain="], true)

    private static let refused = rows(
        [
            "bar.example.com", "baz.foo.example.com", "com", ".com", "com.", "ample.com", "example.com.",
            "..example.com", "foo.example.com:80", "example.org", "*.example.com", "exämple.com", "[::1]", "0.1",
        ],
        nil
    )

    /// A host has no hosts below.
    private static let ofOtherServers: [DomainRow] = [
        ("http://localhost/", "localhost", true), ("http://com/", "com", true), ("http://[::1]/", "::1", true),
        ("http://[::1]/", "[::1]", true), ("http://127.1/", "127.1", true),
        ("http://127.0.0.1/", "127.0.0.1", true), ("http://127.0.0.1/", "0.0.1", nil),
        ("http://127.0.0.1/", "1", nil), ("http://a.localhost/", "localhost", nil),
        ("http://[::1]/", "1", nil), ("http://example.com/", "www.example.com", nil),
    ]

    @Test(arguments: accepted + refused + ofOtherServers)
    func aReceivedCookieMustBeForADomainThatContainsItsServer(place: String, domain: String, isHostOnly: Bool?) throws {
        let cookie = try received("a=1; Domain=\(domain)", from: place)
        expect(cookie?.isHostOnly, isHostOnly)
        if place == Self.foo, isHostOnly == true { expect(cookie?.domain, "foo.example.com") }
    }

    @Test(
        arguments: [
            ("Max-Age=10", 1_600_000_010), ("Max-Age=10; Expires=Wed, 09 Jun 2021 10:18:14 GMT", 1_600_000_010),
            ("Expires=Wed, 09 Jun 2021 10:18:14 GMT; Max-Age=x", 1_623_233_894), ("Expires=tomorrow", nil),
            ("Max-Age=99999999999999999999999999", 1_634_560_000), ("", nil),
            ("Expires=Wed, 09 Jun 2099 10:18:14 GMT", 1_634_560_000),
        ] as [(String, Double?)]
    )
    func maxAgeOfAReceivedCookieTakesPrecedenceOverExpires(attributes: String, seconds: Double?) throws {
        let cookie = try #require(try received("a=1; \(attributes)"))
        expect(cookie.expires?.timeIntervalSince1970, seconds)
        let past = "Expires=Thu, 01 Jan 1970 00:00:00 GMT"
        for expired in ["Max-Age=0", "Max-Age=-1", past, "Max-Age=0; Expires=1 Jan 2099 0:0:0"] {
            expect(try #require(try received("a=1; \(expired)")).isLive(at: now), false)
        }
    }

    /// The examples of RFC 6265bis §4.1.3, and hosts that a `__Host-` cookie must not name.
    @Test(
        arguments: [
            ("__Secure-SID=12345; Domain=site.example", false),
            ("__Secure-SID=12345; Domain=site.example; Secure", true),
            ("__Host-SID=12345", false), ("__Host-SID=12345; Secure", false),
            ("__Host-SID=12345; Domain=site.example", false),
            ("__Host-SID=12345; Domain=site.example; Path=/", false),
            ("__Host-SID=12345; Secure; Domain=site.example; Path=/", false),
            ("__Host-SID=12345; Secure; Path=/", true),
            ("__Http-SID=1; Secure", false), ("__Http-SID=1; HttpOnly", false),
            ("__http-SID=1; Secure; HttpOnly", true),
            ("__Host-Http-SID=1; Secure; Path=/", false), ("__Host-Http-SID=1; Secure; Path=/; HttpOnly", true),
            ("__host-SID=12345; Path=/", false), ("__HOST-SID=12345; Secure; Path=/a", false),
        ].map { ("site.example", $0, $1) }
            + [
                ("127.0.0.1", "__Host-SID=1; Secure; Path=/; Domain=127.0.0.1", false),
                ("[::1]", "__Host-SID=1; Secure; Path=/; Domain=::1", false),
                ("localhost", "__Host-SID=1; Secure; Path=/; Domain=localhost", false),
                ("127.0.0.1", "__Host-SID=1; Secure; Path=/; Domain=", true),
                ("127.0.0.1", "__Host-SID=1; Secure; Path=/", true),
            ]
    )
    func aReceivedCookieMustMeetTheRequirementsOfItsNamePrefix(host: String, text: String, isTaken: Bool) throws {
        expect((try received(text, from: "https://\(host)/") != nil), isTaken)
        expect(try received(text, from: "http://\(host)/"), nil)
    }
}

struct CookieDateTests {
    private func seconds(_ text: String) -> Double? {
        CookieDate.date(from: text.utf8)?.timeIntervalSince1970
    }

    @Test(arguments: [
        "Wed, 09 Jun 2021 10:18:14 GMT", "Wednesday, 09-Jun-21 10:18:14 GMT", "Wed Jun  9 10:18:14 2021",
        "09 Jun 2021 10:18:14", "10:18:14 09 Jun 2021", "june 9 10:18:14 2021",
        "Wed, 09-JUN-2021 10:18:14 PST", "9 jUNe 21 10:18:14 +0200", "9/Jun/2021/10:18:14",
        // The first matching token counts.
        "09 Jun Jul 2021 10 2022 10:18:14 11:18:14",
        "Wed, 9th Jun 2021 10:18:14", "9 Jun 2021y 10:18:14z", "\t9 Jun 2021;10:18:14", "09 Jun 2021 10:18:14.999",
    ])
    func cookieDatesAreReadInTheFormsThatServersWrite(text: String) {
        expect(seconds(text), 1_623_233_894)
    }

    private static let yearsOfTwoDigits: [(String, Double?)] = [
        ("1 Jan 70 00:00:00", 0.0), ("31 Dec 69 23:59:59", 3_155_759_999), ("1 Jan 99 00:00:00", 915_148_800),
        ("1 Jan 00 00:00:00", 946_684_800), ("29 Feb 2000 00:00:00", 951_782_400), ("1 Jan 1970 1:2:3", 3723),
        ("1 Jan 1601 00:00:00", -11_644_473_600), ("31 Dec 9999 23:59:59", 253_402_300_799),
        ("1 Jan 101 0:0:0 1970", nil), ("1 Jan 1600 00:00:00", nil),
    ]

    private static let incomplete = [
        "", " ", "-", "0", "Jun", "Wed, 09 Jun 2021", "09 Jun 10:18:14", "Jun 2021 10:18:14", "09 2021 10:18:14",
        "31 Jun 2021 10:18:14", "29 Feb 2021 10:18:14", "00 Jun 2021 10:18:14", "32 Jun 2021 10:18:14",
        "09 Jun 2021 24:00:00", "09 Jun 2021 10:60:00", "09 Jun 2021 10:18:60", "09 Jun 2021 10:18",
        "09 Jun 2021 10:18:", "09 Jun 2021 :18:14", "09 Jun 2021 100:18:14", "09 Jun 2021 10:118:14",
        "09 Jun 2021 10:18:114", "009 Jun 20210 10:18:14", "09 Jum 2021 10:18:14", "09 Jun 20211 10:18:14",
        "09 Jun 5 10:18:14", "٠٩ Jun 2021 10:18:14", "1623233894", "09 Jun 99999999999999999999999 10:18:14",
    ]

    @Test(arguments: yearsOfTwoDigits + incomplete.map { ($0, nil) })
    func aCookieDateNeedsAllItsPartsAndYearsMayHaveTwoDigits(text: String, expected: Double?) {
        expect(seconds(text), expected)
    }

    @Test(.longComputation) func noBytesTrapInACookieDate() {
        var generator = SeededGenerator(seed: 6265)
        let alphabet = Array("0123456789:: JanfebMAR-,\t\u{0}é".utf8) + [0xFF, 0x80]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? 0
            }
            if let date = CookieDate.date(from: bytes) { #expect(date.timeIntervalSince1970.isFinite) }
        }
    }
}
