@testable import NetworkUtilities

struct HeaderFieldTests {
    private func field(_ name: String, _ value: String?) -> HeaderField { .custom(name: name, value: value) }

    @Test(
        .spec(26),
        arguments: [
            ("a\r\nX-Evil: 1", "a  X-Evil: 1"), ("a\nb", "a b"), ("a\u{0}b", "a b"), ("a\u{1}\u{7F}\tb", "a  \tb"),
            ("  a b\t", "a b"), ("\r\n", ""), ("v ", "v"), ("v\t", "v"), ("\tv", "v"), (" v", "v"), ("\t", ""),
            ("é", "é"), ("a\n\nX-Evil: 1", "a  X-Evil: 1"), ("a\u{0}\u{0}X-Evil: 1", "a  X-Evil: 1"),
        ]
    )
    func noValueOfAFieldAddsAnotherField(value: String, safe: String) {
        let fields: [HeaderField] = [
            field("X-A", value), .authorisation(auth: value), .accept(type: MediaType(value)), .language(value: value),
            .cacheControl(value: value), .idempotencyKey(value), .userAgent(value: value),
        ]
        for field in fields { expect(field.value, safe, field.name) }
        let list = HeaderField.accept(types: [MediaType(value)])
        expect(list.value, safe.isEmpty ? nil : safe)
    }

    @Test(.spec(26)) func aFieldIsRefusedForAnInvalidNameOrValue() throws {
        #expect(throws: HeaderFieldError.invalidName("X A")) { try HeaderField(name: "X A", value: "v") }
        #expect(throws: HeaderFieldError.invalidValue(name: "X-A")) { try HeaderField(name: "X-A", value: "v\r\n") }
        #expect(throws: HeaderFieldError.invalidValue(name: "X-A")) { try HeaderField(name: "X-A", value: "\u{0}") }
        expect(try HeaderField(name: "X-A", value: " v ").value, "v")
    }

    @Test(.spec(26)) func everyControlCharacterOfAValueBecomesASpace() {
        let clean = String(repeating: "a", count: 40)
        expect(FieldValue.sanitized(clean + "é\t~"), clean + "é\t~")
        for scalar in (0..<0x80).compactMap({ UnicodeScalar($0) }) {
            let isForbidden = scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F
            for place in 1..<40 {
                let (before, after) = (clean.prefix(place), clean.dropFirst(place))
                let text = "\(before)\(scalar)\(after)"
                expect(FieldValue.sanitized(text), isForbidden ? "\(before) \(after)" : text)
            }
        }
    }

    @Test(.spec(183)) func fieldsAreEqualWhateverTheCaseOfTheirNames() throws {
        let (one, other) = (field("accept", "a"), field("Accept", "a"))
        expect(one, other)
        expect(Set([one, other]).count, 1)
        expect([one.name, other.name], ["accept", "Accept"])
        expect(try HeaderField(name: "ACCEPT", value: " a"), other)
        for different in [field("accept", "A"), field("accept", nil), field("accep", "a")] {
            #expect(one != different)
        }
        #expect(field("X Y", "a") != field("X Z", "a"))
        let rows: [(String, String, Bool)] = [
            ("", "", true), ("Content-Type", "content-TYPE", true), ("a", "ab", false), ("[", "{", false),
            ("@", "`", false), ("é", "É", false), ("a", "b", false), ("X-A", "X_A", false), ("X-Zone", "x-zone", true),
            ("Z", "z", true), ("A", "a", true), ("X-@", "x-`", false), ("X-[", "x-{", false),
        ]
        for (one, other, isSame) in rows {
            expect(HeaderField.isSameName(one, other), isSame, one)
            expect(HeaderField.isSameName(other, one), isSame, other)
        }
    }

    @Test(
        .spec(183),
        arguments: ["Authorization", "proxy-authorization", "COOKIE", "X-API-Key", "x-auth-token", "DPoP"]
    )
    func noTextOfAFieldShowsACredential(name: String) throws {
        let secret = field(name, "s3cret")
        let builder = URLRequest.get(url: url("https://u:s3cret@h/a?b=s3cret")).add(header: secret).set(
            header: .accept(type: .json)
        )
        var dumps = ""
        dump(secret, to: &dumps)
        dump([secret], to: &dumps)
        dump(builder, to: &dumps)
        dump(HeadersBlock { secret }, to: &dumps)
        for text in ["\(secret)", String(reflecting: secret), "\([secret])", "\(builder)", dumps] {
            expect(text, lacks: "s3cret")
        }
        expectAll(
            ("\(secret)", dumps.contains("***"), dumps.contains("application/json")),
            ("\(name): ***", true, true)
        )
        expect("\(builder)", "GET https://h/a")
        expect(secret.value, "s3cret")
    }

    @Test(
        .spec(322),
        arguments: [
            ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.Zq7Xj2Wm9Kd4", "***"), ("Bearer abc", "Bearer ***"),
            ("a, ghp_Zq7Xj2Wm9Kd4Rt6Ny8Lp; b", "a, ***; b"), ("plain text", "plain text"), ("bearer", "bearer"),
            ("é ghp_short", "é ghp_short"),
            (
                "https://u:s3cret@h/a/ghp_Zq7Xj2Wm9Kd4Rt6Ny8Lp?b=1&access_token=x#c",
                "https://***@h/a/***?b=1&access_token=***#c"
            ),
            ("https://h/a?b", "https://h/a?b"), ("Bearer abc https://h/", "Bearer ***"), ("://", "://"),
            ("?&=#", "?&=#"),
            ("ghp_Zq7Xj2Wm9Kd4Rt6Ny8Lp https://h", "*** https://h"),
            (
                "<https://a:b@h/?x=1;token=t>; rel=next, <//c@i#key=é>",
                "<https://***@h/?x=1;token=***>; rel=next, <//***@i#key=***>"
            ),
        ]
    )
    func noTextOfAFieldOrABuilderShowsWhatTellsByItself(value: String, shown: String) {
        let named = HeaderField.custom(name: "X-Data", value: value)
        expect("\(named)", "X-Data: \(shown)")
        let place = url("https://u:p@h/a;jsessionid=s3cret/ghp_Zq7Xj2Wm9Kd4Rt6Ny8Lp?q=1")
        let builder = URLRequest.get(url: place).set(header: named)
        expect("\(builder)", "GET https://h/a;jsessionid=***/***")
        var dumped = ""
        dump(builder, to: &dumped)
        for secret in ["s3cret", "Zq7X"] { expect(dumped, lacks: secret) }
    }

    private struct HeadersBlock {
        let fields: [HeaderField]

        init(@HeaderFieldsBuilder _ fields: () -> [HeaderField]) { self.fields = fields() }
    }

    @Test func theTextOfAFieldShowsWhatIsNoCredential() {
        expect("\(HeaderField.accept(type: .json))", "Accept: application/json")
        expect("\(field("X-A", nil))", "X-A: (left out)")
        expect("\(field("X\r\nA", "v"))", "\"X\\r\\nA\": (left out)")
        expect("\(HeaderField.authorization(optional: nil))", "Authorization: (left out)")
    }

    private let start = URLRequest.get(url: url("https://h"))

    @Test(.spec(28)) func joiningFieldsKeepsEveryValueAndAMissingOneOnlyIfItIsTheOnlyOne() {
        let rows: [([HeaderField], [HeaderField])] = [
            (
                [field("A", "1"), field("B", "2"), field("a", "3"), field("A", "4")],
                [field("A", "1,3,4"), field("B", "2")]
            ),
            ([field("A", nil), field("a", "1")], [field("A", "1")]),
            ([field("A", "1"), field("a", nil)], [field("A", "1")]),
            ([field("A", nil), field("a", nil)], [field("A", nil)]), ([], []),
            ([field("A", ""), field("A", "")], [field("A", ",")]),
        ]
        for (fields, joined) in rows { expect(HeaderField.joined(fields), joined) }
    }

    @Test(.spec(183)) func aSecondFieldReplacesTheFirstWhereOnlyOneIsAllowed() {
        let rows: [String] = [
            "Authorization", "authorization", "Content-Type", "CONTENT-LENGTH", "Host", "Range", "If-Range", "Referer",
            "User-Agent", "Idempotency-Key", "Origin", "Proxy-Authorization",
        ]
        for name in rows {
            let fields = ["1", "2", nil].map { field(name, $0) }
            var added = start.build()
            added.add(header: fields[0])
            added.add(header: field(name.uppercased(), "2"))
            let requests = [
                start.add(headers: fields).build(), start.add(header: fields[0]).add(header: fields[1]).build(),
                start.set(header: fields[0]).add(header: fields[1]).build(), start.headers { fields }.build(), added,
                start.build().adding(headers: fields),
                start.build().setting(headers: [fields[0]]).adding(header: fields[1]),
            ]
            for request in requests { expect(request.fields, [name: "2"]) }
            expect(HeaderField.joined(fields), [field(name, "2")])
        }
    }

    @Test func aSecondFieldIsAddedWhereSeveralAreAllowed() {
        let lists = ["Accept", "Accept-Language", "Cache-Control", "If-None-Match", "Via", "X-Authorization"]
        let rows = lists.map { ($0, ["1", "2"], "1,2") } + [("cookie", ["a=1", "b=2"], "a=1; b=2")]
        for (name, values, joined) in rows {
            let fields = values.map { field(name, $0) }
            expect(start.add(headers: fields).build().fields, [name: joined])
            expect(start.headers { fields }.build().fields, [name: joined])
            expect(start.build().adding(headers: fields).fields, [name: joined])
        }
    }

    @Test func aHeaderFieldErrorIsDescribedInOneSentence() {
        let errors: [HeaderFieldError] = [
            .invalidName("X A"), .invalidValue(name: "A"), .colonInUserName, .reserved(name: "A"), .missingCredential,
            .missingCondition(name: "A"), .invalidRange, .weakEntityTag(name: "A"), .invalidDate(name: "A"),
        ]
        let sentences = [
            "The header field name \"X A\" is not a token: use letters, digits and !#$%&'*+-.^_`|~ only.",
            "The value of the header field 'A' contains a control character, which field values must not contain.",
            "The user name of a Basic credential contains a colon, at which the server would end the name.",
            "The header field 'A' cannot be set here: the part of a form writes it itself.",
            "The request requires a credential, but none was given.",
            "The header field 'A' has no entity tag, so the request would have no condition.",
            "The byte range of the header field 'Range' begins before the first byte or is empty.",
            "The entity tag of the header field 'A' is weak: only a strong tag guarantees equal bytes.",
            "The date of the header field 'A' is outside the years 0001 to 9999, which HTTP can write.",
        ]
        expect(errors.map(\.description), sentences)
    }
}
