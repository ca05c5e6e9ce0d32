import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct MediaTypeTests {
    @Test(.spec(33, 53)) func writesTheStandardTypes() {
        #expect(MediaType.json.value == "application/json")
        #expect(MediaType.url().value == "application/x-www-form-urlencoded")
        #expect(MediaType.url(useUTF8Charset: true).value == "application/x-www-form-urlencoded; charset=utf-8")
        #expect(MediaType.multipart(withBoundary: "b").value == "multipart/form-data; boundary=b")
        #expect(MediaType("a/b").value == "a/b")
    }

    @Test func quotesABoundaryThatIsNoToken() {
        #expect(MediaType.multipart(withBoundary: "a b\"c").value == #"multipart/form-data; boundary="a b\"c""#)
    }

    @Test(arguments: [
        ("application/problem+json; charset=utf-8", true), ("APPLICATION/JSON", true), ("text/json", true),
        ("application/jsonl", false), ("text/plain", false),
    ])
    func knowsJSON(value: String, isJSON: Bool) {
        #expect(MediaType(value).isJSON == isJSON)
    }

    @Test(arguments: [
        ("text/plain; charset=UTF-8", "UTF-8"), ("text/plain;a=1;Charset=\"x;y\\\"z\"; b=2", "x;y\"z"),
        ("text/plain; charset =  latin1 ", "latin1"), ("text/plain; charset=", ""), ("text/plain", nil),
        ("text/plain; a=\"charset=b\"", nil), ("text/plain; charset=\"", "\""), ("", nil), (";;;", nil),
    ])
    func findsAParameter(value: String, charset: String?) {
        #expect(MediaType(value).parameter("charset") == charset)
    }
}
