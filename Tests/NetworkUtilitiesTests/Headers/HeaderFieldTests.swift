import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct HeaderFieldTests {
    @Test(.spec(33)) func writesTheStandardFields() {
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
    func cannotBeMadeToInjectAnotherField(value: String, safe: String) {
        #expect(HeaderField.custom(name: "X-A", value: value).value == safe)
        #expect(HeaderField.authorisation(auth: value).value == safe)
        #expect(HeaderField.accept(type: MediaType(value)).value == safe)
        #expect(HeaderField.language(value: value).value == safe)
    }

    @Test(.spec(26)) func saysWhatIsWrongWhenItMayThrow() throws {
        #expect(throws: HeaderFieldError.invalidName("X A")) { try HeaderField(name: "X A", value: "v") }
        #expect(throws: HeaderFieldError.invalidValue(name: "X-A")) { try HeaderField(name: "X-A", value: "v\r\n") }
        #expect(throws: HeaderFieldError.invalidValue(name: "X-A")) { try HeaderField(name: "X-A", value: "\u{0}") }
        #expect(try HeaderField(name: "X-A", value: " v ").value == "v")
    }

    @Test func joinsCookiesAsTheirOwnStandardSays() {
        let cookies = ["a=1", "b=2"].map { HeaderField.custom(name: "cookie", value: $0) }
        let place = URLRequest.get(url: url("https://h"))
        #expect(place.add(headers: cookies).build().allHTTPHeaderFields == ["cookie": "a=1; b=2"])
        #expect(place.headers { cookies }.build().allHTTPHeaderFields == ["cookie": "a=1; b=2"])
        #expect(place.build().adding(headers: cookies).allHTTPHeaderFields == ["cookie": "a=1; b=2"])
    }

    @Test(.spec(26)) func findsEveryForbiddenByteAtEveryPlace() {
        let clean = String(repeating: "a", count: 40)
        #expect(HeaderField.sanitized(clean + "é\t~") == clean + "é\t~")
        for scalar in (0..<0x80).compactMap({ UnicodeScalar($0) }) {
            let isForbidden = scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F
            for place in 1..<40 {
                let (before, after) = (clean.prefix(place), clean.dropFirst(place))
                let text = "\(before)\(scalar)\(after)"
                #expect(HeaderField.sanitized(text) == (isForbidden ? "\(before) \(after)" : text))
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
    func comparesNamesByTheirLettersOnly(one: String, other: String, isSame: Bool) {
        #expect(HeaderField.isSameName(one, other) == isSame)
        #expect(HeaderField.isSameName(other, one) == isSame)
    }
}
