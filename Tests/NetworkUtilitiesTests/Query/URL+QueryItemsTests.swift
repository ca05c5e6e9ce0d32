import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct URLQueryItemsTests {
    private func items(_ text: String) -> [[String?]] {
        url(text).queryItems.map { [$0.name, $0.value] }
    }

    @Test(.spec(20)) func queryItemsAreReadInOrder() {
        #expect(items("https://h/?a=1&a&b=2&a=3") == [["a", "1"], ["a", nil], ["b", "2"], ["a", "3"]])
        #expect(items("https://h/?a=&=b&=&c=d=e") == [["a", ""], ["", "b"], ["", ""], ["c", "d=e"]])
        #expect(items("https://h/?&a=1&&b=2&") == [["a", "1"], ["b", "2"]])
        #expect(items("https://h/?q=1#f?x=2&y=3") == [["q", "1"]])
    }

    @Test(.spec(20), arguments: ["https://h/", "https://h/?", "https://h/#?a=1", "https://h/?#a=1", "mailto:a@b", "a"])
    func aURLWithoutQueryItemsHasNone(text: String) {
        #expect(items(text).isEmpty)
    }

    @Test(.spec(20)) func namesAndValuesOfQueryItemsAreDecoded() {
        #expect(items("https://h/?a%5B%5D=1%2B1%20%26%3d&q=a+b") == [["a[]", "1+1 &="], ["q", "a+b"]])
        #expect(items("https://h/?%C3%A9=%F0%9F%98%80") == [["é", "😀"]])
        #expect(items("https://h/?a%00b=%0D%0A") == [["a\u{0}b", "\r\n"]])
    }

    @Test(.spec(20)) func escapesInAQueryThatAreNotUTF8StayUnchanged() {
        #expect(items("https://h/?a=%FF%41&b=1") == [["a", "%FF%41"], ["b", "1"]])
        #expect(items("https://h/?%C3=%ED%A0%80&a%41=%C3%A9") == [["%C3", "%ED%A0%80"], ["aA", "é"]])
    }

    @Test func queryItemsOfARelativeURLAreItsOwn() throws {
        let base = url("https://h/a?b=1")
        #expect(try #require(URL(string: "?c=2", relativeTo: base)).queryItems.map(\.name) == ["c"])
        #expect(try #require(URL(string: "c", relativeTo: base)).queryItems.isEmpty)
    }

    @Test func queryItemsAreReadBackAsTheBuilderWroteThem() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            var editor = QueryEditor(url: url("https://h/p#f"))
            let expected = (0..<5).map { _ in [text(&generator), text(&generator)] }
            for item in expected { editor.add(item[0], item[1]) }
            #expect(editor.url.queryItems.map { [$0.name, $0.value ?? ""] } == expected)
        }
    }

    private func text(_ generator: inout SeededGenerator) -> String {
        let scalars = (0..<8).compactMap { _ in UnicodeScalar(UInt32.random(in: 0..<0x2FFF, using: &generator)) }
        return String(String.UnicodeScalarView(scalars))
    }

    @Test(
        .spec(20),
        arguments: [
            ("https://h/?a=1&a&b=2", ["a": "1", "b": "2"]), ("https://h/?a=1&a=2", ["a": "2"]), ("https://h/?", [:]),
            ("https://h/?q=1%2B1%20%26", ["q": "1+1 &"]), ("https://h/?a", [:]),
        ]
    )
    func queryParametersHoldTheLastValueOfAName(text: String, parameters: [String: String]) {
        #expect(url(text).queryParameters == parameters)
    }

    @Test func queryParametersAreNilWithoutAQuery() {
        #expect(url("https://h/").queryParameters == nil)
    }
}
