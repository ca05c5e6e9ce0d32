@testable import NetworkUtilities

struct QueryEditorTests {
    @Test(.spec(8), arguments: ["https://h", "https://h/?", "https://h/?a=%2b&&b#", "HTTPS://H/%7e?x#y", "mailto:a@b"])
    func anUneditedURLStaysUnchanged(text: String) {
        var editor = QueryEditor(url: url(text))
        expect(editor.url.absoluteString, text)
        editor.remove("missing")
        editor.add(escaped: [])
        expect(editor.url.absoluteString, text)
    }

    @Test func aRelativeURLKeepsItsBaseUntilItIsEditedAndIsNeverEmpty() throws {
        var editor = QueryEditor(url: try #require(URL(string: "b", relativeTo: url("https://h/a?x=1"))))
        expect(editor.url.baseURL, url("https://h/a?x=1"))
        editor.add("c", "1")
        expect(editor.url.absoluteString, "https://h/b?c=1")
        expect(URLRequest.get(url: url("?a=1")).set(query: "a", value: nil).build().address, "?")
    }

    @Test(
        arguments: [
            ("https://h?tag=1", "https://h"), ("https://h?tag=1#f", "https://h#f"), ("https://h?tag&tag", "https://h"),
            ("https://h?tag&&a", "https://h?&a"), ("https://h?a&tag&", "https://h?a&"), ("https://h?tag&", "https://h"),
            ("https://h?a=%2b&tag=2&b=+#f?tag", "https://h?a=%2b&b=+#f?tag"), ("https://h#?tag=1", "https://h#?tag=1"),
        ]
    )
    func removingANameRemovesWholeQueryItems(before: String, after: String) {
        var editor = QueryEditor(url: url(before))
        editor.remove("tag")
        expect(editor.url.absoluteString, after)
    }

    private let allParts = [QueryItemParts.none, .inBrackets, .inBracketsOrAfterADot]

    @Test func theNameOfAnItemIsReadOnlyAsFarAsTheLongestRemovedNameCanMatch() {
        let names = QueryItemNames([("page", .inBracketsOrAfterADot), ("a", .none)])
        for byte in [UInt8(ascii: "["), UInt8(ascii: "."), UInt8(ascii: "p")] {
            var readCount = 0
            let hostileName = sequence(state: ()) { _ -> UInt8? in
                readCount += 1
                return readCount <= 100_000 ? byte : nil
            }
            expect(names.contains(hostileName), false)
            expect(readCount, "page".utf8.count + 1)
        }
        let name = String(repeating: "[", count: 100_000)
        var editor = QueryEditor(url: url("https://h"))
        editor.add(name, nil)
        let hostile = editor.url
        let request = URLRequest.get(url: hostile).add(query: "page", value: 1).set(query: "page", value: 2).build()
        expect(request.address, "\(hostile.absoluteString)&page=2")
    }

    @Test func severalNamesAreFoundAsByComparingEachNameFromItsStart() {
        var generator = SeededGenerator(seed: 15)
        let pieces = ["a", "a", "[", "]", ".", "é"]
        func name(upTo pieceCount: Int) -> String {
            let count = Int.random(in: 0...pieceCount, using: &generator)
            return (0..<count).compactMap { _ in pieces.randomElement(using: &generator) }.joined()
        }
        var findings = [true: 0, false: 0]
        for _ in 0..<5_000 {
            let names = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                (name: name(upTo: 3), parts: allParts.randomElement(using: &generator) ?? .none)
            }
            let item = name(upTo: 6)
            let isFound = names.contains { name, parts in
                guard item.utf8.starts(with: name.utf8) else { return false }
                return item.utf8.dropFirst(name.utf8.count).first.map(parts.begin) ?? true
            }
            findings[isFound, default: 0] += 1
            expect(QueryItemNames(names).contains(item.utf8), isFound, "\(item) in \(names)")
        }
        #expect(findings.values.allSatisfy { $0 > 250 }, "\(findings)")
    }

    @Test(arguments: [
        "https://h", "HTTPS://u:p@[::1%25en0]:80/%zz?%#%", "http://h:/?", "?", "#", "//h", "mailto:a@b", "data:,x",
        "file:///a b", "https://é.example/é?é#é", "a:b:c", "./?", "https://h/a[b]?c[d]", "https://h/|?|^`",
    ])
    func anEditedURLNeverLosesItsNewItem(text: String) throws {
        let start = try #require(URL(string: text))
        var editor = QueryEditor(url: start)
        editor.add("k", "v\u{0}\r\n\u{FFFD} #[]|%")
        expect(editor.url.absoluteString, contains: "k=v%00%0D%0A%EF%BF%BD%20%23%5B%5D%7C%25")
        expect(editor.url.scheme, start.scheme)
    }

    @Test(.spec(12), .longComputation) func aURLIsEditedManyTimesAndItsCopiesAreIndependent() {
        var editor = QueryEditor(url: url("https://h/p?tag=1#f"))
        editor.remove("tag")
        editor.remove("tag")
        editor.add("a", nil)
        editor.add(escaped: Array("b=1&c=2".utf8))
        expect(editor.url.absoluteString, "https://h/p?a&b=1&c=2#f")
        var other = editor
        other.add("d", "3")
        editor.remove("b")
        expect(editor.url.absoluteString, "https://h/p?a&c=2#f")
        expect(other.url.absoluteString, "https://h/p?a&b=1&c=2&d=3#f")
        let value = String(repeating: "é ", count: 1_000)
        for index in 0..<50 { editor.add("n\(index)", value) }
        expect(editor.url.queryItems.dropFirst(2).map(\.value), Array(repeating: value, count: 50))
    }

    /// The ways in which removing `tag` removes an item: alone, with parts in brackets, and with those after a dot.
    @Test(.spec(9)) func aQueryItemIsFoundByItsDecodedNameAndItsPartsOnRequest() {
        let rows: [([String], [Bool])] = [
            (["tag", "tag=", "tag=a", "t%61g=a", "%74%61%67", "tag=tag=a"], [true, true, true]),
            (["tag[]=a", "tag%5B%5D=a", "tag[0]", "tag[k][j]=a", "tag%5b"], [false, true, true]),
            (["tag.k=1", "tag%2Ek=1"], [false, false, true]),
            (["", "=tag", "ta=1", "tags=1", "Tag=1", "tag%=1", "tag%20=1"], [false, false, false]),
            (["a=tag", "%FFtag", "tag+", "tags.k=1"], [false, false, false]),
        ]
        for (items, isFound) in rows {
            for item in items { expect(allParts.map { matches("tag", item, parts: $0) }, isFound, item) }
        }
    }

    @Test func namesOfQueryItemsAreComparedByBytes() {
        expect(matches("é", "%C3%A9=1"), true)
        expect(matches("é", "e%CC%81=1"), false)
        expect(matches("%zz", "%zz=1"), true)
    }

    private func matches(_ name: String, _ item: String, parts: QueryItemParts = .none) -> Bool {
        var editor = QueryEditor(url: url("https://h?\(item)&end"))
        editor.remove(name, parts: parts)
        return editor.url.absoluteString == "https://h?end"
    }
}
