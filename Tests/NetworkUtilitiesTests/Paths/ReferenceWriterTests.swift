import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct ReferenceWriterTests {
    private func text(_ path: RequestPath, base: String = "https://h/v1") throws -> String {
        try path.resolved(against: url(base)).absoluteString
    }

    @Test func aDotSegmentOfTheLiteralBehindAValueIsBlamedOnTheLiteral() {
        let behind = RequestPathError.Place(value: nil, path: "/{1}/..")
        #expect(throws: RequestPathError.dotSegment(behind)) { try text("/\("x")/..") }
        let between = RequestPathError.Place(value: nil, path: "/{1}/./{2}")
        #expect(throws: RequestPathError.dotSegment(between)) { try text("/\("x")/./\("y")") }
        let escaped = RequestPathError.Place(value: nil, path: "/{1}/..")
        #expect(throws: RequestPathError.dotSegment(escaped)) { try text("/\(encoded: "a/b")/..") }
    }

    @Test func aDotSegmentThatAValueEndsIsBlamedOnTheValue() {
        let place = RequestPathError.Place(value: "{1}", path: "/{1}./x")
        #expect(throws: RequestPathError.dotSegment(place)) { try text("/\(".")./x") }
        let second = RequestPathError.Place(value: "{2}", path: "/{1}/{2}")
        #expect(throws: RequestPathError.dotSegment(second)) { try text("/\("x")/\(encoded: "y/..")") }
    }

    @Test(arguments: [
        ("/a#b#c", "a#b%23c"), ("a#b?c/../#", "a#b?c/../%23"), ("a?b?c#d", "a?b?c#d"), ("a?b#c#d", "a?b#c%23d"),
    ])
    func aPathHasOneQueryAndOneFragmentAtMost(text encoded: String, result: String) throws {
        #expect(try text(RequestPath(stringLiteral: encoded)) == "https://h/v1/" + result)
        #expect(try text("\(encoded: encoded)") == "https://h/v1/" + result)
    }

    @Test func anEscapedTextThatBeginsWithASlashIsAPathLikeTheLiteral() throws {
        for base in ["https://h/v1", "https://h/v1/"] {
            #expect(try text("\(encoded: "/")", base: base) == "https://h/v1/")
            #expect(try text("\(encoded: "/a/")", base: base) == "https://h/v1/a/")
            #expect(try text("\(encoded: "/a")/b", base: base) == "https://h/v1/a/b")
        }
    }

    @Test(.spec(180)) func anEscapedTextThatEndsInASlashLeavesNoEmptySegmentBehindIt() {
        for (path, outline) in [
            ("\(encoded: "/")/posts", "{1}/posts"), ("/\(encoded: "a/")/posts", "/{1}/posts"),
        ] as [(RequestPath, String)] {
            let place = RequestPathError.Place(value: "{1}", path: outline)
            #expect(throws: RequestPathError.emptySegment(place)) { try text(path) }
        }
    }

    @Test func anEscapedTextKeepsTheSlashesThatItHas() throws {
        #expect(try text("/\(encoded: "a//b/")") == "https://h/v1/a//b/")
        #expect(try text("/\(encoded: "a/")?q=1") == "https://h/v1/a/?q=1")
    }

    @Test func theFirstSlashBehindAnEmptyExpressionIsDropped() throws {
        let path = try RequestPath.template("{/id}/users", variables: [:])
        for base in ["https://h/v1", "https://h/v1/"] { #expect(try text(path, base: base) == "https://h/v1/users") }
    }
}
