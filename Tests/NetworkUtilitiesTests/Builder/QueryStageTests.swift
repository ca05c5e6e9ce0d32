import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct QueryStageTests {
    private let upload = url("https://api.example.com/upload")

    @Test(.spec(2)) func appendsItemsInCallOrder() {
        let request = URLRequest.get(url: upload)
            .add(query: "param1", value: "value1")
            .add(query: "param2", value: "value2")
            .build()
        #expect(request.url?.absoluteString == "https://api.example.com/upload?param1=value1&param2=value2")
    }

    @Test(.spec(3)) func sortsTheItemsOfADictionaryEveryTime() {
        for _ in 0..<1000 {
            let request = URLRequest.get(url: upload).add(queryItems: ["name2": "value2", "name1": "value1"]).build()
            #expect(request.url?.query == "name1=value1&name2=value2")
        }
    }

    /// So many that no other order can be sorted by chance.
    @Test(.spec(3)) func sortsManyItemsOfADictionary() {
        let names = (10..<60).map { "n\($0)" }
        let items = Dictionary(uniqueKeysWithValues: names.map { ($0, "v") })
        let expected = names.map { "\($0)=v" }.joined(separator: "&")
        #expect(URLRequest.get(url: upload).add(queryItems: items).build().url?.query == expected)
    }

    @Test(.spec(4)) func leavesTheURLAloneForANilValue() {
        for text in ["https://api.example.com/upload", "https://h", "https://h/p?", "https://h/p?a=%2b#f"] {
            let request = URLRequest.get(url: url(text)).add(query: "x", value: nil).build()
            #expect(request.url?.absoluteString == text)
        }
    }

    @Test(.spec(5)) func writesAnItemWithoutValueAsItsName() {
        let flag = URLRequest.get(url: upload).add(queryItems: [URLQueryItem(name: "flag", value: nil)]).build()
        #expect(flag.url?.absoluteString == "https://api.example.com/upload?flag")
        let items = [URLQueryItem(name: "flag", value: nil), URLQueryItem(name: "empty", value: "")]
        #expect(URLRequest.get(url: upload).add(queryItems: items).build().url?.query == "flag&empty=")
    }

    @Test(
        .spec(6, 7),
        arguments: [
            ("1+1 =2&;#é", "q=1%2B1%20%3D2%26%3B%23%C3%A9"),
            ("jpg,png", "q=jpg%2Cpng"),
            ("a/b?c", "q=a/b?c"),
            ("-._~", "q=-._~"),
            ("!$'()*:@[]%", "q=%21%24%27%28%29%2A%3A%40%5B%5D%25"),
            ("", "q="),
            ("\u{0}\r\n", "q=%00%0D%0A"),
            ("👩‍💻", "q=%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB"),
        ]
    )
    func escapesAllButUnreservedCharactersSlashAndQuestionMark(value: String, query: String) {
        let request = URLRequest.get(url: upload).add(query: "q", value: value).build()
        #expect(request.url?.absoluteString == "https://api.example.com/upload?\(query)")
    }

    @Test(
        .spec(8, 11),
        arguments: [
            ("https://h/p?sig=a%2Bb%2Fc%3D", "https://h/p?sig=a%2Bb%2Fc%3D&x=1"),
            ("https://h/p#frag", "https://h/p?x=1#frag"),
            ("https://h/p?a=1#frag?x", "https://h/p?a=1&x=1#frag?x"),
            ("https://h/p?", "https://h/p?x=1"),
            ("https://h/p?a=1&", "https://h/p?a=1&x=1"),
            ("https://h", "https://h?x=1"),
            ("https://u:p%40@h:8443/%7Ea/?a=%20+", "https://u:p%40@h:8443/%7Ea/?a=%20+&x=1"),
            ("https://h/p?flag", "https://h/p?flag&x=1"),
        ]
    )
    func neverTouchesBytesThatAreInTheURL(before: String, after: String) {
        #expect(URLRequest.get(url: url(before)).add(query: "x", value: "1").build().url?.absoluteString == after)
    }

    @Test(.spec(9)) func appendsWithAdd() {
        let start = url("https://h/p?tag=a&tag=b&q=1")
        let request = URLRequest.get(url: start).add(query: "tag", value: "c").build()
        #expect(request.url?.query == "tag=a&tag=b&q=1&tag=c")
    }

    @Test(.spec(9)) func replacesWithSet() {
        let start = url("https://h/p?tag=a&tag=b&q=1")
        #expect(URLRequest.get(url: start).set(query: "tag", value: "c").build().url?.query == "q=1&tag=c")
        #expect(URLRequest.get(url: start).set(query: "tag", value: nil).build().url?.query == "q=1")
    }

    @Test func removesAnItemByItsDecodedNameOnly() {
        let start = url("https://h/p?%74ag=a&tags=1&ta=2&tag")
        #expect(URLRequest.get(url: start).set(query: "tag", value: nil).build().url?.query == "tags=1&ta=2")
    }

    @Test func dropsTheMarkWithTheLastItem() {
        let request = URLRequest.get(url: url("https://h/p?tag=a#f")).set(query: "tag", value: nil).build()
        #expect(request.url?.absoluteString == "https://h/p#f")
    }

    @Test func replacesItemsThatTheBuilderAdded() {
        let request = URLRequest.get(url: upload)
            .add(query: "a", value: "1").add(query: "b", value: "2").set(query: "a", value: "3").build()
        #expect(request.url?.query == "b=2&a=3")
    }
}
