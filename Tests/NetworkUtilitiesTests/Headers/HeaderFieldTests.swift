import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct HeaderFieldTests {
    @Test(.spec(33)) func theStandardFieldsAreWrittenAsSpecified() {
        let fields: [HeaderField] = [
            .accept(type: .json), .content(type: .url(useUTF8Charset: true)), .language(value: "el-GR, en;q=0.5"),
            .content(type: .multipart(withBoundary: "b")), .custom(name: "X-A", value: "1"),
        ]
        #expect(fields.map(\.name) == ["Accept", "Content-Type", "Accept-Language", "Content-Type", "X-A"])
        #expect(
            fields.map(\.value) == [
                "application/json", "application/x-www-form-urlencoded; charset=utf-8", "el-GR, en;q=0.5",
                "multipart/form-data; boundary=b", "1",
            ]
        )
    }

    @Test(
        .spec(26),
        arguments: [
            ("a\r\nX-Evil: 1", "a  X-Evil: 1"), ("a\nb", "a b"), ("a\u{0}b", "a b"), ("a\u{1}\u{7F}\tb", "a  \tb"),
            ("  a b\t", "a b"), ("\r\n", ""), ("v ", "v"), ("v\t", "v"), ("\tv", "v"), (" v", "v"), ("\t", ""),
            ("é", "é"),
        ]
    )
    func noValueOfAFieldAddsAnotherField(value: String, safe: String) {
        #expect(HeaderField.custom(name: "X-A", value: value).value == safe)
        #expect(HeaderField.authorisation(auth: value).value == safe)
        #expect(HeaderField.accept(type: MediaType(value)).value == safe)
        #expect(HeaderField.language(value: value).value == safe)
    }

    @Test(.spec(26)) func aFieldIsRefusedForAnInvalidNameOrValue() throws {
        #expect(throws: HeaderFieldError.invalidName("X A")) { try HeaderField(name: "X A", value: "v") }
        #expect(throws: HeaderFieldError.invalidValue(name: "X-A")) { try HeaderField(name: "X-A", value: "v\r\n") }
        #expect(throws: HeaderFieldError.invalidValue(name: "X-A")) { try HeaderField(name: "X-A", value: "\u{0}") }
        #expect(try HeaderField(name: "X-A", value: " v ").value == "v")
    }

    @Test func cookiesAreJoinedWithASemicolon() {
        let cookies = ["a=1", "b=2"].map { HeaderField.custom(name: "cookie", value: $0) }
        let place = URLRequest.get(url: url("https://h"))
        #expect(place.add(headers: cookies).build().allHTTPHeaderFields == ["cookie": "a=1; b=2"])
        #expect(place.headers { cookies }.build().allHTTPHeaderFields == ["cookie": "a=1; b=2"])
        #expect(place.build().adding(headers: cookies).allHTTPHeaderFields == ["cookie": "a=1; b=2"])
    }

    @Test(.spec(26)) func everyControlCharacterOfAValueBecomesASpace() {
        let clean = String(repeating: "a", count: 40)
        #expect(FieldValue.sanitized(clean + "é\t~") == clean + "é\t~")
        for scalar in (0..<0x80).compactMap({ UnicodeScalar($0) }) {
            let isForbidden = scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F
            for place in 1..<40 {
                let (before, after) = (clean.prefix(place), clean.dropFirst(place))
                let text = "\(before)\(scalar)\(after)"
                #expect(FieldValue.sanitized(text) == (isForbidden ? "\(before) \(after)" : text))
            }
        }
    }

    @Test(.spec(183)) func fieldsAreEqualWhateverTheCaseOfTheirNames() throws {
        let (one, other) = (
            HeaderField.custom(name: "accept", value: "a"), HeaderField.custom(name: "Accept", value: "a")
        )
        #expect(one == other)
        #expect(Set([one, other]).count == 1)
        #expect(one.name == "accept" && other.name == "Accept")
        #expect(try HeaderField(name: "ACCEPT", value: " a") == other)
        #expect(one != .custom(name: "accept", value: "A"))
        #expect(one != .custom(name: "accept", value: nil))
        #expect(one != .custom(name: "accep", value: "a"))
        #expect(HeaderField.custom(name: "X Y", value: "a") != .custom(name: "X Z", value: "a"))
    }

    @Test(
        .spec(183),
        arguments: ["Authorization", "proxy-authorization", "COOKIE", "X-API-Key", "x-auth-token", "DPoP"]
    )
    func noTextOfAFieldShowsACredential(name: String) throws {
        let secret = HeaderField.custom(name: name, value: "s3cret")
        let builder = URLRequest.get(url: url("https://h")).add(header: secret).set(header: .accept(type: .json))
        var dumps = ""
        dump(secret, to: &dumps)
        dump([secret], to: &dumps)
        dump(builder, to: &dumps)
        dump(HeadersBlock { secret }, to: &dumps)
        for text in ["\(secret)", String(reflecting: secret), "\([secret])", "\(builder)", dumps] {
            #expect(!text.contains("s3cret"))
        }
        #expect("\(secret)" == "\(name): ***" && dumps.contains("***") && dumps.contains("application/json"))
        #expect(secret.value == "s3cret")
    }

    private struct HeadersBlock {
        let fields: [HeaderField]

        init(@HeaderFieldsBuilder _ fields: () -> [HeaderField]) {
            self.fields = fields()
        }
    }

    @Test func theTextOfAFieldShowsWhatIsNoCredential() {
        #expect("\(HeaderField.accept(type: .json))" == "Accept: application/json")
        #expect("\(HeaderField.custom(name: "X-A", value: nil))" == "X-A: (left out)")
        #expect("\(HeaderField.custom(name: "X\r\nA", value: "v"))" == "\"X\\r\\nA\": (left out)")
        #expect("\(HeaderField.authorisation(optional: nil))" == "Authorization: (left out)")
    }

    @Test(arguments: [
        ("", "", true), ("Content-Type", "content-TYPE", true), ("a", "ab", false), ("[", "{", false),
        ("@", "`", false),
        ("é", "É", false), ("a", "b", false), ("X-A", "X_A", false),
        ("X-Zone", "x-zone", true), ("Z", "z", true), ("A", "a", true), ("X-@", "x-`", false), ("X-[", "x-{", false),
    ])
    func fieldNamesAreComparedWithoutCase(one: String, other: String, isSame: Bool) {
        #expect(HeaderField.isSameName(one, other) == isSame)
        #expect(HeaderField.isSameName(other, one) == isSame)
    }
}

struct HeaderFieldJoiningTests {
    private func field(_ name: String, _ value: String?) -> HeaderField { .custom(name: name, value: value) }

    @Test(.spec(28)) func joiningFieldsKeepsEveryValue() {
        let fields = HeaderField.joined([field("A", "1"), field("B", "2"), field("a", "3"), field("A", "4")])
        #expect(fields == [field("A", "1,3,4"), field("B", "2")])
    }

    @Test(
        .spec(183),
        arguments: [
            "Authorization", "authorization", "Content-Type", "CONTENT-LENGTH", "Host", "Range", "If-Range", "Referer",
            "User-Agent", "Idempotency-Key", "Origin", "Proxy-Authorization",
        ]
    )
    func aSecondFieldReplacesTheFirstWhereOnlyOneIsAllowed(name: String) {
        let fields = ["1", "2", nil].map { field(name, $0) }
        let start = URLRequest.get(url: url("https://h"))
        var added = start.build()
        added.add(header: fields[0])
        added.add(header: field(name.uppercased(), "2"))
        let requests = [
            start.add(headers: fields).build(), start.add(header: fields[0]).add(header: fields[1]).build(),
            start.set(header: fields[0]).add(header: fields[1]).build(), start.headers { fields }.build(), added,
            start.build().adding(headers: fields),
            start.build().setting(headers: [fields[0]]).adding(header: fields[1]),
        ]
        for request in requests { #expect(request.allHTTPHeaderFields == [name: "2"]) }
        #expect(HeaderField.joined(fields) == [field(name, "2")])
    }

    @Test(arguments: ["Accept", "Accept-Language", "Cache-Control", "If-None-Match", "Via", "X-Authorization"])
    func aSecondFieldIsAddedWhereSeveralAreAllowed(name: String) {
        let request = URLRequest.get(url: url("https://h")).add(headers: [field(name, "1"), field(name, "2")]).build()
        #expect(request.allHTTPHeaderFields == [name: "1,2"])
    }

    @Test func joiningKeepsAFieldWithoutAValueOnlyIfItIsTheOnlyOne() {
        #expect(HeaderField.joined([field("A", nil), field("a", "1")]) == [field("A", "1")])
        #expect(HeaderField.joined([field("A", "1"), field("a", nil)]) == [field("A", "1")])
        #expect(HeaderField.joined([field("A", nil), field("a", nil)]) == [field("A", nil)])
        #expect(HeaderField.joined([]) == [])
        #expect(HeaderField.joined([field("A", ""), field("A", "")]) == [field("A", ",")])
    }
}

struct HeaderFieldErrorTests {
    @Test(arguments: [
        (
            HeaderFieldError.invalidName("X A"),
            "The header field name \"X A\" is not a token: use letters, digits and !#$%&'*+-.^_`|~ only."
        ),
        (
            .invalidValue(name: "X-A"),
            "The value of the header field 'X-A' contains a control character, which field values must not contain."
        ),
        (
            .colonInUserName,
            "The user name of a Basic credential contains a colon, at which the server would end the name."
        ),
        (
            .reserved(name: "Content-Disposition"),
            "The header field 'Content-Disposition' cannot be set here: the part of a form writes it itself."
        ),
        (.missingCredential, "The request requires a credential, but none was given."),
        (
            .missingCondition(name: "If-Match"),
            "The header field 'If-Match' has no entity tag, so the request would have no condition."
        ),
        (
            .invalidRange,
            "The byte range of the header field 'Range' begins before the first byte or is empty."
        ),
        (
            .weakEntityTag(name: "If-Range"),
            "The entity tag of the header field 'If-Range' is weak: only a strong tag guarantees equal bytes."
        ),
        (
            .invalidDate(name: "If-Unmodified-Since"),
            "The date of the header field 'If-Unmodified-Since' is outside the years 0001 to 9999, "
                + "which HTTP can write."
        ),
    ])
    func aHeaderFieldErrorIsDescribedInOneSentence(error: HeaderFieldError, text: String) {
        #expect(error.description == text)
    }
}
