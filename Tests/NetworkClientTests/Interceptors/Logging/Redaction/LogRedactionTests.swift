import Foundation
import NetworkTestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import NetworkClient

struct LogRedactionTests {
    static let sensitiveFields = [
        "token", "access_token", "accessToken", "ACCESS-TOKEN", "api_key", "apikey", "key", "secret", "password",
        "passwd",
        "pwd", "signature", "sig", "code", "client_secret", "refresh_token", "id_token", "session", "auth",
        "newPassword",
        "code_verifier", "SAMLResponse", "hmac", "ticket", "auth_key", "authCode", "otpCode", "pinCode", "totp",
        "recoveryCode", "encryptionKey", "masterKey", "user[password]", "user[pin]", "login.otp", "X-Amz-Signature",
        "jsessionid",
    ]

    @Test(arguments: sensitiveFields)
    func hidesFieldsThatAreKnownToBeSecret(name: String) {
        #expect(LogRedaction.sensitive.hides(field: name))
    }

    @Test(arguments: ["page", "keyword", "country_code", "author", "monkey", "sessions", "", "é", "signal"])
    func showsOtherFields(name: String) {
        #expect(!LogRedaction.sensitive.hides(field: name))
    }

    @Test(.spec(151)) func hidesEverythingButWhatIsAllowed() {
        let redaction = LogRedaction.allowing(["page", "Content-Type", "createdAt"])
        #expect(!redaction.hides(field: "page"))
        #expect(!redaction.hides(field: "created_at"))
        #expect(!redaction.hides(header: "content-type"))
        #expect(redaction.hides(field: "name"))
        #expect(redaction.hides(header: "Accept"))
    }

    @Test func canBeWidenedAndNarrowed() {
        let redaction = LogRedaction.sensitive.masking(["customer_id"]).showing(["code"])
        #expect(redaction.hides(field: "customerId"))
        #expect(redaction.hides(header: "Customer-ID"))
        #expect(!redaction.hides(field: "code"))
        #expect(redaction.masking(["code"]).hides(field: "code"))
        #expect(!redaction.showing(["customer_id"]).hides(field: "customer_id"))
    }

    @Test func showsEverythingOnlyWhenAskedTo() {
        #expect(!LogRedaction.showingEverything.hides(header: "Authorization"))
        #expect(!LogRedaction.showingEverything.hides(field: "password"))
        #expect(LogRedaction.showingEverything.masking(["password"]).hides(field: "password"))
    }
}
