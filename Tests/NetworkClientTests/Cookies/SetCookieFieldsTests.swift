import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct SetCookieFieldsTests {
    @Test func setCookieFieldsAreReadByTheirNameOnly() {
        let headers = ["Set-Cookie": "a=1; Secure, b=2", "Set-Cookie2": "c=3", "Cookie": "d=4"]
        expect(SetCookieFields.values(of: ResponseHead(.made(headers: headers))), ["a=1; Secure", "b=2"])
        expect(SetCookieFields.values(of: ResponseHead(.made(headers: ["set-cookie": "a=1"]))), ["a=1"])
        expect(SetCookieFields.values(of: ResponseHead(.made(headers: ["SET-COOKIE": ""]))), [])
        expect(SetCookieFields.values(of: ResponseHead(.made())), [])
    }

    @Test func setCookieFieldsAreReadAsReceivedIfThatIsKnown() throws {
        var lines = ResponseHeadLines()
        for line in ["HTTP/1.1 200 OK\r\n", "Set-Cookie: a=1, b=2\r\n", "set-cookie: c=3\r\n"] {
            Array(line.utf8).withUnsafeBytes { lines.append($0) }
        }
        let head = try #require(ResponseHead(lines, url: url("https://h/"), metrics: TransportMetrics(total: 0)))
        expect(SetCookieFields.values(of: head), ["a=1, b=2", "c=3"])
    }
}

struct SetCookieSplitterTests {
    @Test(arguments: [
        ["a=1"], ["a=1", "b=2"], ["a=1; Path=/", "b=2; Secure"], ["a=1; Secure", "b=2"], ["a=1,b=2", "c=3"],
        ["a=1, 2", "b=3"], ["a=; Path=/", "b="], ["a=\"x, y=z\"", "b=1"], ["a=\"x, y=z\"; Path=/", "b=1"],
        ["a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT", "b=2"],
        ["a=1; expires=Wed, 21-Oct-15 07:28:00 GMT; Path=/", "b=2"],
        ["a=1;EXPIRES = Wednesday, 21-Oct-15 07:28:00 GMT", "b=2; Expires=Wed Oct 21 07:28:00 2015", "c=3"],
        ["a=1; Secure", "junk", "b=2"], ["a[b]=1; Path=/a,b", "c.d:e=2"], ["a={\"x\":1,\"y\":[1,2]}", "b=2"],
        ["a=\"x", "b=\"y"], ["a==", "b=="], ["a=1; Expires=0", "b=2"], ["a=1; Expires=", "b=2"], ["é=ü", "b = c"],
        ["a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT; Max-Age=1", "b=2"],
    ])
    func joinedSetCookieFieldsAreSplit(fields: [String]) {
        expect(SetCookieSplitter.split(fields.joined(separator: ", ")), fields)
    }

    @Test(arguments: [
        ("", [String]()), (", ", [","]), (",", [","]), (" a=1 ", ["a=1"]), ("a=1; Secure, ", ["a=1; Secure"]),
        ("a=b, c=d", ["a=b", "c=d"]), ("a=b, c", ["a=b, c"]), ("a=b,c=d", ["a=b,c=d"]),
    ])
    func aCommaAndASpaceBeforeACookieEndASetCookieField(joined: String, fields: [String]) {
        expect(SetCookieSplitter.split(joined), fields)
    }

    @Test func splittingSetCookieFieldsInvertsJoiningAndLosesNoByte() {
        var generator = SeededGenerator(seed: 521)
        for _ in 0..<2_000 {
            let fields = (0..<Int.random(in: 1...6, using: &generator)).map { _ in Self.field(&generator) }
            expect(SetCookieSplitter.split(fields.joined(separator: ", ")), fields)
        }
        let alphabet = ["a", "=", ";", ",", ", ", " ", "\"", "\t", "Expires=", "é", "\u{0}"]
        let isContent = { (character: Character) in !", \t".contains(character) }
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...20, using: &generator))
                .map { _ in alphabet.randomElement(using: &generator) ?? "" }.joined()
            expect(SetCookieSplitter.split(text).joined().filter(isContent), text.filter(isContent))
        }
    }

    private static func field(_ generator: inout SeededGenerator) -> String {
        let names = ["a", "__Host-id", "x.y", "$v", "Expires", "path", "21", "n[1]"]
        let values = ["", "1", "a,b", "a,b=c", "\"q\"", "\"a, b=c\"", "==", "Wed,", "x|y:z", "é"]
        let attributes = [
            "Path=/", "Path=/a,b=c", "Secure", "HttpOnly", "Domain=.example.com", "Max-Age=10", "SameSite=Lax",
            "Expires=Wed, 09 Jun 2021 10:18:14 GMT", "expires=Wednesday, 09-Jun-21 10:18:14 GMT",
            "Expires=Wed Jun  9 10:18:14 2021", "Expires=Thu, 01-Jan-1970 00:00:01 GMT", "Expires=0", "",
        ]
        var field = "\(names.randomElement(using: &generator) ?? "")=\(values.randomElement(using: &generator) ?? "")"
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            field += "; \(attributes.randomElement(using: &generator) ?? "")"
        }
        return field.hasSuffix(" ") ? String(field.dropLast()) : field
    }
}
