import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct SetCookieFieldsTests {
    @Test func areThoseOfThatNameOnly() {
        let headers = ["Set-Cookie": "a=1; Secure, b=2", "Set-Cookie2": "c=3", "Cookie": "d=4"]
        #expect(SetCookieFields.values(of: ResponseHead(.made(headers: headers))) == ["a=1; Secure", "b=2"])
        #expect(SetCookieFields.values(of: ResponseHead(.made(headers: ["set-cookie": "a=1"]))) == ["a=1"])
        #expect(SetCookieFields.values(of: ResponseHead(.made(headers: ["SET-COOKIE": ""]))) == [])
        #expect(SetCookieFields.values(of: ResponseHead(.made())) == [])
    }

    @Test func areTakenAsTheyCameIfThatIsKnown() throws {
        var lines = ResponseHeadLines()
        for line in ["HTTP/1.1 200 OK\r\n", "Set-Cookie: a=1, b=2\r\n", "set-cookie: c=3\r\n"] {
            Array(line.utf8).withUnsafeBytes { lines.append($0) }
        }
        let head = try #require(ResponseHead(lines, url: url("https://h/"), metrics: TransportMetrics(total: 0)))
        #expect(SetCookieFields.values(of: head) == ["a=1, b=2", "c=3"])
    }
}
