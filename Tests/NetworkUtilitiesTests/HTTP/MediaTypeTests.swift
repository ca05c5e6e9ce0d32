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
}
