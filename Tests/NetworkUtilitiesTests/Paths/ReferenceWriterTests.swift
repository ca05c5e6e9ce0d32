@testable import NetworkUtilities

struct ReferenceWriterTests {
    private func text(_ path: RequestPath, base: String = "https://h/v1") throws -> String {
        try path.resolved(against: url(base)).absoluteString
    }

    @Test(.spec(180)) func aForbiddenSegmentIsBlamedOnTheLiteralOrTheValueThatEndsIt() {
        let rows: [(RequestPath, RequestPathError)] = [
            ("/\("x")/..", .dotSegment(.init(value: nil, path: "/{1}/.."))),
            ("/\("x")/./\("y")", .dotSegment(.init(value: nil, path: "/{1}/./{2}"))),
            ("/\(encoded: "a/b")/..", .dotSegment(.init(value: nil, path: "/{1}/.."))),
            ("/\(".")./x", .dotSegment(.init(value: "{1}", path: "/{1}./x"))),
            ("/\("x")/\(encoded: "y/..")", .dotSegment(.init(value: "{2}", path: "/{1}/{2}"))),
            ("\(encoded: "/")/posts", .emptySegment(.init(value: "{1}", path: "{1}/posts"))),
            ("/\(encoded: "a/")/posts", .emptySegment(.init(value: "{1}", path: "/{1}/posts"))),
        ]
        for (path, error) in rows { #expect(throws: error) { try text(path) } }
    }

    @Test func aPathHasOneQueryAndOneFragmentAtMost() throws {
        let rows = [
            "/a#b#c": "a#b%23c", "/a#b?c/../#": "a#b?c/../%23", "a?b?c#d": "a?b?c#d", "a?b#c#d": "a?b#c%23d",
        ]
        for (encoded, result) in rows {
            expect(try text(RequestPath(stringLiteral: encoded)), "https://h/v1/" + result)
            expect(try text("\(encoded: encoded)"), "https://h/v1/" + result)
        }
    }

    @Test func anEscapedTextKeepsItsSlashesAndOneBehindAnEmptyExpressionIsDropped() throws {
        let template = try RequestPath.template("{/id}/users", variables: [:])
        let rows: [(RequestPath, String)] = [
            ("\(encoded: "/")", "/"), ("\(encoded: "/a/")", "/a/"), ("\(encoded: "/a")/b", "/a/b"),
            ("/\(encoded: "a//b/")", "/a//b/"), ("/\(encoded: "a/")?q=1", "/a/?q=1"), (template, "/users"),
        ]
        for (path, result) in rows {
            for base in ["https://h/v1", "https://h/v1/"] {
                expect(try text(path, base: base), "https://h/v1" + result)
            }
        }
    }
}
