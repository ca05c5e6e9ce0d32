@testable import NetworkUtilities

struct QueryStageTests {
    private let start = URLRequest.get(url: url("https://h/p"))

    private func query(_ stage: URLRequest.QueryBuilder) -> String? { stage.build().query }

    private func begin(_ text: String) -> URLRequest.QueryBuilder { .get(url: url(text)) }

    @Test(.spec(2, 3)) func queryItemsAreAppendedInCallOrderAndThoseOfADictionarySorted() {
        let two = start.add(query: "param1", value: "value1").add(query: "param2", value: "value2")
        expect(two.build().address, "https://h/p?param1=value1&param2=value2")
        expect(query(two.set(query: "param1", value: "3")), "param2=value2&param1=3")
        // So many that no other order can be sorted by chance.
        let names = (10..<60).map { "n\($0)" }
        let items = Dictionary(uniqueKeysWithValues: names.map { ($0, "v") })
        expect(query(start.add(queryItems: items)), names.map { "\($0)=v" }.joined(separator: "&"))
        for _ in 0..<1000 {
            let built = start.add(queryItems: ["name2": "value2", "name1": "value1"])
            expect(query(built), "name1=value1&name2=value2")
        }
    }

    @Test(.spec(6, 7)) func queryValuesKeepUnreservedCharactersSlashAndQuestionMarkOnly() {
        let rows: [(String, String)] = [
            ("1+1 =2&;#é", "q=1%2B1%20%3D2%26%3B%23%C3%A9"), ("jpg,png", "q=jpg%2Cpng"), ("a/b?c", "q=a/b?c"),
            ("-._~", "q=-._~"), ("!$'()*:@[]%", "q=%21%24%27%28%29%2A%3A%40%5B%5D%25"), ("", "q="),
            ("\u{0}\r\n", "q=%00%0D%0A"), ("👩‍💻", "q=%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB"),
            (" HTTP/1.1\r\nX-Evil: 1\r\n\r\n", "q=%20HTTP/1.1%0D%0AX-Evil%3A%201%0D%0A%0D%0A"),
        ]
        for (value, expected) in rows {
            expect(start.add(query: "q", value: value).build().address, "https://h/p?\(expected)")
            expect(start.add(query: value, value: "1").build().address, "https://h/p?\(expected.dropFirst(2))=1")
        }
    }

    @Test(.spec(4, 8, 11)) func addingAQueryItemNeverChangesBytesOfTheURLAndNilAddsNothing() {
        let rows: [(String, String)] = [
            ("https://h/p?sig=a%2Bb%2Fc%3D", "https://h/p?sig=a%2Bb%2Fc%3D&x=1"),
            ("https://h/p#frag", "https://h/p?x=1#frag"), ("https://h/p?a=1#frag?x", "https://h/p?a=1&x=1#frag?x"),
            ("https://h/p?", "https://h/p?x=1"), ("https://h/p?a=1&", "https://h/p?a=1&x=1"),
            ("https://h", "https://h?x=1"), ("https://h/p?flag", "https://h/p?flag&x=1"),
            ("https://u:p%40@h:8443/%7Ea/?a=%20+", "https://u:p%40@h:8443/%7Ea/?a=%20+&x=1"),
            ("https://h/p?a=%2b#f", "https://h/p?a=%2b&x=1#f"),
        ]
        for (before, after) in rows {
            expect(begin(before).add(query: "x", value: "1").build().address, after)
            expect(begin(before).add(query: "x", value: nil).build().address, before)
        }
    }

    @Test(.spec(5, 9)) func addAppendsAndSetReplacesTheQueryItemsOfAName() {
        let start = begin("https://h/p?tag=a&tag=b&q=1")
        expect(query(start.add(query: "tag", value: "c")), "tag=a&tag=b&q=1&tag=c")
        expect(query(start.set(query: "tag", value: "c")), "q=1&tag=c")
        expect(query(start.set(query: "tag", value: nil)), "q=1")
        expect(query(begin("https://h/p?%74ag=a&tags=1&ta=2&tag").set(query: "tag", value: nil)), "tags=1&ta=2")
        expect(begin("https://h/p?tag=a#f").set(query: "tag", value: nil).build().address, "https://h/p#f")
        let items = [URLQueryItem(name: "flag", value: nil), URLQueryItem(name: "empty", value: "")]
        expect(query(begin("https://h/p").add(queryItems: items)), "flag&empty=")
    }

    private struct UserID: URLTextConvertible {
        let number: Int
        var urlText: String { "u\(number)" }
    }

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
            .add(query: "a", value: "x").add(query: "b", value: 2).add(query: "c", value: true)
            .add(query: "c", value: false).add(query: "d", value: nil).add(query: "e", value: number)
            .add(query: "e", value: text).add(query: "f", value: ["a", "b"]).add(query: "g", value: [1, 2])
            .add(query: "h", value: texts).add(query: "i", value: none).add(query: "i", value: noTexts)
            .add(query: "j", value: "abc".dropFirst()).add(query: "j", value: Character("é"))
            .add(query: "k", value: id).add(query: "l", value: UInt64.max).add(query: "l", value: Int8.min)
            .add(query: "m", value: UserID(number: 7)).add(query: "n", value: url("https://h/?a=1"))
            .add(query: "o", value: [true, false])
        let expected = [
            "a=x", "b=2", "c=true", "c=false", "e=3", "e=t", "f=a", "f=b", "g=1", "g=2", "h=x", "h=y", "j=bc",
            "j=%C3%A9", "k=E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "l=18446744073709551615", "l=-128", "m=u7",
            "n=https%3A//h/?a%3D1", "o=true", "o=false",
        ]
        expect(query(built)?.components(separatedBy: "&"), expected)
    }

    @Test(.spec(10)) func queryArraysAreWrittenInTheirStyle() {
        let rows: [(FormStyle.ArrayStyle, String)] = [
            (FormStyle.ArrayStyle.repeated, "tag=a&tag=b%2Cc&tag="),
            (.brackets, "tag%5B%5D=a&tag%5B%5D=b%2Cc&tag%5B%5D="),
            (.indices, "tag%5B0%5D=a&tag%5B1%5D=b%2Cc&tag%5B2%5D="),
            (.comma, "tag=a,b%2Cc,"),
        ]
        for (style, expected) in rows {
            expect(query(start.add(query: "tag", value: ["a", "b,c", ""], arrays: style)), expected)
            expect(query(start.set(query: "tag", value: ["a", "b,c", ""], arrays: style)), expected)
            expect(query(start.add(query: "tag", value: [String](), arrays: style)), nil)
            expect(query(start.add(query: "tag", value: [Int]?.none, arrays: style)), nil)
            expect(query(start.add(query: "a&b", value: ["x", "y"])), "a%26b=x&a%26b=y")
            expect(query(start.set(query: "a", value: [1, 2])), "a=1&a=2")
        }
    }

    private enum Plain: String, URLTextConvertible { case up = "u p" }
    private enum Coded: Int, Codable, URLTextConvertible { case low = -1 }
    private enum Both: String, Codable, URLTextConvertible {
        case on
        var urlText: String { "own \(rawValue)" }
    }

    /// The test is that this compiles: no step needs `try`, and no overload is ambiguous.
    @Test(.spec(10)) func everyKindOfEnumIsAQueryValueWithoutTryAloneAndInAnArray() {
        let coded: Coded? = .low
        let none: Plain? = nil
        let single = start.add(query: "a", value: Plain.up).add(query: "b", value: coded)
            .add(query: "c", value: Both.on).add(query: "d", value: none)
        expect(query(single), "a=u%20p&b=-1&c=own%20on")
        let arrays = start.add(query: "a", value: [Plain.up, .up], arrays: .indices)
            .add(query: "b", value: [Coded.low], arrays: .brackets)
            .add(query: "c", value: [Both.on, .on], arrays: .comma).add(query: "d", value: [Both]?.none)
        expect(query(arrays), "a%5B0%5D=u%20p&a%5B1%5D=u%20p&b%5B%5D=-1&c=own%20on,own%20on")
    }

    private let tagged = URLRequest.get(
        url: url("https://h/p?s=a&q=1&s%5B%5D=b&s%5b0%5d=c&s%5Bk%5D=d&ss=e&s.k=f&%73=g&s&%73%5Bk%5D=5")
    )

    @Test(.spec(9)) func aSingleQueryValueReplacesItemsOfExactlyItsName() {
        let others = "q=1&s%5B%5D=b&s%5b0%5d=c&s%5Bk%5D=d&ss=e&s.k=f&%73%5Bk%5D=5"
        let rows: [(URLRequest.QueryBuilder, String)] = [
            (tagged.set(query: "s", value: 2), "&s=2"), (tagged.set(query: "s", value: "x"), "&s=x"),
            (tagged.set(query: "s", value: Int?.none), ""), (tagged.set(query: "s", value: nil), ""),
            (tagged.set(query: "s", value: Plain.up), "&s=u%20p"), (tagged.set(query: "s", value: Coded.low), "&s=-1"),
            (tagged.set(query: "s", value: Both.on), "&s=own%20on"),
            (tagged.set(query: "s", value: Plain?.none), ""), (tagged.set(query: "s", value: Both?.none), ""),
        ]
        for (stage, added) in rows { expect(query(stage), others + added) }
    }

    @Test(.spec(9, 10)) func aQueryArrayReplacesItsNameInEveryStyle() {
        let rows: [(URLRequest.QueryBuilder, String)] = [
            (tagged.set(query: "s", value: [2, 3], arrays: .brackets), "&s%5B%5D=2&s%5B%5D=3"),
            (tagged.set(query: "s", value: [Int]()), ""), (tagged.set(query: "s", value: [Plain.up]), "&s=u%20p"),
            (tagged.set(query: "s", value: [Coded.low], arrays: .brackets), "&s%5B%5D=-1"),
            (tagged.set(query: "s", value: [Both.on, .on]), "&s=own%20on&s=own%20on"),
            (tagged.set(query: "s", value: [Plain.up], arrays: .indices), "&s%5B0%5D=u%20p"),
            (tagged.set(query: "s", value: [Plain]()), ""), (tagged.set(query: "s", value: [Both]?.none), ""),
        ]
        for (stage, added) in rows { expect(query(stage), "q=1&ss=e&s.k=f" + added) }
    }
}
