import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct QueryStageTextTests {
    private let start = URLRequest.get(url: url("https://h/p"))

    private struct UserID: URLTextConvertible {
        let number: Int
        var urlText: String { "u\(number)" }
    }

    private func query(_ stage: URLRequest.QueryBuilder) -> String? { stage.build().url?.query }

    /// Compiles as a whole, which is what it is about: no `try`, no annotation, one meaning each.
    @Test(.spec(4, 10)) func takesValuesOfManyTypesWithoutTry() throws {
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
    func writesArraysInTheirStyle(style: FormStyle.ArrayStyle, expected: String) {
        #expect(query(start.add(query: "tag", value: ["a", "b,c", ""], arrays: style)) == expected)
        #expect(query(start.set(query: "tag", value: ["a", "b,c", ""], arrays: style)) == expected)
        #expect(query(start.add(query: "tag", value: [String](), arrays: style)) == nil)
        #expect(query(start.add(query: "tag", value: [Int]?.none, arrays: style)) == nil)
    }

    @Test(.spec(10)) func repeatsTheNameOfAnArrayByDefault() {
        #expect(query(start.add(query: "a&b", value: ["x", "y"])) == "a%26b=x&a%26b=y")
        #expect(query(start.set(query: "a", value: [1, 2])) == "a=1&a=2")
    }

    private let tagged = URLRequest.get(
        url: url("https://h/p?tag=a&q=1&tag%5B%5D=b&tag%5b0%5d=c&tag%5Bk%5D=d&tags=e&tag.k=f&t%61g=g&tag")
    )

    @Test(.spec(9)) func replacesTheItemsOfExactlyTheNameByOneValue() {
        let rest = "q=1&tag%5B%5D=b&tag%5b0%5d=c&tag%5Bk%5D=d&tags=e&tag.k=f"
        #expect(query(tagged.set(query: "tag", value: 2)) == "\(rest)&tag=2")
        #expect(query(tagged.set(query: "tag", value: "x")) == "\(rest)&tag=x")
        #expect(query(tagged.set(query: "tag", value: Int?.none)) == rest)
        #expect(query(tagged.set(query: "tag", value: nil)) == rest)
    }

    @Test(.spec(9, 10)) func replacesTheNameInEveryStyleByAnArray() {
        #expect(
            query(tagged.set(query: "tag", value: [2, 3], arrays: .brackets))
                == "q=1&tags=e&tag.k=f&tag%5B%5D=2&tag%5B%5D=3"
        )
        #expect(query(tagged.set(query: "tag", value: [Int]())) == "q=1&tags=e&tag.k=f")
    }
}
