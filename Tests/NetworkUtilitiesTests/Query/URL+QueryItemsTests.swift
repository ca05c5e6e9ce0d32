@testable import NetworkUtilities

struct URLQueryItemsTests {
    private static let rows: [(String, [[String?]])] = [
        ("https://h/?a=1&a&b=2&a=3", [["a", "1"], ["a", nil], ["b", "2"], ["a", "3"]]),
        ("https://h/?a=&=b&=&c=d=e", [["a", ""], ["", "b"], ["", ""], ["c", "d=e"]]),
        ("https://h/?&a=1&&b=2&", [["a", "1"], ["b", "2"]]), ("https://h/?q=1#f?x=2&y=3", [["q", "1"]]),
        ("https://h/?a%5B%5D=1%2B1%20%26%3d&q=a+b", [["a[]", "1+1 &="], ["q", "a+b"]]),
        ("https://h/?%C3%A9=%F0%9F%98%80", [["é", "😀"]]), ("https://h/?a%00b=%0D%0A", [["a\u{0}b", "\r\n"]]),
        // Escapes that are not UTF-8 stay unchanged.
        ("https://h/?a=%FF%41&b=1", [["a", "%FF%41"], ["b", "1"]]),
        ("https://h/?%C3=%ED%A0%80&a%41=%C3%A9", [["%C3", "%ED%A0%80"], ["aA", "é"]]),
        ("https://h/", []), ("https://h/?", []), ("https://h/#?a=1", []), ("https://h/?#a=1", []), ("mailto:a@b", []),
        ("a", []),
    ]

    @Test(.spec(20), arguments: rows) func queryItemsAreReadInOrderAndDecoded(text: String, items: [[String?]]) {
        expect(url(text).queryItems.map { [$0.name, $0.value] }, items)
    }

    @Test func queryItemsOfARelativeURLAreItsOwn() throws {
        let base = url("https://h/a?b=1")
        let urls = try ["?c=2", "c"].map { try #require(URL(string: $0, relativeTo: base)) }
        expect(urls.map { $0.queryItems.map(\.name) }, [["c"], []])
    }

    @Test func queryItemsAreReadBackAsTheBuilderWroteThem() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            var editor = QueryEditor(url: url("https://h/p#f"))
            let expected = (0..<5).map { _ in [text(&generator), text(&generator)] }
            for item in expected { editor.add(item[0], item[1]) }
            expect(editor.url.queryItems.map { [$0.name, $0.value ?? ""] }, expected)
        }
    }

    private func text(_ generator: inout SeededGenerator) -> String {
        let scalars = (0..<8).compactMap { _ in UnicodeScalar(UInt32.random(in: 0..<0x2FFF, using: &generator)) }
        return String(String.UnicodeScalarView(scalars))
    }

    @Test(.spec(20)) func queryParametersHoldTheLastValueOfANameAndAreNilWithoutAQuery() {
        let rows: [(String, [String: String]?)] = [
            ("https://h/?a=1&a&b=2", ["a": "1", "b": "2"]), ("https://h/?a=1&a=2", ["a": "2"]), ("https://h/?", [:]),
            ("https://h/?q=1%2B1%20%26", ["q": "1+1 &"]), ("https://h/?a", [:]), ("https://h/", nil),
        ]
        for (text, parameters) in rows { expect(url(text).queryParameters, parameters) }
    }
}
