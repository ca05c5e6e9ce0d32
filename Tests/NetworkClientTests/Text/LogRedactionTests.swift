import NetworkTestSupport
import Foundation
import Testing

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
    func fieldsThatAreKnownToBeSecretAreHidden(name: String) {
        #expect(LogRedaction.sensitive.hides(name))
    }

    @Test(arguments: ["page", "keyword", "country_code", "author", "monkey", "sessions", "", "é", "signal"])
    func fieldsThatAreNotKnownToBeSecretAreShown(name: String) {
        #expect(!LogRedaction.sensitive.hides(name))
    }

    @Test(.spec(151)) func everythingButAllowedNamesIsHidden() {
        let redaction = LogRedaction.allowing(["page", "Content-Type", "createdAt"])
        #expect(!redaction.hides("page"))
        #expect(!redaction.hides("created_at"))
        #expect(!redaction.hides("content-type"))
        #expect(redaction.hides("name"))
        #expect(redaction.hides("Accept"))
    }

    @Test func aRedactionCanBeWidenedAndNarrowed() {
        let redaction = LogRedaction.sensitive.masking(["customer_id"]).showing(["code"])
        #expect(redaction.hides("customerId"))
        #expect(redaction.hides("Customer-ID"))
        #expect(!redaction.hides("code"))
        #expect(redaction.masking(["code"]).hides("code"))
        #expect(!redaction.showing(["customer_id"]).hides("customer_id"))
    }

    @Test func everythingIsShownOnRequestOnly() {
        #expect(!LogRedaction.showingEverything.hides("Authorization"))
        #expect(!LogRedaction.showingEverything.hides("password"))
        #expect(LogRedaction.showingEverything.masking(["password"]).hides("password"))
    }
}

struct LogRedactionURLTests {
    @Test(
        .spec(151),
        arguments: [
            "https://api.example.com", "http://a.example/token/secret_1~2.x-y/", "https://bearer/basic//password",
            "https://user:pw@a.example/x", "http://token:8080/", "https://a.example/token=1", "https://a.example/a%3Db",
            "https://a.example/bearer%20abc1", "https://a.example/x;key=v", "ftp://token:1/", "HTTP://a.example/",
        ],
        [
            LogRedaction.sensitive, .allowing(["page"]), .sensitive.masking(["https"]),
            .sensitive.masking(["HTTP", "x"]),
        ]
    )
    func theFastPathForPlainURLsShowsWhatTheMaskShows(text: String, redaction: LogRedaction) {
        expect(redaction.text(of: url(text)), redaction.maskedText(url(text).absoluteString))
    }

    @Test(
        .spec(151),
        arguments: [
            ("https://a.example/items?page=1", "https://a.example/items?page=1"),
            ("https://a.example/?page=1&token=abc&x=", "https://a.example/?page=1&token=***&x="),
            ("https://a.example/?Access_Token=abc", "https://a.example/?Access_Token=***"),
            ("https://a.example/?pass%77ord=abc&a%5Bkey%5D=b", "https://a.example/?pass%77ord=***&a%5Bkey%5D=***"),
            ("https://a.example/?token=a=b?c/d", "https://a.example/?token=***"),
            ("https://a.example/?flag&&q=a%20b", "https://a.example/?flag&&q=a%20b"),
            ("https://ada:s3cr3t@a.example/x@y", "https://***@a.example/x@y"),
            ("https://s3cr3t@a.example", "https://***@a.example"),
            ("https://a.example/x;jsessionid=abc/y", "https://a.example/x;jsessionid=***"),
            ("https://a.example/cb#access_token=abc", "https://a.example/cb"),
            ("https://a.example/?a=1#/?token=abc", "https://a.example/?a=1"),
            ("https://a.example/?next=https%3A%2F%2Fb.example%2F%3Fcode%3Dabc&p=1", "https://a.example/?next=***&p=1"),
            ("https://a.example/?a=1;token=abc&p=x%20y", "https://a.example/?a=***&p=x%20y"),
            ("mailto:ada@a.example", "mailto:***@a.example"),
            ("http:ada:s3cr3t@a.example/x?token=s3cr3t", "http:***@a.example/x?token=***"),
            ("ada:s3cr3t@a.example/x", "ada:***@a.example/x"), ("ada:s3?cr#3t@a.example", "ada:***@a.example"),
            ("items/x@y", "items/x@y"),
            ("https://a.example/?state=open&zipcode=1", "https://a.example/?state=open&zipcode=1"),
            ("https://a.example/?client_id=a&state=s3cr3t", "https://a.example/?client_id=a&state=***"),
            ("https://a.example/?state=s3cr3t&code=s3cr3t", "https://a.example/?state=***&code=***"),
            ("//ada:s3cr3t@a.example/x", "//***@a.example/x"),
            ("https://a.example/?p=%7B%22pin%22%3A1%7D&b=%5B%5D", "https://a.example/?p=***&b=%5B%5D"),
        ]
    )
    func secretsInAURLAreMasked(url: String, text: String) throws {
        expect(LogRedaction.sensitive.text(of: try #require(URL(string: url))), text)
    }

    @Test(arguments: [
        (#"payload={"token": "s3&cr3t"}&a=1"#, #"payload={"token": "***"}&a=1"#),
        (#"{"token":"s3=cr&3t","a":"b"}"#, #"{"token":"***","a":"b"}"#),
        (#"{"a":"b=c","token":"s3cr3t"}"#, #"{"a":"b=c","token":"***"}"#),
        ("Bearer+s3cr3t", "***"),
        ("a=Bearer+s3cr3t&b=c", "a=***&b=c"),
    ])
    func secretsAreMaskedInAFormThatIsInvalid(form: String, masked: String) {
        expect(LogRedaction.sensitive.maskedQuery(form), masked)
    }

    @Test(.spec(151)) func onlyAllowedQueryItemsAreShown() throws {
        let url = try #require(URL(string: "https://u@a.example/p?page=1&q=ada&flag"))
        expect(LogRedaction.allowing(["page"]).text(of: url), "https://***@a.example/p?page=1&q=***&***")
        expect(LogRedaction.showingEverything.text(of: url), url.absoluteString)
    }

    @Test(
        .spec(151),
        arguments: [
            (.sensitive.masking(["customer_id"]), "page=1&customerId=7", "page=1&customerId=***"),
            (.showingEverything.masking(["page"]), "page=1&token=a", "page=***&token=a"),
            (.sensitive.showing(["token"]), "page=1&token=a", "page=1&token=a"),
            (.allowing(["page"]), "page=1&id=2", "page=1&id=***"), (.allowing(["page"]), "=x", "=***"),
            (.allowing(["page"]), "page=1", "page=1"),
            (.sensitive, "page=1&state=a&code=b", "page=1&state=***&code=***"),
            (.sensitive, "page=1&state=open", "page=1&state=open"), (.sensitive, "page=1&pin=", "page=1&pin=***"),
        ] as [(LogRedaction, String, String)]
    )
    func theNamesOfARedactionHoldForShortWords(redaction: LogRedaction, query: String, text: String) {
        expect(redaction.text(of: url("https://a.example/items?\(query)")), "https://a.example/items?\(text)")
    }

    @Test(arguments: ["%", "%4", "%zz", "a%", "%ff%fe", "%%41"])
    func invalidEscapesAreReadAsText(text: String) {
        #expect(!LogRedaction.decoded(text).isEmpty)
        #expect(LogRedaction.sensitive.maskedQuery("\(text)=1").hasSuffix("=1"))
    }
}

struct HeaderMasksTests {
    private func shown(_ value: String, of name: String, _ masks: HeaderMasks...) -> String {
        LogRedaction.sensitive.shown(value, of: name, masks: masks)
    }

    @Test(.spec(149), arguments: ["X-Customer", "x-customer", "X-CUSTOMER"])
    func aHeaderMaskAppliesInAnyLetterCase(name: String) {
        expect(shown("Ada", of: name, .has(name: "X-Customer")), "***")
        expect(shown("Ada", of: name, .contains(name: "CUST")), "***")
        expect(shown("Ada", of: name, .has(name: "Customer")), "Ada")
    }

    @Test func aHeaderMaskShowsTheResultOfItsClosure() {
        let mask = HeaderMasks.has(name: "Authorization") { String($0.prefix(6)) + "…" }
        expect(shown("Bearer s3cr3t", of: "authorization", mask), "Bearer…")
        expect(shown("Basic s3cr3t", of: "Proxy-Authorization", mask), "***")
    }

    @Test func severalHeaderMasksAreAppliedInOrder() {
        let first = HeaderMasks.has(name: "X-A") { String($0.prefix(2)) }
        expect(shown("s3cr3t", of: "X-A", first, .contains(name: "a")), "***")
        expect(shown("s3cr3t", of: "X-A", .contains(name: "a"), first), "**")
    }

    @Test func aHeaderMaskHidesTheLengthOfAValue() {
        expect(HeaderMasks.defaultTransformation("a"), HeaderMasks.defaultTransformation("a much longer value"))
    }
}
