import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct URLRequestMethodTests {
    @Test(.spec(18)) func readsAndWritesTheMethod() {
        var request = URLRequest(url: url("https://h"))
        #expect(request.method == .get)
        request.method = .patch
        #expect(request.httpMethod == "PATCH")
        request.httpMethod = "HEAD"
        #expect(request.method == .head)
        request.method = nil
        #expect(request.method == .get)
    }

    @Test(.spec(18)) func neverReadsAnUnknownMethodAsGET() {
        var request = URLRequest(url: url("https://h"))
        request.httpMethod = "PROPFIND"
        #expect(request.method == HTTPMethod(rawValue: "PROPFIND"))
        request.httpMethod = "NOT A METHOD"
        #expect(request.method == nil)
    }
}
