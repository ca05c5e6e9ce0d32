import Foundation
import Testing

@testable import NetworkUtilities

struct HTTPTokenTests {
    @Test func knowsEveryByte() {
        let allowed = Set("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        for byte in UInt8.min...UInt8.max {
            #expect(HTTPToken.isTokenCharacter(byte) == allowed.contains(byte))
        }
    }

    @Test(arguments: [
        ("a", true), ("Content-Type", true), (String(repeating: "x", count: 100), true), ("", false), ("a b", false),
        ("é", false), ("a\u{0}", false), ("\n", false), (String(repeating: "x", count: 100) + ":", false),
    ])
    func readsTextsOfAnyStorage(text: String, isToken: Bool) {
        #expect(HTTPToken.isValid(text) == isToken)
        #expect(HTTPToken.isValid(NSString(string: text) as String) == isToken)
    }
}
