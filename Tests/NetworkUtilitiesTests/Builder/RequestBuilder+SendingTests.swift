import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct RequestBuilderSendingTests {
    private let items = url("https://api.example.com/items")

    @Test(.spec(21)) func reachesTheRequest() {
        let request = URLRequest.get(url: items).timeout(2.5).cachePolicy(.reloadIgnoringLocalCacheData).build()
        #expect(request.timeoutInterval == 2.5)
        #expect(request.cachePolicy == .reloadIgnoringLocalCacheData)
    }

    @Test(.spec(21)) func leavesTheDefaultsWithoutASaying() {
        let request = URLRequest.get(url: items).build()
        #expect(request.timeoutInterval == URLRequest(url: items).timeoutInterval)
        #expect(request.cachePolicy == .useProtocolCachePolicy)
    }

    @Test func canBeSaidAtEveryStage() throws {
        let requests = [
            URLRequest.build().timeout(7).get(url: items).build(),
            try URLRequest.builder(baseURL: items).timeout(7).get(path: "/a").build(),
            URLRequest.post(url: items).timeout(7).noBody().build(),
            URLRequest.get(url: items).timeout(7).add(query: "a", value: "1").build(),
            URLRequest.get(url: items).set(header: .accept(type: .json)).timeout(7).build(),
        ]
        #expect(requests.map(\.timeoutInterval) == Array(repeating: 7, count: requests.count))
    }

    @Test(arguments: [
        (TimeInterval.infinity, 31_536_000), (.greatestFiniteMagnitude, 31_536_000), (1e9, 31_536_000), (0, 0), (-1, 0),
        (-.infinity, 0), (.nan, 0), (.leastNonzeroMagnitude, .leastNonzeroMagnitude), (60, TimeInterval(60).nextUp),
    ])
    func keepsTheTimeoutWithinWhatFoundationBears(seconds: TimeInterval, kept: TimeInterval) {
        #expect(URLRequest.get(url: items).timeout(seconds).build().timeoutInterval == kept)
    }
}
