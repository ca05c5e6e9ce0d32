import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct QueryStageItemsTests {
    private let start = URLRequest.get(url: url("https://h/p?a=0&q=1&a%5B%5D=2&flag"))

    private func query(_ stage: URLRequest.QueryBuilder) -> String? { stage.build().url?.query }

    @Test(.spec(3, 9)) func replacesTheNamesOfADictionary() {
        for _ in 0..<100 {
            #expect(query(start.set(queryItems: ["z": "3", "a": "4", "b": "5"])) == "q=1&a%5B%5D=2&flag&a=4&b=5&z=3")
        }
        #expect(query(start.set(queryItems: [String: String]())) == "a=0&q=1&a%5B%5D=2&flag")
    }

    @Test(.spec(5, 9)) func replacesTheNamesOfItemsAndKeepsTheirOrder() {
        let items = [
            URLQueryItem(name: "flag", value: nil), URLQueryItem(name: "a", value: "3"),
            URLQueryItem(name: "a", value: "4"),
        ]
        #expect(query(start.set(queryItems: items)) == "q=1&a%5B%5D=2&flag&a=3&a=4")
    }

    @Test(.spec(9)) func replacesThousandsOfItemsInOnePass() {
        let old = (0..<5_000).map { URLQueryItem(name: "n\($0)é", value: "old") }
        let new = (0..<5_000).map { URLQueryItem(name: "n\($0)é", value: "new") }
        let stage = start.add(queryItems: old).set(queryItems: new)
        #expect(stage.build().url.map { Array($0.queryItems.dropFirst(4)) } == new)
    }
}
