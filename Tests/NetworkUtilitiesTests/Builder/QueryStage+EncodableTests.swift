@testable import NetworkUtilities

struct QueryStageEncodableTests {
    private let start = URLRequest.get(url: url("https://h/p"))

    private struct Filter: Encodable {
        var text = "a b"
        var size: Int? = nil
        var tags = ["x", "y"]
        var range = ["to": 2, "from": 1]
        var isNew = true
        var since = Date(timeIntervalSince1970: 0.5)
    }

    private func query(_ stage: URLRequest.QueryBuilder) -> String? { stage.build().query?.withBrackets }

    private func begin(_ query: String) -> URLRequest.QueryBuilder { .get(url: url("https://h/p?" + query)) }

    @Test(.spec(10)) func encodableValuesAreQueryValues() throws {
        let stage =
            try start
            .add(query: "a", value: 1.5).add(query: "b", value: Date(timeIntervalSince1970: 0))
            .add(query: "c", value: Decimal(string: "0.10")).add(query: "d", value: [1.5, 2])
            .add(query: "e", value: [1, nil, 3]).add(query: "f", value: ["k": 1]).add(query: "g", value: Double?.none)
            .add(query: "h", value: [String: Int]()).add(query: "i", value: Set(["b", "a"]))
            .add(query: "j", value: [[1, 2], [3]]).add(query: "k", value: Float(0.5))
        let expected = [
            "a=1.5", "b=1970-01-01T00%3A00%3A00Z", "c=0.1", "d=1.5", "d=2.0", "e=1", "e=3", "f[k]=1", "i=a", "i=b",
            "j[0]=1", "j[0]=2", "j[1]=3", "k=0.5",
        ]
        expect(query(stage)?.components(separatedBy: "&"), expected)
    }

    @Test(.spec(10)) func anEncodableCanBeTheWholeQueryInTheChosenStyle() throws {
        let expected =
            "text=a%20b&tags=x&tags=y&range[from]=1&range[to]=2&isNew=true&since=1970-01-01T00%3A00%3A00.500Z"
        expect(try query(start.add(queryItems: Filter())), expected)
        expect(try query(start.add(queryItems: ["b": 2, "a": 1])), "a=1&b=2")
        expect(try query(start.add(queryItems: Filter?.none)), nil)
        let (booleans, dates) = (FormStyle.BooleanStyle.numeric, FormStyle.DateStyle.millisecondsSince1970)
        let style = FormStyle(arrays: .comma, nesting: .dots, booleans: booleans, dates: dates, keys: .snakeCase)
        let styled = "text=a%20b&tags=x,y&range.from=1&range.to=2&is_new=1&since=500"
        expect(try query(start.add(queryItems: Filter(), style: style)), styled)
        let named = try start.add(query: "f", value: Filter(tags: [], range: [:]), style: style)
        expect(query(named), "f.text=a%20b&f.is_new=1&f.since=500")
    }

    /// Encodes its nil, as synthesized code does not.
    private struct Explicit: Encodable {
        enum CodingKeys: CodingKey { case size, text, tags }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeNil(forKey: .size)
            try container.encode("new", forKey: .text)
            try container.encode([String](), forKey: .tags)
        }
    }

    @Test(.spec(9)) func anEncodableReplacesTheQueryItemsOfEachNameAndOnlyAnArrayOrObjectTheirParts() throws {
        let sized = begin("size%5Bmin%5D=1&size=2")
        let before = begin("f=1&f%5Bk%5D=2&f.k=3&ff=4")
        let dots = FormStyle(nesting: .dots)
        let filter = Filter(tags: [], range: [:], isNew: false)
        let nils = begin("size=1&text=2&size%5Bk%5D=3&tags=4")
        let rows: [(URLRequest.QueryBuilder, String)] = [
            (try sized.set(query: "size", value: 3.5), "size[min]=1&size=3.5"),
            (try sized.set(query: "size", value: [3.5]), "size=3.5"),
            (try sized.set(queryItems: ["size": 3.5]), "size[min]=1&size=3.5"),
            (try before.set(query: "f", value: 1.5), "f[k]=2&f.k=3&ff=4&f=1.5"),
            (try before.set(query: "f", value: ["k": 5]), "f.k=3&ff=4&f[k]=5"),
            (try before.set(query: "f", value: ["k": 5], style: dots), "ff=4&f.k=5"),
            (try before.set(query: "f", value: Double?.none), "f[k]=2&f.k=3&ff=4"),
            (try before.set(query: "f", value: Date?.none), "f[k]=2&f.k=3&ff=4"),
            (try before.set(query: "f", value: [Double]?.none), "f.k=3&ff=4"),
            (try before.set(query: "f", value: Filter?.none), "f.k=3&ff=4"),
            (try before.set(query: "f", value: Filter?.none, style: dots), "ff=4"),
            (try before.set(queryItems: ["f": [Double]?.none]), "f.k=3&ff=4"),
            (try before.query { try QueryItem.items(params: ["f": [Double]?.none as Any]) }, "f.k=3&ff=4"),
            (
                try begin("size=1&text=2&tags%5B%5D=3&q=4").set(queryItems: filter),
                "size=1&q=4&text=a%20b&isNew=false&since=1970-01-01T00%3A00%3A00.500Z"
            ),
            (try nils.set(queryItems: Explicit()), "size[k]=3&text=new"),
            (try nils.set(queryItems: ["size": Int?.none, "text": 5]), "size[k]=3&tags=4&text=5"),
            (try start.add(queryItems: Explicit()), "text=new"),
        ]
        for (stage, expected) in rows { expect(query(stage), expected) }
    }

    @Test func aQueryRefusesValuesThatCannotBeWritten() {
        final class Cycle: Encodable { var next: Cycle? }
        let cycle = Cycle()
        cycle.next = cycle
        defer { cycle.next = nil }
        let bytes = "contains bytes, which have no text form; convert them first, for example to Base64"
        let names = "is not an object, so its parts have no names"
        let date = Filter(since: .distantFuture.addingTimeInterval(1e15))
        let rows: [(String, String, () throws -> URLRequest.QueryBuilder)] = [
            ("price", "is not a finite number", { try start.add(query: "price", value: Double.infinity) }),
            ("price", "is not a finite number", { try start.set(query: "price", value: Double.nan) }),
            ("a[1]", "is not a finite number", { try start.add(query: "a", value: [1, -Double.infinity]) }),
            ("d", bytes, { try start.add(query: "d", value: Data([1])) }),
            ("", names, { try start.add(queryItems: [1.5]) }), ("", names, { try start.set(queryItems: 1.5) }),
            ("since", "is a date outside the years 0001 to 9999", { try start.add(queryItems: date) }),
            (
                "c" + String(repeating: "[next]", count: 63), "is nested deeper than 64 levels",
                { try start.add(query: "c", value: cycle) }
            ),
        ]
        for (path, reason, make) in rows {
            #expect(throws: QueryEncodingError(path: path, reason: reason)) { try make() }
        }
    }

    @Test(.spec(3, 5, 9)) func aDictionaryOrURLQueryItemsReplaceTheQueryItemsOfTheirNames() {
        let filled = begin("a=0&q=1&a%5B%5D=2&flag")
        for _ in 0..<100 {
            expect(query(filled.set(queryItems: ["z": "3", "a": "4", "b": "5"])), "q=1&a[]=2&flag&a=4&b=5&z=3")
        }
        expect(query(filled.set(queryItems: [String: String]())), "a=0&q=1&a[]=2&flag")
        let items = [("flag", nil), ("a", "3"), ("a", "4")].map { URLQueryItem(name: $0, value: $1) }
        expect(query(filled.set(queryItems: items)), "q=1&a[]=2&flag&a=3&a=4")
        let old = (0..<5_000).map { URLQueryItem(name: "n\($0)é", value: "old") }
        let new = (0..<5_000).map { URLQueryItem(name: "n\($0)é", value: "new") }
        expect(
            filled.add(queryItems: old).set(queryItems: new).build().url?.queryItems.dropFirst(4).elementsEqual(new),
            true
        )
    }
}
