import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct URLDraftTests {
    @Test func keepsTheMarkOfAURLThatWouldBeNothingWithoutIt() {
        let request = URLRequest.get(url: url("?a=1")).set(query: "a", value: nil).build()
        #expect(request.url?.absoluteString == "?")
    }

    @Test(.spec(8), arguments: ["https://h", "https://h/?", "https://h/?a=%2b&&b#", "HTTPS://H/%7e?x#y", "mailto:a@b"])
    func isTheURLItselfUntilSomethingChanges(text: String) {
        var draft = URLDraft(url: url(text))
        #expect(draft.url.absoluteString == text)
        draft.remove("missing")
        draft.add(escaped: [])
        draft.add("a", [], arrays: .brackets)
        #expect(draft.url.absoluteString == text)
    }

    @Test func keepsARelativeURLUntilSomethingChanges() throws {
        var draft = URLDraft(url: try #require(URL(string: "b", relativeTo: url("https://h/a?x=1"))))
        #expect(draft.url.baseURL != nil)
        draft.add("c", "1")
        #expect(draft.url.absoluteString == "https://h/b?c=1")
    }

    @Test(
        arguments: [
            ("https://h?tag=1", "https://h"), ("https://h?tag=1#f", "https://h#f"), ("https://h?tag&tag", "https://h"),
            ("https://h?tag&&a", "https://h?&a"), ("https://h?a&tag&", "https://h?a&"), ("https://h?tag&", "https://h"),
            ("https://h?a=%2b&tag=2&b=+#f?tag", "https://h?a=%2b&b=+#f?tag"), ("https://h#?tag=1", "https://h#?tag=1"),
        ]
    )
    func removesWholeItems(before: String, after: String) {
        var draft = URLDraft(url: url(before))
        draft.remove("tag")
        #expect(draft.url.absoluteString == after)
    }

    @Test func severalNamesAreRemovedAtOnceAsOneByOne() {
        let query = "a&a%5B%5D=1&a.b=2&a%5Bb%5D%5Bc%5D=3&ab=4&%61%5B=5&b.c=6&a.b%5Bc%5D=7&%5B=8&.=9&b%5Bc%5D.d&c"
        let parts = [QueryItemName.Parts.none, .inBrackets, .inBracketsOrAfterADot]
        for (one, other) in parts.flatMap({ one in parts.map { (one, $0) } }) {
            for names in [["a", "b"], ["a.b", "c"], ["a[b]", "b"], ["", "ab"], ["b[c]", "a"]] {
                var (together, apart) = (
                    URLDraft(url: url("https://h?\(query)")), URLDraft(url: url("https://h?\(query)"))
                )
                together.remove([(names[0], one), (names[1], other)])
                apart.remove(names[0], parts: one)
                apart.remove(names[1], parts: other)
                #expect(together.url == apart.url, "\(names) \(one) \(other)")
                if one == .inBracketsOrAfterADot { #expect(!together.url.absoluteString.hasSuffix(query)) }
            }
        }
    }

    @Test(arguments: [
        "https://h", "HTTPS://u:p@[::1%25en0]:80/%zz?%#%", "http://h:/?", "?", "#", "//h", "mailto:a@b", "data:,x",
        "file:///a b", "https://é.example/é?é#é", "a:b:c", "./?", "https://h/a[b]?c[d]", "https://h/|?|^`",
    ])
    func anEditedURLNeverLosesItsNewItem(text: String) throws {
        let start = try #require(URL(string: text))
        var draft = URLDraft(url: start)
        draft.add("k", "v\u{0}\r\n\u{FFFD} #[]|%")
        #expect(draft.url.absoluteString.contains("k=v%00%0D%0A%EF%BF%BD%20%23%5B%5D%7C%25"))
        #expect(draft.url.scheme == start.scheme)
    }

    @Test func goesOnAfterTheLastItemWasRemoved() {
        var draft = URLDraft(url: url("https://h/p?tag=1#f"))
        draft.remove("tag")
        draft.remove("tag")
        draft.add("a", nil)
        draft.add(escaped: Array("b=1&c=2".utf8))
        #expect(draft.url.absoluteString == "https://h/p?a&b=1&c=2#f")
        draft.remove("b")
        #expect(draft.url.absoluteString == "https://h/p?a&c=2#f")
    }

    @Test(.spec(12)) func isAValue() {
        var one = URLDraft(url: url("https://h/p"))
        one.add("a", "1")
        var other = one
        other.add("b", "2")
        one.add("c", "3")
        #expect(one.url.absoluteString == "https://h/p?a=1&c=3")
        #expect(other.url.absoluteString == "https://h/p?a=1&b=2")
    }

    @Test(.longComputation) func takesManyLongItems() {
        var draft = URLDraft(url: url("https://h/p"))
        let value = String(repeating: "é ", count: 1_000)
        for index in 0..<50 { draft.add("n\(index)", value) }
        #expect(draft.url.queryItems.map(\.value) == Array(repeating: value, count: 50))
    }
}
