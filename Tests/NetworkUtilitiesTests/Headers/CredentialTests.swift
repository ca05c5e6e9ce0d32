import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct CredentialTests {
    @Test(.spec(23, 26)) func aCredentialIsWrittenInItsSchemeAndAddsNoOtherField() throws {
        let rows: [(Credential, String)] = [
            (.bearer("t"), "Bearer t"), (.custom(scheme: "Token", "t"), "Token t"),
            (try .basic(user: "Aladdin", password: "open sesame"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            (try .basic(user: "é", password: "a:b"), "Basic w6k6YTpi"),
            (.bearer("t\r\nX-Evil: 1"), "Bearer t  X-Evil: 1"),
            (.custom(scheme: "Bearer", "t\r\nX-Evil: 1"), "Bearer t  X-Evil: 1"),
            (.custom(scheme: "\r\nBearer", "t\n\0X-Evil: 1"), "Bearer t  X-Evil: 1"),
        ]
        for (credential, value) in rows { expect(HeaderField.authorisation(credential).value, value) }
        #expect(throws: HeaderFieldError.colonInUserName) { try Credential.basic(user: "a:b", password: "") }
    }

    @Test(.spec(94)) func noTextOfACredentialShowsItsSecret() {
        let credential = Credential.bearer("s3cret")
        var dumped = ""
        dump(credential, to: &dumped)
        for text in ["\(credential)", String(reflecting: credential), dumped] {
            #expect(!text.contains("s3cret"))
        }
    }
}
