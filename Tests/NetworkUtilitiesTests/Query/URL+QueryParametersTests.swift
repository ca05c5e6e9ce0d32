import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct URLQueryParametersTests {
    @Test(
        .spec(20),
        arguments: [
            ("https://h/?a=1&a&b=2", ["a": "1", "b": "2"]), ("https://h/?a=1&a=2", ["a": "2"]), ("https://h/?", [:]),
            ("https://h/?q=1%2B1%20%26", ["q": "1+1 &"]), ("https://h/?a", [:]),
        ]
    )
    func takesTheLastItemThatHasAValue(text: String, parameters: [String: String]) {
        #expect(url(text).queryParameters == parameters)
    }

    @Test func isNilWithoutAQuery() {
        #expect(url("https://h/").queryParameters == nil)
    }
}
