import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct URLRequestInstanceCachingTests {
    private let request = URLRequest(url: url("https://h")).setting(header: .custom(name: "X-A", value: "1"))

    @Test func leavesNoTraceWhenCleared() {
        let marked = request.withInstanceCaching(customHash: "h")
        #expect(SharingOptIn(of: marked)?.customHash == "h")
        #expect(marked.clearingInstanceCaching().allHTTPHeaderFields == ["X-A": "1"])
        #expect(request.clearingInstanceCaching().allHTTPHeaderFields == ["X-A": "1"])
    }

    @Test(.spec(121), arguments: [String.lowercased, String.uppercased])
    func isRecognisedInAnyLetterCase(change: @Sendable (String) -> () -> String) {
        var marked = request
        for (name, value) in request.withInstanceCaching(customHash: "h").allHTTPHeaderFields ?? [:] {
            marked.setValue(nil, forHTTPHeaderField: name)
            marked.setValue(value, forHTTPHeaderField: change(name)())
        }
        #expect(SharingOptIn(of: marked)?.customHash == "h")
        #expect(marked.clearingInstanceCaching().allHTTPHeaderFields?.count == 1)
    }

    @Test func forgetsTheMarkOfAnEarlierOptIn() {
        let again = request.withInstanceCaching(customHash: "h").withInstanceCaching()
        #expect(SharingOptIn(of: again)?.customHash == nil)
    }
}
