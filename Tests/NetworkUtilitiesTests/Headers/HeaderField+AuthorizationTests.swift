import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct HeaderFieldAuthorizationTests {
    @Test(.spec(22)) func addsNoPrefixToAnAuthorisation() {
        let field = HeaderField.authorisation(auth: "some_jwt")
        #expect(field.name == "Authorization")
        #expect(field.value == "some_jwt")
    }

    @Test(.spec(32)) func writesACredentialThatIsThere() throws {
        let credential: Credential? = .bearer("t")
        for field in [.authorisation(optional: credential), try HeaderField.authorisation(required: credential)] {
            #expect(field == .authorisation(.bearer("t")))
            #expect(field.name == "Authorization" && field.value == "Bearer t")
        }
    }

    @Test(.spec(32)) func refusesARequestWithoutTheCredentialThatItRequires() {
        #expect(throws: HeaderFieldError.missingCredential) { try HeaderField.authorisation(required: nil) }
    }

    @Test(.spec(32)) func leavesOutACredentialThatIsOptional() {
        #expect(HeaderField.authorisation(optional: nil).value == nil)
    }
}
