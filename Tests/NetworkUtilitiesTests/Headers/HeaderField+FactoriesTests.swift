@testable import NetworkUtilities

struct HeaderFieldFactoriesTests {
    @Test(.spec(22, 23, 26, 32, 33)) func aFactoryWritesItsFieldVerbatim() throws {
        let (missing, credential): (Credential?, Credential?) = (nil, .bearer("t"))
        let aladdin = try Credential.basic(user: "Aladdin", password: "open sesame")
        let weighted: [MediaType] = [.json, .xml.weighted(0.8), .any.weighted(0.1)]
        let rows: [(HeaderField, String, String?)] = [
            (.accept(type: .json), "Accept", "application/json"),
            (.accept(types: weighted), "Accept", "application/json, application/xml;q=0.8, */*;q=0.1"),
            (.accept(types: [.json]), "Accept", "application/json"), (.accept(types: []), "Accept", nil),
            (.accept(types: [MediaType("")]), "Accept", nil),
            (.accept(types: [MediaType("\r\n"), MediaType(" ")]), "Accept", nil),
            (
                .content(type: .url(useUTF8Charset: true)), "Content-Type",
                "application/x-www-form-urlencoded; charset=utf-8"
            ),
            (.content(type: .multipart(withBoundary: "b")), "Content-Type", "multipart/form-data; boundary=b"),
            (.language(value: "el-GR, en;q=0.5"), "Accept-Language", "el-GR, en;q=0.5"),
            (.custom(name: "X-A", value: "1"), "X-A", "1"),
            (.cacheControl(value: "no-cache, max-age=60"), "Cache-Control", "no-cache, max-age=60"),
            (.idempotencyKey("8e03"), "Idempotency-Key", "8e03"),
            (.idempotencyKey("\"8e03\""), "Idempotency-Key", "\"8e03\""),
            (.userAgent(value: "MyApp/1 (x) Y/2"), "User-Agent", "MyApp/1 (x) Y/2"),
            (.authorisation(auth: "some_jwt"), "Authorization", "some_jwt"),
            (.authorization(.bearer("t\r\nX-Evil: 1")), "Authorization", "Bearer t  X-Evil: 1"),
            (.authorization(.custom(scheme: "Token", "t")), "Authorization", "Token t"),
            (.authorization(.custom(scheme: "\r\nBearer", "t\n\0X-Evil: 1")), "Authorization", "Bearer t  X-Evil: 1"),
            (.authorization(try .basic(user: "é", password: "a:b")), "Authorization", "Basic w6k6YTpi"),
            (.authorization(aladdin), "Authorization", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            (.authorization(optional: credential), "Authorization", "Bearer t"),
            (try .authorization(required: credential), "Authorization", "Bearer t"),
            (.authorization(optional: missing), "Authorization", nil),
        ]
        for (field, name, value) in rows { expect([field.name, field.value], [name, value]) }
        expect(HeaderField.authorisation(auth: "some_jwt"), .authorisation(auth: "some_jwt"))
        expect(HeaderField.authorization(.bearer("t")), .authorization(.bearer("t")))
        expect(HeaderField.authorization(optional: nil), .authorization(optional: nil))
        expect(try HeaderField.authorization(required: .bearer("t")), try .authorization(required: .bearer("t")))
        #expect(throws: HeaderFieldError.colonInUserName) { try Credential.basic(user: "a:b", password: "") }
        #expect(throws: HeaderFieldError.missingCredential) { try HeaderField.authorization(required: nil) }
        #expect(throws: HeaderFieldError.missingCredential) { try HeaderField.authorization(required: nil) }
    }

    @Test(arguments: [
        (["el-GR", "en", "*"], "el-GR, en;q=0.9, *;q=0.8"), (["el"], "el"), ([], nil), (["", "é"], nil),
        (["en_US", "el", "de\r\nX: 1", "fr"], "el, fr;q=0.9"), (["zh-Hant-TW", "es-419"], "zh-Hant-TW, es-419;q=0.9"),
        (["abcdefgh-12345678"], "abcdefgh-12345678"), (["abcdefghi"], nil), (["a-abcdefghi"], nil), (["1a"], nil),
        (["en-"], nil), (["-en"], nil), (["en--us"], nil), (["*-CH"], nil), (["en;q=1"], nil), (["en,el"], nil),
        (["e n"], nil), (["**"], nil), (["-"], nil),
    ])
    func languagesAreWeightedByTheirOrder(ranges: [String], value: String?) {
        expect([HeaderField.languages(ranges).name, HeaderField.languages(ranges).value], ["Accept-Language", value])
    }

    @Test func noLanguageIsWeightedBelowATenthAndThoseOfTheSystemCanBeSent() throws {
        let weights = (1...9).map { "el;q=0.\(10 - $0)" } + Array(repeating: "el;q=0.1", count: 4)
        let field = HeaderField.languages(Array(repeating: "el", count: 14))
        expect(field.value, (["el"] + weights).joined(separator: ", "))
        let languages = Locale.preferredLanguages
        let value = try #require(HeaderField.languages(languages).value)
        #expect(value.hasPrefix(try #require(languages.first)))
        expect(value.split(separator: ",").count, languages.count)
    }

    @Test func aUserAgentIsMadeOfAProductAVersionAndAComment() {
        let rows: [(String, String?, String?, String?)] = [
            ("MyApp", "1.2", "iPhone; iOS 17", "MyApp/1.2 (iPhone; iOS 17)"), ("MyApp", nil, nil, "MyApp"),
            ("MyApp", nil, "x", "MyApp (x)"), ("MyApp", "", "", "MyApp"),
            ("My  App", "1.2 beta", nil, "My-App/1.2-beta"),
            ("Café", "1", nil, "Caf/1"), (" (My/App) ", "é", nil, "My-App"), ("Ελλάδα", "1", "x", nil),
            ("", "1", "x", nil),
            ("a\r\nX-Evil: 1", "2\r\n", "3\r\nX: 4", "a-X-Evil-1/2 (3  X: 4)"), ("é-é", nil, nil, "-"),
            ("a", nil, "(b) \\ )", "a (\\(b\\) \\\\ \\))"), ("a", nil, "é\u{0}", "a (é )"), ("a", nil, " ", "a ( )"),
        ]
        for (product, version, comment, value) in rows {
            let field = HeaderField.userAgent(product: product, version: version, comment: comment)
            expect([field.name, field.value], ["User-Agent", value])
        }
    }

    @Test(.spec(94)) func noTextOfACredentialShowsItsSecret() {
        let credential = Credential.bearer("s3cret")
        var dumped = ""
        dump(credential, to: &dumped)
        for text in ["\(credential)", String(reflecting: credential), dumped] {
            expect(text, lacks: "s3cret")
        }
    }
}
