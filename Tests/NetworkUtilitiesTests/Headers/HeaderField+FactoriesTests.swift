import NetworkTestSupport
import Foundation
import Testing

@testable import NetworkUtilities

struct HeaderFieldFactoriesTests {
    @Test func aFactoryWritesItsFieldVerbatim() {
        #expect(HeaderField.cacheControl(value: "no-cache, max-age=60").name == "Cache-Control")
        #expect(HeaderField.cacheControl(value: "no-cache, max-age=60").value == "no-cache, max-age=60")
        #expect(HeaderField.idempotencyKey("8e03").name == "Idempotency-Key")
        #expect(HeaderField.idempotencyKey("8e03").value == "8e03")
        #expect(HeaderField.idempotencyKey("\"8e03\"").value == "\"8e03\"")
    }

    @Test(.spec(26), arguments: ["a\r\nX-Evil: 1", "a\n\nX-Evil: 1", "a\u{0}\u{0}X-Evil: 1"])
    func noFactoryAddsAnotherField(value: String) {
        let type = MediaType(value)
        let fields: [HeaderField] = [
            .cacheControl(value: value), .idempotencyKey(value), .userAgent(value: value), .accept(types: [type]),
        ]
        for field in fields {
            #expect(field.value == "a  X-Evil: 1")
        }
    }
}

struct HeaderFieldAuthorizationTests {
    @Test(.spec(22)) func bothSpellingsOfAuthorizationMakeTheSameField() throws {
        #expect(HeaderField.authorization(auth: "some_jwt") == .authorisation(auth: "some_jwt"))
        #expect(HeaderField.authorization(.bearer("t")) == .authorisation(.bearer("t")))
        #expect(HeaderField.authorization(optional: nil) == .authorisation(optional: nil))
        #expect(try HeaderField.authorization(required: .bearer("t")) == .authorisation(required: .bearer("t")))
        #expect(throws: HeaderFieldError.missingCredential) { try HeaderField.authorization(required: nil) }
    }

    @Test(.spec(22)) func aCompleteAuthorisationIsSentVerbatim() {
        let field = HeaderField.authorisation(auth: "some_jwt")
        #expect(field.name == "Authorization")
        #expect(field.value == "some_jwt")
    }

    @Test(.spec(32)) func anOptionalOrRequiredCredentialIsSent() throws {
        let credential: Credential? = .bearer("t")
        for field in [.authorisation(optional: credential), try HeaderField.authorisation(required: credential)] {
            #expect(field == .authorisation(.bearer("t")))
            #expect(field.name == "Authorization" && field.value == "Bearer t")
        }
    }

    @Test(.spec(32)) func aMissingRequiredCredentialIsAnError() {
        #expect(throws: HeaderFieldError.missingCredential) { try HeaderField.authorisation(required: nil) }
    }

    @Test(.spec(32)) func aMissingOptionalCredentialIsLeftOut() {
        #expect(HeaderField.authorisation(optional: nil).value == nil)
    }
}

struct HeaderFieldNegotiationTests {
    @Test func acceptListsTheTypesWithTheirWeights() {
        let field = HeaderField.accept(types: [.json, .xml.weighted(0.8), .any.weighted(0.1)])
        #expect(field.name == "Accept")
        #expect(field.value == "application/json, application/xml;q=0.8, */*;q=0.1")
        #expect(HeaderField.accept(types: [.json]).value == "application/json")
    }

    @Test(arguments: [[], [MediaType("")], [MediaType("\r\n"), MediaType(" ")]])
    func acceptIsLeftOutWithoutTypes(types: [MediaType]) {
        #expect(HeaderField.accept(types: types).value == nil)
    }

    @Test(arguments: [
        (["el-GR", "en", "*"], "el-GR, en;q=0.9, *;q=0.8"), (["el"], "el"), ([], nil), (["", "é"], nil),
        (["en_US", "el", "de\r\nX: 1", "fr"], "el, fr;q=0.9"), (["zh-Hant-TW", "es-419"], "zh-Hant-TW, es-419;q=0.9"),
        (["abcdefgh-12345678"], "abcdefgh-12345678"), (["abcdefghi"], nil), (["a-abcdefghi"], nil), (["1a"], nil),
        (["en-"], nil), (["-en"], nil), (["en--us"], nil), (["*-CH"], nil), (["en;q=1"], nil), (["en,el"], nil),
        (["e n"], nil), (["**"], nil), (["-"], nil),
    ])
    func languagesAreWeightedByTheirOrder(ranges: [String], value: String?) {
        let field = HeaderField.languages(ranges)
        #expect(field.name == "Accept-Language")
        #expect(field.value == value)
    }

    @Test func noLanguageIsWeightedBelowATenth() {
        let field = HeaderField.languages(Array(repeating: "el", count: 14))
        let weights = (1...9).map { "el;q=0.\(10 - $0)" } + Array(repeating: "el;q=0.1", count: 4)
        #expect(field.value == (["el"] + weights).joined(separator: ", "))
    }

    @Test func theLanguagesOfTheSystemCanBeSent() throws {
        let languages = Locale.preferredLanguages
        let value = try #require(HeaderField.languages(languages).value)
        #expect(value.hasPrefix(try #require(languages.first)))
        #expect(value.split(separator: ",").count == languages.count)
    }
}

struct HeaderFieldUserAgentTests {
    @Test(
        arguments: [
            ("MyApp", "1.2", "iPhone; iOS 17", "MyApp/1.2 (iPhone; iOS 17)"), ("MyApp", nil, nil, "MyApp"),
            ("MyApp", nil, "x", "MyApp (x)"), ("MyApp", "", "", "MyApp"),
            ("My  App", "1.2 beta", nil, "My-App/1.2-beta"),
            ("Café", "1", nil, "Caf/1"), (" (My/App) ", "é", nil, "My-App"), ("Ελλάδα", "1", "x", nil),
            ("", "1", "x", nil),
            ("a\r\nX-Evil: 1", "2\r\n", "3\r\nX: 4", "a-X-Evil-1/2 (3  X: 4)"), ("é-é", nil, nil, "-"),
            ("a", nil, "(b) \\ )", "a (\\(b\\) \\\\ \\))"), ("a", nil, "é\u{0}", "a (é )"), ("a", nil, " ", "a ( )"),
        ] as [(String, String?, String?, String?)]
    )
    func aUserAgentIsMadeOfAProductAVersionAndAComment(
        product: String,
        version: String?,
        comment: String?,
        value: String?
    ) {
        let field = HeaderField.userAgent(product: product, version: version, comment: comment)
        #expect(field.name == "User-Agent")
        #expect(field.value == value)
    }

    @Test func aCompleteUserAgentIsSentVerbatim() {
        #expect(HeaderField.userAgent(value: "MyApp/1 (x) Y/2").value == "MyApp/1 (x) Y/2")
        #expect(HeaderField.userAgent(value: "a\r\nX: 1").value == "a  X: 1")
    }
}
