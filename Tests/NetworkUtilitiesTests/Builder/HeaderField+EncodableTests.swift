import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct HeaderFieldEncodableTests {
    private struct Common: Encodable {
        enum CodingKeys: String, CodingKey {
            case clientVersion, ifModifiedSince, acceptLanguage, isTest, soapAction = "SOAPAction", missing
        }

        var clientVersion = 2
        var ifModifiedSince = Date(timeIntervalSince1970: 784_111_777)
        var acceptLanguage = ["el", "en"]
        var isTest = true
        var soapAction = "urn:x"
        var missing: String?
    }

    @Test(.spec(27)) func thePropertiesOfAValueAreFields() throws {
        let fields = [
            "Client-Version": "2", "If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT", "Accept-Language": "el, en",
            "Is-Test": "true", "SOAPAction": "urn:x",
        ]
        let start = URLRequest.get(url: url("https://h"))
        #expect(try start.set(headers: HeaderField.fields(of: Common())).build().allHTTPHeaderFields == fields)
        #expect(try start.headers { try HeaderField.fields(of: Common()) }.build().allHTTPHeaderFields == fields)
        #expect(try HeaderField.fields(of: ["x-a": 1, "aB": 2]).map(\.name) == ["aB", "x-a"])
    }

    @Test(.spec(26)) func aValueThatIsNoFieldIsAnErrorThatNamesIt() {
        #expect(throws: HeaderFieldError.invalidValue(name: "A")) { try HeaderField.fields(of: ["A": "1\r\nB: 2"]) }
        #expect(throws: HeaderFieldError.invalidName("A B")) { try HeaderField.fields(of: ["A B": "1"]) }
        let nested = #expect(throws: HeaderFieldError.self) { try HeaderField.fields(of: ["A": ["b": "secret"]]) }
        #expect(
            nested?.description
                == "The value of the header field 'A' cannot be written: it is nested, and has no text."
        )
        let text = #expect(throws: HeaderFieldError.self) { try HeaderField.fields(of: "secret") }
        #expect(
            text?.description == "The value of the header fields cannot be written: it is not an object, so its parts "
                + "have no names."
        )
        #expect(throws: HeaderFieldError.self) { try HeaderField.fields(of: ["A": Double.nan]) }
    }

    @Test(
        arguments: [
            ("accept", "Accept"), ("ifNoneMatch", "If-None-Match"), ("xRequestID", "X-Request-Id"), ("ETag", "ETag"),
            ("x-trace", "x-trace"), ("", ""), ("dnt", "Dnt"),
        ]
    )
    func theNameOfAFieldIsMadeOfTheWordsOfAProperty(property: String, name: String) {
        #expect(HeaderField.name(ofProperty: property) == name)
    }

    @Test(.spec(27)) func aDictionaryIsFieldsSortedByName() {
        let start = URLRequest.get(url: url("https://h"))
            .set(headers: ["X-A": "0", "X-C": "3"])
            .add(headers: ["X-A": "1", "X-B": nil, "X C": "no token"])
        #expect(start.build().allHTTPHeaderFields == ["X-A": "0,1", "X-C": "3"])
        #expect(start.set(headers: ["x-a": nil, "X-C": "4"]).build().allHTTPHeaderFields == ["X-C": "4"])
        #expect(start.headers { ["X-C": "5", "X-A": nil] }.build().allHTTPHeaderFields == ["X-C": "5"])
        let plain: [String: String] = ["b": "2", "a": "1"]
        #expect(HeaderField.fields(plain).map(\.name) == ["a", "b"])
        let builder: URLRequest.HeaderBuilder = start
        #expect(builder.add(headers: ["X-C": "6"]).build().allHTTPHeaderFields == ["X-A": "0,1", "X-C": "3,6"])
    }

    @Test func aDateIsAnHTTPDate() {
        let date = Date(timeIntervalSince1970: 784_111_777.9)
        #expect(HeaderField.custom(name: "X-Since", date: date).value == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HeaderField.custom(name: "X-Since", date: nil).value == nil)
        #expect(HeaderField.custom(name: "X-Since", date: .distantFuture.addingTimeInterval(1e12)).value == nil)
    }
}
