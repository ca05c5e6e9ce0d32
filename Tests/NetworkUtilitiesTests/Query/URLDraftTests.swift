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
