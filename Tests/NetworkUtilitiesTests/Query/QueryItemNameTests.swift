import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct QueryItemNameTests {
    private func matches(_ name: String, _ item: String, parts: QueryItemName.Parts = .none) -> Bool {
        Array(item.utf8).withUnsafeBufferPointer(QueryItemName(name, parts: parts).matches)
    }

    @Test(.spec(9), arguments: ["tag", "tag=", "tag=a", "t%61g=a", "%74%61%67", "tag=tag=a"])
    func findsTheNameHoweverItIsEscaped(item: String) {
        #expect(matches("tag", item))
    }

    @Test(.spec(9), arguments: ["tag[]=a", "tag%5B%5D=a", "tag[0]", "tag[k][j]=a", "tag%5b"])
    func findsPartsInBracketsWhereAsked(item: String) {
        #expect(matches("tag", item, parts: .inBrackets))
        #expect(matches("tag", item, parts: .inBracketsOrAfterADot))
        #expect(!matches("tag", item))
    }

    @Test(arguments: [
        "", "=tag", "ta=1", "tags=1", "Tag=1", "tag%=1", "tag%20=1", "a=tag", "tag.k=1", "%FFtag", "tag+",
    ])
    func findsNothingElse(item: String) {
        #expect(!matches("tag", item))
    }

    @Test func findsPartsAfterADotWhereAsked() {
        #expect(matches("tag", "tag.k=1", parts: .inBracketsOrAfterADot))
        #expect(matches("tag", "tag%2Ek=1", parts: .inBracketsOrAfterADot))
        #expect(!matches("tag", "tags.k=1", parts: .inBracketsOrAfterADot))
    }

    @Test func comparesBytesNotLetters() {
        #expect(matches("é", "%C3%A9=1"))
        #expect(!matches("é", "e%CC%81=1"))
        #expect(matches("%zz", "%zz=1"))
    }
}
