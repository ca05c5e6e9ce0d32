import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CookieTests {
    @Test func aCookieIsHostOnlyForEveryPathAndOfTheSessionByDefault() throws {
        let cookie = try Cookie(name: "id", value: "1", domain: "Example.COM")
        expectAll((cookie.domain, cookie.path), ("example.com", "/"))
        expectAll((cookie.isHostOnly, cookie.expires), (true, nil))
        expectAll((cookie.isSecure, cookie.isHTTPOnly, cookie.sameSite), (false, false, .default))
        expect(try Cookie(name: "a", value: "", domain: ".example.com", isHostOnly: false).domain, "example.com")
        expect(try Cookie(name: "a", value: "", domain: "[::1]").domain, "::1")
    }

    @Test(.spec(94)) func aCookieNeverShowsItsValue() throws {
        let cookie = try Cookie(name: "id", value: "s3cret", domain: "example.com", isHostOnly: false, path: "/a")
        expect("\(cookie)", "Cookie 'id' of *.example.com/a")
        expect(try "\(Cookie(name: "id", value: "s3cret", domain: "h"))", "Cookie 'id' of h/")
        let store = CookieStore(cookies: [cookie])
        expect("\(store)", "CookieStore (cookies: 1)")
        for shown in [cookie, [cookie], Cookie?.some(cookie) as Any, ["k": cookie], store] as [Any] {
            var dumped = ""
            dump(shown, to: &dumped)
            for text in [dumped, "\(shown)", String(reflecting: shown)] { expect(text, lacks: "s3cret") }
        }
    }

    @Test func aCookieExpiresAtItsDateAndIsTheSameIfNameDomainAndPathAre() throws {
        let date = Date(timeIntervalSince1970: 100)
        let cookie = try Cookie(name: "a", value: "1", domain: "h.example", expires: date)
        #expect(cookie.isLive(at: date - 0.001) && !cookie.isLive(at: date))
        #expect(try Cookie(name: "a", value: "", domain: "h").isLive(at: .distantFuture))
        let never = try Cookie(name: "a", value: "", domain: "h", expires: Date(timeIntervalSince1970: .nan))
        #expect(!never.isLive(at: date))
        #expect(try cookie.isSame(as: Cookie(name: "a", value: "2", domain: "H.example", isSecure: true)))
        #expect(try !cookie.isSame(as: Cookie(name: "A", value: "1", domain: "h.example")))
        #expect(try !cookie.isSame(as: Cookie(name: "a", value: "1", domain: "h.example", path: "/x")))
        #expect(try !cookie.isSame(as: Cookie(name: "a", value: "1", domain: "h.example", isHostOnly: false)))
    }
}

struct CookieValidationTests {
    private func error(
        name: String = "a",
        value: String = "1",
        domain: String = "example.com",
        isHostOnly: Bool = true,
        path: String = "/",
        isSecure: Bool = false
    ) -> CookieError? {
        do throws(CookieError) {
            _ = try Cookie(
                name: name,
                value: value,
                domain: domain,
                isHostOnly: isHostOnly,
                path: path,
                isSecure: isSecure
            )
            return nil
        } catch {
            return error
        }
    }

    @Test(
        arguments: ["", "a b", "a=b", "a;b", "a,b", "é", "a\u{0}", "a\r\n", "\"a\"", "a[1]"].map { ($0, false) }
            // Without a known prefix, a name requires no attributes.
            + ["__Secure", "Secure-a", "__Hostess", "_Host-a", "a__Host-"].map { ($0, true) }
    )
    func aCookieNameMustBeAToken(name: String, isValid: Bool) {
        expect(error(name: name), (isValid ? nil : .name(name)))
    }

    @Test(
        .spec(94),
        arguments: [
            " ", "a b", "a\tb", "a;b", "a,b", "a\\b", "a\"b", "\"", "\"a", "a\"", "\"a\"b\"", "\"a b\"", "é", "\u{0}",
            "a\r\nb", "\u{7F}", "\u{1F600}",
        ].map { ($0, false) }
            + ["", "\"\"", "\"a\"", "a=b=", "!#$%&'()*+-./:<=>?@[]^_`{|}~", "%20"].map { ($0, true) }
    )
    func aCookieValueMustFollowTheGrammar(value: String, isValid: Bool) {
        expect(error(value: value), (isValid ? nil : .value(name: "a")))
    }

    @Test func aCookieThatIsTooLongIsInvalidAndItsPathMustBeAbsolute() {
        expect(error(value: String(repeating: "v", count: 4095)), nil)
        expect(error(value: String(repeating: "v", count: 4096)), .length(4097))
        expect(error(name: String(repeating: " ", count: 1 << 20), value: ""), .length(1 << 20))
        expect(error(path: "/" + String(repeating: "p", count: 1023)), nil)
        let tooLong = "/" + String(repeating: "p", count: 1024)
        for path in [tooLong, "", "a", "a/b", "/a;b", "/a b", "/é", "/\u{0}", "/\n"] {
            expect(error(path: path), .path(name: "a"))
        }
    }

    @Test(
        arguments: ["", "a b", "https://h", "h:80", "h/p", "müller.de", "h;", "a\u{0}b", "."].map { ($0, false) }
            // A host without hosts below cannot share a cookie.
            + ["com", "localhost", "127.0.0.1", "::1", "com.", "127.1"].map { ($0, true) }
    )
    func aCookieDomainMustBeAHostAndHaveHostsBelowIfTheCookieIsShared(domain: String, isHost: Bool) {
        expect(error(domain: domain), (isHost ? nil : .domain(domain, name: "a")))
        if isHost { expect(error(domain: domain, isHostOnly: false), .sharedDomain(domain, name: "a")) }
    }

    @Test(arguments: ["__Secure-a", "__Host-a", "__secure-a", "__HOST-a"])
    func theNamePrefixOfACookieRequiresItsAttributes(name: String) {
        expect(error(name: name), .prefix(name: name))
        expect(error(name: name, isSecure: true), nil)
        let isHost = name.lowercased().hasPrefix("__host-")
        expect(error(name: name, path: "/a", isSecure: true), (isHost ? .prefix(name: name) : nil))
        expect(error(name: name, isHostOnly: false, isSecure: true), (isHost ? .prefix(name: name) : nil))
    }
}

struct InvalidCookieTests {
    private static let sentences: [(CookieError, String)] = [
        (.name("a\nb"), #"The cookie name "a\nb" is not a token: use letters, digits and !#$%&'*+-.^_`|~ only."#),
        (
            .value(name: "id"),
            #"""
            The value of the cookie 'id' contains a space, a control character, a non-ASCII character or one of the \#
            characters ",;\, which cookie values can't contain.
            """#
        ),
        (.length(5000), "A cookie of 5000 bytes is too long: name and value can have at most 4096 bytes together."),
        (.domain("h/p", name: "id"), #"The domain "h/p" of the cookie 'id' is not a host."#),
        (
            .sharedDomain("com", name: "id"),
            """
            The cookie 'id' can't be shared with the hosts below "com", which is an address or has a single label.
            """
        ),
        (
            .path(name: "id"),
            """
            The path of the cookie 'id' does not begin with a slash, has more than 1024 bytes or contains characters \
            that a path can't contain.
            """
        ),
        (
            .prefix(name: "__Host-id"),
            """
            The cookie '__Host-id' does not meet the requirements of its name: '__Secure-' requires a secure cookie, \
            '__Host-' also a single host and the path '/'.
            """
        ),
    ]

    @Test(.spec(94), arguments: sentences)
    func theErrorOfAnInvalidCookieSaysWhatIsWrong(error: CookieError, sentence: String) {
        expect("\(error)", sentence)
        expect(error.localizedDescription, sentence)
    }
}

struct CookieCodableTests {
    @Test func aCookieSurvivesEncodingAndDecodingEvenIfItBreaksTheGrammar() throws {
        let store = CookieStore(on: TestClock(date: Date(timeIntervalSince1970: 0)))
        store.receive([#"a[é]= x, "y\z ; Max-Age=10; Path=/ü"#], from: url("http://h/"), on: SystemTimeSource())
        expect(store.cookies.first?.value, #"x, "y\z"#)
        let cookies = [
            try Cookie(name: "a", value: "1", domain: "h"),
            try Cookie(
                name: "__Secure-b",
                value: "\"2\"",
                domain: "example.com",
                isHostOnly: false,
                path: "/p",
                expires: Date(timeIntervalSince1970: 1_623_233_894.5),
                isSecure: true,
                isHTTPOnly: true,
                sameSite: .lax
            ),
        ]
        let all = cookies + store.cookies
        expect(try JSONDecoder().decode([Cookie].self, from: JSONEncoder().encode(all)), all)
    }

    @Test func theSameSiteAttributeIsReadInAnyLetterCaseAndIsAWordInJSON() throws {
        let table: [(String, Cookie.SameSite)] = [
            ("Strict", .strict), ("lax", .lax), ("NONE", .none), ("", .default), ("Loose", .default),
        ]
        for (text, sameSite) in table { expect(SetCookie("a=1; SameSite=\(text)")?.sameSite, sameSite) }
        let data = try JSONEncoder().encode([Cookie.SameSite.lax, .init(rawValue: "Other")])
        expect(String(decoding: data, as: UTF8.self), #"["Lax","Other"]"#)
        expect(try JSONDecoder().decode([Cookie.SameSite].self, from: data).first, .lax)
    }

    @Test(
        .spec(94),
        arguments: [
            ("name", #""""#), ("name", #""a=b""#), ("name", #""a;b""#), ("value", #""s3cret;""#),
            ("value", #""s3cret\u0000""#), ("value", #""s3cret\r\nX: y""#), ("domain", #""H.example""#),
            ("domain", #""a b""#),
            ("domain", #""com""#), ("path", #""a""#), ("path", #""/\n""#), ("name", #""__Host-s3cret-is-no-name""#),
        ]
    )
    func decodingFailsForACookieThatNoStoreWouldHaveKept(key: String, json: String) throws {
        var fields = [
            "name": #""a""#, "value": #""s3cret""#, "domain": #""h.example""#, "isHostOnly": "false", "path": #""/""#,
            "isSecure": "false", "isHTTPOnly": "false", "sameSite": #""Default""#,
        ]
        let text = { "{" + fields.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}" }
        expect(try JSONDecoder().decode(Cookie.self, from: Data(text().utf8)).domain, "h.example")
        fields[key] = json
        #expect {
            try JSONDecoder().decode(Cookie.self, from: Data(text().utf8))
        } throws: { error in
            guard case DecodingError.dataCorrupted(let context) = error else { return false }
            return context.underlyingError is CookieError && !context.debugDescription.contains("s3cret;")
                && !context.debugDescription.contains("s3cret\\")
        }
    }
}
