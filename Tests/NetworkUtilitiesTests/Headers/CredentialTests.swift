import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct CredentialTests {
    @Test(.spec(23)) func aCredentialIsWrittenInItsScheme() throws {
        #expect(HeaderField.authorisation(.bearer("t")).value == "Bearer t")
        #expect(HeaderField.authorisation(.custom(scheme: "Token", "t")).value == "Token t")
        let basic = try Credential.basic(user: "Aladdin", password: "open sesame")
        #expect(HeaderField.authorisation(basic).value == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        #expect(try Credential.basic(user: "é", password: "a:b").value == "Basic w6k6YTpi")
    }

    @Test(.spec(26)) func noCredentialAddsAnotherField() {
        let credentials: [Credential] = [
            .bearer("t\r\nX-Evil: 1"), .custom(scheme: "Bearer", "t\r\nX-Evil: 1"),
            .custom(scheme: "\r\nBearer", "t\n\0X-Evil: 1"),
        ]
        for credential in credentials {
            #expect(HeaderField.authorisation(credential).value == "Bearer t  X-Evil: 1")
        }
    }

    @Test(.spec(23)) func aColonInAUserNameIsRefused() {
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
