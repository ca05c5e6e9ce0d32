import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CookieCodableTests {
    @Test func comesBackAsItWas() throws {
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
        #expect(try JSONDecoder().decode([Cookie].self, from: JSONEncoder().encode(cookies)) == cookies)
    }

    @Test func comesBackThoughItsServerBrokeTheGrammar() throws {
        let store = CookieStore(now: { Date(timeIntervalSince1970: 0) })
        store.receive([#"a[é]= x, "y\z ; Max-Age=10; Path=/ü"#], from: url("http://h/"))
        let cookies = store.cookies
        #expect(cookies.first?.value == #"x, "y\z"#)
        #expect(try JSONDecoder().decode([Cookie].self, from: JSONEncoder().encode(cookies)) == cookies)
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
    func refusesWhatNoStoreWouldHaveKept(key: String, json: String) throws {
        var fields = [
            "name": #""a""#, "value": #""s3cret""#, "domain": #""h.example""#, "isHostOnly": "false", "path": #""/""#,
            "isSecure": "false", "isHTTPOnly": "false", "sameSite": #""Default""#,
        ]
        let text = { "{" + fields.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}" }
        #expect(try JSONDecoder().decode(Cookie.self, from: Data(text().utf8)).domain == "h.example")
        fields[key] = json
        #expect {
            try JSONDecoder().decode(Cookie.self, from: Data(text().utf8))
        } throws: { error in
            guard case DecodingError.dataCorrupted(let context) = error else { return false }
            return context.underlyingError is InvalidCookie && !context.debugDescription.contains("s3cret;")
                && !context.debugDescription.contains("s3cret\\")
        }
    }
}
