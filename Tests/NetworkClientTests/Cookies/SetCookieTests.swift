import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct SetCookieTests {
    @Test(arguments: [
        ("a=b", "a", "b"), ("a=", "a", ""), ("a==", "a", "="), ("a=b=c", "a", "b=c"), (" a \t=\t b c ", "a", "b c"),
        ("a=\"b c\"", "a", "\"b c\""), ("a=b;", "a", "b"), ("a=b,c=d", "a", "b,c=d"), ("a b=c", "a b", "c"),
        ("a=b;;;", "a", "b"), ("é=ü", "é", "ü"), ("a[b]=1", "a[b]", "1"), ("a=b ; Secure", "a", "b"), ("A=b", "A", "b"),
    ])
    func takesNameAndValueAsTheyStand(text: String, name: String, value: String) {
        let field = SetCookie(text)
        #expect(field?.name == name)
        #expect(field?.value == value)
    }

    @Test(arguments: [
        "", ";", "=", "=b", " =b", "a", "a; b=c", "; a=b", "a\u{0}=b", "a=b\u{0}c", "a=b\r\nc", "a=b\nSet-Cookie: c=d",
        "a=b\u{7F}", "a=b; Path=/\u{1}", "\u{1B}=b",
    ])
    func setsNothingWithoutANameOrWithAControlCharacter(text: String) {
        #expect(SetCookie(text) == nil)
    }

    @Test(.longComputation) func isNoLongerThanACookie() {
        let name = String(repeating: "n", count: 96)
        #expect(SetCookie(name + "=" + String(repeating: "v", count: 4000)) != nil)
        #expect(SetCookie(name + "=" + String(repeating: "v", count: 4001)) == nil)
        #expect(SetCookie(name + "=" + String(repeating: "é", count: 2001)) == nil)
        #expect(SetCookie("a=" + String(repeating: "v", count: 1 << 20)) == nil)
        #expect(SetCookie("a=1" + String(repeating: ";", count: 1 << 20) + "Secure")?.isSecure == true)
    }

    @Test func readsEveryAttributeWhateverItsCaseAndSpaces() {
        let text = "a=1;domain = .Example.com ; PATH=/x;max-age=10;eXpires=Wed, 09 Jun 2021 10:18:14 GMT;"
        let field = SetCookie(text + "secure=no; HTTPONLY ;samesite=STRICT; Other=x; Priority=High")
        #expect(field?.domain == "Example.com")
        #expect(field?.path == "/x")
        #expect(field?.maxAge == 10)
        #expect(field?.expires == Date(timeIntervalSince1970: 1_623_233_894))
        #expect(field?.isSecure == true)
        #expect(field?.isHTTPOnly == true)
        #expect(field?.sameSite == .strict)
    }

    @Test func hasNoneOfThemByDefault() {
        let field = SetCookie("a=1; Secured; Http Only; Max-Age; Expires; ſecure")
        #expect(field?.domain == nil && field?.path == nil && field?.maxAge == nil && field?.expires == nil)
        #expect(field?.isSecure == false && field?.isHTTPOnly == false && field?.sameSite == .default)
    }

    @Test func takesTheLastOfTwo() {
        let field = SetCookie(
            "a=1; Path=/x; Path=; Domain=a.b; Domain=c.d; Max-Age=1; Max-Age=2; SameSite=Lax; SameSite=x"
        )
        #expect(field?.path == "")
        #expect(field?.domain == "c.d")
        #expect(field?.maxAge == 2)
        #expect(field?.sameSite == .default)
    }

    @Test(
        arguments: [
            ("10", 10), ("0", 0), ("-1", 0), ("-0", 0), ("007", 7), ("", nil), ("-", nil), ("+1", nil), ("1.5", nil),
            ("1e3", nil), ("1 0", nil), ("٣", nil), ("\"1\"", nil), ("9223372036854775808", 1e15),
            ("-99999999999999999999999", 0), (String(repeating: "9", count: 1000), 1e15),
            (String(repeating: "0", count: 1000) + "5", 5),
        ] as [(String, Double?)]
    )
    func readsMaxAgeOfAnyLength(text: String, seconds: Double?) {
        #expect(SetCookie("a=1; Max-Age=\(text)")?.maxAge == seconds)
    }

    @Test(arguments: ["Max-Age=5; Max-Age=x", "Expires=Wed, 09 Jun 2021 10:18:14 GMT; Expires=soon"])
    func passesOverWhatItCannotRead(text: String) {
        let field = SetCookie("a=1; \(text)")
        #expect(field?.maxAge == 5 || field?.expires != nil)
    }

    @Test func passesOverAttributesThatAreTooLong() {
        let long = String(repeating: "a", count: 1024)
        #expect(SetCookie("a=1; Path=/\(long.dropLast())")?.path?.utf8.count == 1024)
        #expect(SetCookie("a=1; Path=/\(long)")?.path == nil)
        #expect(SetCookie("a=1; Domain=\(long)b")?.domain == nil)
    }
}
