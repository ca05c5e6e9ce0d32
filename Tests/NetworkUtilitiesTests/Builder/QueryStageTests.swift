import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct QueryStageTests {
    private let upload = url("https://api.example.com/upload")

    @Test(.spec(2)) func queryItemsAreAppendedInCallOrder() {
        let request = URLRequest.get(url: upload)
            .add(query: "param1", value: "value1")
            .add(query: "param2", value: "value2")
            .build()
        #expect(request.url?.absoluteString == "https://api.example.com/upload?param1=value1&param2=value2")
    }

    @Test(.spec(3)) func queryItemsOfADictionaryAreSortedEveryTime() {
        for _ in 0..<1000 {
            let request = URLRequest.get(url: upload).add(queryItems: ["name2": "value2", "name1": "value1"]).build()
            #expect(request.url?.query == "name1=value1&name2=value2")
        }
    }

    /// So many that no other order can be sorted by chance.
    @Test(.spec(3)) func manyQueryItemsOfADictionaryAreSorted() {
        let names = (10..<60).map { "n\($0)" }
        let items = Dictionary(uniqueKeysWithValues: names.map { ($0, "v") })
        let expected = names.map { "\($0)=v" }.joined(separator: "&")
        #expect(URLRequest.get(url: upload).add(queryItems: items).build().url?.query == expected)
    }

    @Test(.spec(4)) func addingANilQueryValueLeavesTheURLUnchanged() {
        for text in ["https://api.example.com/upload", "https://h", "https://h/p?", "https://h/p?a=%2b#f"] {
            let request = URLRequest.get(url: url(text)).add(query: "x", value: nil).build()
            #expect(request.url?.absoluteString == text)
        }
    }

    @Test(.spec(5)) func aQueryItemWithoutAValueIsItsNameAlone() {
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
    func queryValuesKeepUnreservedCharactersSlashAndQuestionMarkOnly(value: String, query: String) {
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
    func addingAQueryItemNeverChangesBytesOfTheURL(before: String, after: String) {
        #expect(URLRequest.get(url: url(before)).add(query: "x", value: "1").build().url?.absoluteString == after)
    }

    @Test(.spec(9)) func addAppendsAQueryItem() {
        let start = url("https://h/p?tag=a&tag=b&q=1")
        let request = URLRequest.get(url: start).add(query: "tag", value: "c").build()
        #expect(request.url?.query == "tag=a&tag=b&q=1&tag=c")
    }

    @Test(.spec(9)) func setReplacesTheQueryItemsOfAName() {
        let start = url("https://h/p?tag=a&tag=b&q=1")
        #expect(URLRequest.get(url: start).set(query: "tag", value: "c").build().url?.query == "q=1&tag=c")
        #expect(URLRequest.get(url: start).set(query: "tag", value: nil).build().url?.query == "q=1")
    }

    @Test func setRemovesQueryItemsByTheirDecodedNameOnly() {
        let start = url("https://h/p?%74ag=a&tags=1&ta=2&tag")
        #expect(URLRequest.get(url: start).set(query: "tag", value: nil).build().url?.query == "tags=1&ta=2")
    }

    @Test func removingTheLastQueryItemRemovesTheQuestionMark() {
        let request = URLRequest.get(url: url("https://h/p?tag=a#f")).set(query: "tag", value: nil).build()
        #expect(request.url?.absoluteString == "https://h/p#f")
    }

    @Test func setReplacesQueryItemsThatTheBuilderAdded() {
        let request = URLRequest.get(url: upload)
            .add(query: "a", value: "1").add(query: "b", value: "2").set(query: "a", value: "3").build()
        #expect(request.url?.query == "b=2&a=3")
    }

    private let start = URLRequest.get(url: url("https://h/p"))

    private struct UserID: URLTextConvertible {
        let number: Int
        var urlText: String { "u\(number)" }
    }

    private func query(_ stage: URLRequest.QueryBuilder) -> String? { stage.build().url?.query }

    /// The test is that this compiles: no step needs `try` or an annotation.
    @Test(.spec(4, 10)) func queryValuesOfManyTypesNeedNoTry() throws {
        let number: Int? = 3
        let text: String? = "t"
        let texts: [String]? = ["x", "y"]
        let none: Int? = nil
        let noTexts: [String]? = nil
        let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let built =
            start
            .add(query: "a", value: "x")
            .add(query: "b", value: 2)
            .add(query: "c", value: true).add(query: "c", value: false)
            .add(query: "d", value: nil)
            .add(query: "e", value: number).add(query: "e", value: text)
            .add(query: "f", value: ["a", "b"])
            .add(query: "g", value: [1, 2])
            .add(query: "h", value: texts)
            .add(query: "i", value: none).add(query: "i", value: noTexts)
            .add(query: "j", value: "abc".dropFirst()).add(query: "j", value: Character("é"))
            .add(query: "k", value: id)
            .add(query: "l", value: UInt64.max).add(query: "l", value: Int8.min)
            .add(query: "m", value: UserID(number: 7))
            .add(query: "n", value: url("https://h/?a=1"))
            .add(query: "o", value: [true, false])
            .build()
        let expected = [
            "a=x", "b=2", "c=true", "c=false", "e=3", "e=t", "f=a", "f=b", "g=1", "g=2", "h=x", "h=y", "j=bc",
            "j=%C3%A9", "k=E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "l=18446744073709551615", "l=-128", "m=u7",
            "n=https%3A//h/?a%3D1", "o=true", "o=false",
        ]
        #expect(built.url?.query?.components(separatedBy: "&") == expected)
    }

    @Test(
        .spec(10),
        arguments: [
            (FormStyle.ArrayStyle.repeated, "tag=a&tag=b%2Cc&tag="),
            (.brackets, "tag%5B%5D=a&tag%5B%5D=b%2Cc&tag%5B%5D="),
            (.indices, "tag%5B0%5D=a&tag%5B1%5D=b%2Cc&tag%5B2%5D="),
            (.comma, "tag=a,b%2Cc,"),
        ]
    )
    func queryArraysAreWrittenInTheirStyle(style: FormStyle.ArrayStyle, expected: String) {
        #expect(query(start.add(query: "tag", value: ["a", "b,c", ""], arrays: style)) == expected)
        #expect(query(start.set(query: "tag", value: ["a", "b,c", ""], arrays: style)) == expected)
        #expect(query(start.add(query: "tag", value: [String](), arrays: style)) == nil)
        #expect(query(start.add(query: "tag", value: [Int]?.none, arrays: style)) == nil)
    }

    @Test(.spec(10)) func aQueryArrayRepeatsItsNameByDefault() {
        #expect(query(start.add(query: "a&b", value: ["x", "y"])) == "a%26b=x&a%26b=y")
        #expect(query(start.set(query: "a", value: [1, 2])) == "a=1&a=2")
    }

    private let tagged = URLRequest.get(
        url: url("https://h/p?tag=a&q=1&tag%5B%5D=b&tag%5b0%5d=c&tag%5Bk%5D=d&tags=e&tag.k=f&t%61g=g&tag")
    )

    @Test(.spec(9)) func aSingleQueryValueReplacesItemsOfExactlyItsName() {
        let rest = "q=1&tag%5B%5D=b&tag%5b0%5d=c&tag%5Bk%5D=d&tags=e&tag.k=f"
        #expect(query(tagged.set(query: "tag", value: 2)) == "\(rest)&tag=2")
        #expect(query(tagged.set(query: "tag", value: "x")) == "\(rest)&tag=x")
        #expect(query(tagged.set(query: "tag", value: Int?.none)) == rest)
        #expect(query(tagged.set(query: "tag", value: nil)) == rest)
    }

    @Test(.spec(9, 10)) func aQueryArrayReplacesItsNameInEveryStyle() {
        #expect(
            query(tagged.set(query: "tag", value: [2, 3], arrays: .brackets))
                == "q=1&tags=e&tag.k=f&tag%5B%5D=2&tag%5B%5D=3"
        )
        #expect(query(tagged.set(query: "tag", value: [Int]())) == "q=1&tags=e&tag.k=f")
    }

    private let numbered = URLRequest.get(url: url("https://h/p?s=0"))

    private enum Plain: String { case up = "u p" }
    private enum Coded: Int, Codable { case low = -1 }
    private enum Declared: String, URLTextConvertible { case on }
    private enum Both: String, Codable, URLTextConvertible {
        case on
        var urlText: String { "own \(rawValue)" }
    }

    /// The test is that this compiles: no step needs `try`, and no overload is ambiguous.
    @Test(.spec(10)) func everyKindOfEnumIsAQueryValueWithoutTry() {
        let coded: Coded? = .low
        let none: Plain? = nil
        let built =
            numbered
            .add(query: "a", value: Plain.up)
            .add(query: "b", value: coded)
            .add(query: "c", value: Declared.on)
            .add(query: "d", value: Both.on)
            .add(query: "e", value: none)
        #expect(query(built) == "s=0&a=u%20p&b=-1&c=on&d=own%20on")
    }

    @Test(.spec(10)) func arraysOfEnumsAreQueryValues() {
        let built =
            numbered
            .add(query: "a", value: [Plain.up, .up])
            .add(query: "b", value: [Coded.low], arrays: .brackets)
            .add(query: "c", value: [Declared.on], arrays: .indices)
            .add(query: "d", value: [Both.on, .on], arrays: .comma)
            .add(query: "e", value: [Both]?.none)
        #expect(query(built) == "s=0&a=u%20p&a=u%20p&b%5B%5D=-1&c%5B0%5D=on&d=own%20on,own%20on")
    }

    @Test(.spec(9)) func enumsReplaceQueryItems() {
        #expect(query(numbered.set(query: "s", value: Plain.up)) == "s=u%20p")
        #expect(query(numbered.set(query: "s", value: Coded.low)) == "s=-1")
        #expect(query(numbered.set(query: "s", value: Declared.on)) == "s=on")
        #expect(query(numbered.set(query: "s", value: Both.on)) == "s=own%20on")
        #expect(query(numbered.set(query: "s", value: [Plain.up], arrays: .brackets)) == "s%5B%5D=u%20p")
        #expect(query(numbered.set(query: "s", value: [Both.on, .on])) == "s=own%20on&s=own%20on")
        #expect(query(numbered.set(query: "s", value: Plain?.none)) == nil)
    }

    private static let parts = "s=0&s%5B%5D=1&s%5B0%5D=2&s.k=3&ss=4&%73%5Bk%5D=5"

    @Test(.spec(9)) func anArrayOfEnumsReplacesTheItemsInBracketsAsWell() {
        let before = URLRequest.get(url: url("https://h/p?\(Self.parts)"))
        #expect(query(before.set(query: "s", value: [Plain.up])) == "s.k=3&ss=4&s=u%20p")
        #expect(query(before.set(query: "s", value: [Coded.low], arrays: .brackets)) == "s.k=3&ss=4&s%5B%5D=-1")
        #expect(query(before.set(query: "s", value: [Both.on])) == "s.k=3&ss=4&s=own%20on")
        #expect(query(before.set(query: "s", value: [Declared.on], arrays: .indices)) == "s.k=3&ss=4&s%5B0%5D=on")
        #expect(query(before.set(query: "s", value: [Plain]())) == "s.k=3&ss=4")
        #expect(query(before.set(query: "s", value: [Both]?.none)) == "s.k=3&ss=4")
    }

    @Test(.spec(9)) func aSingleEnumReplacesItemsOfExactlyItsName() {
        let before = URLRequest.get(url: url("https://h/p?\(Self.parts)"))
        let kept = Self.parts.dropFirst("s=0&".count)
        #expect(query(before.set(query: "s", value: Plain.up)) == "\(kept)&s=u%20p")
        #expect(query(before.set(query: "s", value: Both.on)) == "\(kept)&s=own%20on")
        #expect(query(before.set(query: "s", value: Plain?.none)) == String(kept))
        #expect(query(before.set(query: "s", value: Both?.none)) == String(kept))
    }
}
