import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct QueryItemTests {
    private func target(@QueryItemsBuilder _ items: () throws -> [QueryItem]) rethrows -> String? {
        try URLRequest.get(url: url("https://h/p?tag=old&x=1")).query(items).build().url?.absoluteString
    }

    @Test(.spec(9)) func aBlockReplacesTheItemsOfItsNamesAndKeepsItsOrder() {
        let tags = ["new", "a&b"]
        let text: String? = nil
        let isAll = true
        let found = target {
            QueryItem("page", value: 2)
            for tag in tags { QueryItem("tag", value: tag) }
            QueryItem("text", value: text)
            if isAll { QueryItem("all", value: true) } else { QueryItem("none", value: true) }
            URLQueryItem(name: "flag", value: nil)
            ["z": "1", "b": "2"]
        }
        #expect(found == "https://h/p?x=1&page=2&tag=new&tag=a%26b&all=true&flag&b=2&z=1")
    }

    private enum Sort: String, Codable, CaseIterable {
        case newest, price
    }

    private enum Level: Int {
        case low = 1
    }

    private enum Section: String, URLTextConvertible {
        case all

        var urlText: String { "every" }
    }

    @Test(.spec(3, 9)) func anEnumIsWrittenAsItsRawValueOrItsText() {
        #expect(target { QueryItem("x", value: Sort.newest) } == "https://h/p?tag=old&x=newest")
        #expect(target { QueryItem("x", value: Sort?.none) } == "https://h/p?tag=old")
        #expect(target { QueryItem("x", value: [Sort.newest, .price]) } == "https://h/p?tag=old&x=newest&x=price")
        #expect(target { QueryItem("x", value: Sort.allCases, arrays: .comma) } == "https://h/p?tag=old&x=newest,price")
        #expect(target { QueryItem("x", value: Level.low) } == "https://h/p?tag=old&x=1")
        #expect(target { QueryItem("x", value: Section.all) } == "https://h/p?tag=old&x=every")
        #expect(target { QueryItem("x", value: [Section.all]) } == "https://h/p?tag=old&x=every")
    }

    @Test(.spec(3, 9, 10)) func aDictionaryOfOneTypeIsSortedByName() {
        let texts = ["b": "2", "a": "1"]
        let numbers: [String: Int?] = ["b": 2, "x": nil]
        #expect(target { texts } == "https://h/p?tag=old&x=1&a=1&b=2")
        #expect(target { numbers } == "https://h/p?tag=old&b=2")
        #expect(target { ["tag": true, "a": false] } == "https://h/p?x=1&a=false&tag=true")
    }

    @Test(.spec(4, 9)) func anItemWithoutAValueOnlyRemovesThoseOfItsName() {
        #expect(target { QueryItem("tag", value: nil) } == "https://h/p?x=1")
        #expect(target { QueryItem("tag", value: [Int]()) } == "https://h/p?x=1")
        #expect(target {} == "https://h/p?tag=old&x=1")
    }

    @Test(.spec(10)) func theItemsOfAnArrayAreInItsStyle() throws {
        #expect(target { QueryItem("x", value: [1, 2]) } == "https://h/p?tag=old&x=1&x=2")
        #expect(target { QueryItem("x", value: [1, 2], arrays: .comma) } == "https://h/p?tag=old&x=1,2")
        let date = Date(timeIntervalSince1970: 0)
        #expect(
            try target { try QueryItem("since", value: date) }
                == "https://h/p?tag=old&x=1&since=1970-01-01T00%3A00%3A00Z"
        )
        #expect(throws: QueryEncodingError.self) { try target { try QueryItem("n", value: Double.infinity) } }
    }
}
