@testable import NetworkUtilities

struct QueryItemTests {
    private func query(@QueryItemsBuilder _ items: () throws -> [QueryItem]) rethrows -> String? {
        try URLRequest.get(url: url("https://h/p?tag=old&x=1")).query(items).build().query
    }

    @Test(.spec(4, 9)) func aBlockReplacesTheItemsOfItsNamesAndKeepsItsOrder() {
        let tags = ["new", "a&b"]
        let text: String? = nil
        let isAll = true
        let found = query {
            QueryItem("page", value: 2)
            for tag in tags { QueryItem("tag", value: tag) }
            QueryItem("text", value: text)
            if isAll { QueryItem("all", value: true) } else { QueryItem("none", value: true) }
            URLQueryItem(name: "flag", value: nil)
            ["z": "1", "b": "2"]
        }
        expect(found, "x=1&page=2&tag=new&tag=a%26b&all=true&flag&b=2&z=1")
        expect(query { QueryItem("tag", value: nil) }, "x=1")
        expect(query { QueryItem("tag", value: [Int]()) }, "x=1")
        expect(query {}, "tag=old&x=1")
    }

    private enum Sort: String, Codable, CaseIterable, URLTextConvertible { case newest, price }

    private enum Level: Int, URLTextConvertible { case low = 1 }

    private enum Section: String, URLTextConvertible {
        case all

        var urlText: String { "every" }
    }

    @Test(.spec(3, 9, 10)) func anItemTakesEnumsArraysAndValuesThatCanBeEncoded() throws {
        let date = Date(timeIntervalSince1970: 0)
        let rows: [(QueryItem, String)] = [
            (QueryItem("x", value: Sort.newest), "&x=newest"), (QueryItem("x", value: Sort?.none), ""),
            (QueryItem("x", value: [Sort.newest, .price]), "&x=newest&x=price"),
            (QueryItem("x", value: Sort.allCases, arrays: .comma), "&x=newest,price"),
            (QueryItem("x", value: Level.low), "&x=1"), (QueryItem("x", value: Section.all), "&x=every"),
            (QueryItem("x", value: [Section.all]), "&x=every"), (QueryItem("x", value: [1, 2]), "&x=1&x=2"),
            (QueryItem("x", value: [1, 2], arrays: .comma), "&x=1,2"),
            (try QueryItem("x", value: date), "&x=1970-01-01T00%3A00%3A00Z"),
        ]
        for (item, added) in rows { expect(query { item }, "tag=old" + added) }
        #expect(throws: QueryEncodingError.self) { try query { try QueryItem("n", value: Double.infinity) } }
    }

    @Test(.spec(9, 10)) func thePropertiesOfAValueAndParametersOfSeveralTypesAreItems() throws {
        struct Paging: Encodable {
            let page: Int
            let after: String?
            let tags: [String]
        }
        struct NoText {}
        expect(try query { try QueryItem.items(of: Paging(page: 2, after: nil, tags: [])) }, "tag=old&x=1&page=2")
        let params: Params = ["tag": ["a", "b"], "page": 1, "none": Int?.none as Any, "is": true]
        let items = try QueryItem.items(params: params)
        expect(items.map(\.name), ["is", "none", "page", "tag"])
        expect(query { items }, "x=1&is=true&page=1&tag=a&tag=b")
        #expect(throws: QueryEncodingError.self) { try QueryItem.items(of: [1]) }
        #expect(throws: QueryEncodingError.self) { try QueryItem.items(params: ["a": NoText()]) }
    }

    @Test(.spec(3, 9, 10, 230, 278)) func aDictionaryOfTextsIsSortedByName() {
        let texts = ["b": "2", "a": "1"]
        let numbers: [String: Int?] = ["b": 2, "x": nil]
        expect(query { texts }, "tag=old&x=1&a=1&b=2")
        expect(query { numbers }, "tag=old&b=2")
        expect(query { ["tag": true, "a": false] }, "x=1&a=false&tag=true")
        expect(query { ["tag": 1, "name": "é", "is": true, "none": nil] }, "x=1&is=true&name=%C3%A9&tag=1")
    }
}
