import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct SetCookieFieldsTests {
    @Test func areThoseOfThatNameOnly() {
        let headers = ["Set-Cookie": "a=1; Secure, b=2", "Set-Cookie2": "c=3", "Cookie": "d=4"]
        #expect(SetCookieFields.values(of: .made(headers: headers)) == ["a=1; Secure", "b=2"])
        #expect(SetCookieFields.values(of: .made(headers: ["set-cookie": "a=1"])) == ["a=1"])
        #expect(SetCookieFields.values(of: .made(headers: ["SET-COOKIE": ""])) == [])
        #expect(SetCookieFields.values(of: .made()) == [])
    }
}
