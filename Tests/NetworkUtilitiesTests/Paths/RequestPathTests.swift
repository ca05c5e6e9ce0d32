@testable import NetworkUtilities

struct RequestPathTests {
    private static let base = "https://api.example.com/v1"

    private func text(_ path: RequestPath, base: String = base) throws -> String {
        try path.resolved(against: url(base)).absoluteString
    }

    private func expectPaths(_ rows: [(RequestPath, String)], at place: SourceLocation = #_sourceLocation) throws {
        for (path, result) in rows { expect(try text(path), Self.base + result, sourceLocation: place) }
    }

    @Test(.spec(19), arguments: ["https://api.example.com/v1", "https://api.example.com/v1/"])
    func aPathIsJoinedToTheBaseURLWithOneSlash(base: String) throws {
        let id = 42
        let rows: [(RequestPath, String)] = [
            ("/users/\(id)/posts", "/users/42/posts"), ("users/\(id)/posts", "/users/42/posts"), ("/", "/"),
            ("a/", "/a/"),
        ]
        for (path, result) in rows { expect(try text(path, base: base), Self.base + result) }
    }

    @Test func aPathKeepsTheQueryAndFragmentOfTheBaseURL() throws {
        let rows: [(base: String, path: RequestPath, result: String)] = [
            ("https://h", "/a?x=\(1)", "https://h/a?x=1"), ("https://h/", "/a?x=\(1)", "https://h/a?x=1"),
            ("https://h:8443/é", "/a?x=\(1)", "https://h:8443/%C3%A9/a?x=1"),
            ("https://h/b//", "/a?x=\(1)", "https://h/b//a?x=1"),
            ("https://h?k=v%2B", "/a?x=\(1)", "https://h/a?k=v%2B&x=1"),
            ("https://h/b?", "/a?x=\(1)", "https://h/b/a?x=1"),
            ("https://h/b?k=v#f", "/a?x=\(1)", "https://h/b/a?k=v&x=1#f"), ("v1", "/a?x=\(1)", "v1/a?x=1"),
            ("https://u:p@h/b", "/a?x=\(1)", "https://u:p@h/b/a?x=1"),
            ("https://h/b?k=v#f", "/a", "https://h/b/a?k=v#f"),
            ("https://h/b?", "/a", "https://h/b/a?"), ("https://h/b#", "/a", "https://h/b/a#"),
            ("https://h?k=v#f", "/a#\("x y/?#")", "https://h/a?k=v#x%20y/?%23"),
            ("https://h?k=1", "/a?", "https://h/a?k=1"), ("https://h?k=1", "/a?x", "https://h/a?k=1&x"),
            ("https://h?k=1", "/a?#f", "https://h/a?k=1#f"), ("https://h?k=1", "/a?\("x")", "https://h/a?k=1&x"),
            ("/", "/e", "/e"),
        ]
        for row in rows { expect(try text(row.path, base: row.base), row.result, row.base) }
    }

    @Test(.spec(19)) func aValueStaysInOneSegmentOfAPath() throws {
        let rows: [(String, String)] = [
            ("a/b", "a%2Fb"), ("a?b", "a%3Fb"), ("50%", "50%25"), ("é", "%C3%A9"), (":x", ":x"), ("%2F", "%252F"),
            ("a#b", "a%23b"), ("a\\b", "a%5Cb"), ("..;", "..%3B"), ("a;b=c,d", "a%3Bb%3Dc%2Cd"),
            ("a+b c", "a%2Bb%20c"), ("@ada", "@ada"), ("...", "..."), ("a.", "a."), ("../x", "..%2Fx"),
            ("%2e%2e", "%252e%252e"), ("\u{0}\r\n", "%00%0D%0A"), ("-._~", "-._~"),
        ]
        for (value, segment) in rows {
            expect(try text("/users/\(value)/posts"), "https://api.example.com/v1/users/\(segment)/posts")
        }
    }

    private enum Section: String, URLTextConvertible { case photos = "my photos" }

    private struct Account: RawRepresentable, URLTextConvertible {
        let rawValue: Int
        var urlText: String { "acct-\(rawValue)" }
    }

    @Test func aPathTakesValuesSegmentsAndEscapedTexts() throws {
        let id = UUID()
        try expectPaths([
            ("/\(id)", "/\(id.uuidString)"),
            (
                "/\(Section.photos)/\(Account(rawValue: 7))/\(true)/\("ab".prefix(1))/\(UInt8.max)",
                "/my%20photos/acct-7/true/a/255"
            ),
            ("/files/\(segments: ["a b", "c/d"])/raw", "/files/a%20b/c%2Fd/raw"), ("\(segments: [1, 2])", "/1/2"),
            ("/files/\(encoded: "a%20b/c d/?x=1")", "/files/a%20b/c%20d/?x=1"),
            ("/a?q=\("x&y=z+1 é/?")&r=\("")&s=\("..")", "/a?q=x%26y%3Dz%2B1%20%C3%A9/?&r=&s=.."),
            ("/v\("")/a", "/v/a"), ("/\("")\("a")", "/a"), ("/a/%2\("")e", "/a/%252e"),
        ])
    }

    @Test func onlyCharactersThatAURLCannotContainAreEscapedInTheLiteral() throws {
        let rows = [
            "/a b": "/a%20b", "/a%20b": "/a%20b", "/50%": "/50%25", "/%zz": "/%25zz", "/é": "/%C3%A9",
            "//a//b": "//a//b", "/a;b=c,d+e!$&'()*:@": "/a;b=c,d+e!$&'()*:@", "/[a]": "/%5Ba%5D",
            "/{a}|\\^`\"<>": "/%7Ba%7D%7C%5C%5E%60%22%3C%3E", "/a?b=c&d=/?:@": "/a?b=c&d=/?:@",
            "/a?b=[c]": "/a?b=%5Bc%5D", "/a?b#c": "/a?b#c", "/a#b#c": "/a#b%23c", "/...": "/...",
            "/.well-known/x": "/.well-known/x", "/a..b": "/a..b", "/a?x=/../y": "/a?x=/../y", "http:": "/http:",
            "http:/a": "/http:/a", "https": "/https", "httpx://h": "/httpx://h", "h": "/h", "ftp://h": "/ftp://h",
        ]
        try expectPaths(rows.map { (RequestPath(stringLiteral: $0), $1) })
    }

    @Test(.spec(19), arguments: ["", ".", ".."])
    func thePlaceOfAValueThatIsNotASegmentIsNamed(value: String) throws {
        let problem =
            value.isEmpty
            ? "the value {2} is empty, and its segment would be missing."
            : "the value {2} forms a segment '.' or '..', which addresses another resource."
        let error = #expect(throws: RequestPathError.self) { try text("/users/\(1)/posts/\(value)/likes") }
        expect(error?.description, "The path '/users/{1}/posts/{2}/likes' cannot be used: \(problem)")
        let paths: [RequestPath] = [
            "/users/\(value)", "\(value)", "\(value)/a", "/\(value)?a=b", "/\(value)#a",
            "/a/\(segments: ["b", value])",
        ]
        for path in paths { #expect(throws: RequestPathError.self) { try text(path) } }
    }

    @Test func aForbiddenSegmentOfSeveralPartsIsFoundAsAWhole() {
        let place = { RequestPathError.Place(value: $0, path: $1) }
        let rows: [(RequestPath, RequestPathError)] = [
            ("/a/\(".")\(".")/b", .dotSegment(place("{2}", "/a/{1}{2}/b"))),
            ("/a/\("")\("")/b", .emptySegment(place("{2}", "/a/{1}{2}/b"))),
            ("/a/.\(".")", .dotSegment(place("{1}", "/a/.{1}"))),
            ("/a/\(encoded: "b/%2e%2e/c")", .dotSegment(place("{1}", "/a/{1}"))),
            ("/a/\(encoded: "")", .emptySegment(place("{1}", "/a/{1}"))),
            ("\(encoded: "")/users", .emptySegment(place("{1}", "{1}/users"))),
            ("\("")/users", .emptySegment(place("{1}", "{1}/users"))),
            ("/files/\(segments: [String]())", .emptySegment(place("{1}", "/files/{1}"))),
        ]
        for (path, error) in rows { #expect(throws: error) { try text(path) } }
        let path: RequestPath = "/\(segments: Array(repeating: "a", count: 5_000))/\("..")/b"
        #expect {
            try text(path)
        } throws: {
            guard case RequestPathError.dotSegment(let place) = $0 else { return false }
            return place.value == "{5001}" && place.path.hasSuffix("/{5001}/b")
        }
    }

    @Test func aLiteralThatIsEmptyOrHasDotSegmentsIsRefusedWithASentence() {
        let dots = "the path itself forms a segment '.' or '..', which addresses another resource."
        let rows =
            ["/a/../b", "/..", "..", ".", "/a/./b", "/%2e%2E/b", "/.%2e", "/a/..?b", "/a/..#b"]
            .map { ($0, "The path '\($0)' cannot be used: \(dots)") }
            + ["", "?a=b", "#a"].map { ($0, "The path is empty: use '/', or get(url:) for the base URL itself.") }
        for (literal, sentence) in rows {
            let error = #expect(throws: RequestPathError.self) { try text(RequestPath(stringLiteral: literal)) }
            expect(error?.description, sentence)
        }
    }

    @Test func aPathNeverNamesAHostThatTheBaseURLLacksOrChangesIt() throws {
        let error = RequestPathError.notAURL(RequestPathError.Place(value: nil, path: "//e/x"))
        for base in ["/", "?q", "#f", "https:", "?next=//x", "#//x", "/?next=//x"] {
            #expect(throws: error) { try text("//e/x", base: base) }
        }
        expect("\(error)", "The path '//e/x' cannot be used: it doesn't form a valid URL together with the base URL.")
        let values = ["//evil.example", "@evil.example", "\\\\evil.example", ":80@evil.example"]
        let paths =
            values.map { "/\($0)" } + ["/\("https://evil.example")"] + values.map(RequestPath.init(stringLiteral:))
        for path in paths as [RequestPath] {
            let resolved = try path.resolved(against: url("https://h"))
            expectAll((resolved.host, resolved.user, resolved.port), ("h", nil, nil))
        }
    }

    @Test(arguments: ["https://h/a", "HTTP://h", "http://"])
    func aCompleteURLIsNoPath(literal: String) throws {
        let rest =
            "is a complete URL; pass it to get(url:) or get(http:), or begin it with '/' if it is a path."
        let rows: [(RequestPath, String)] = [
            (RequestPath(stringLiteral: literal), "The path '\(literal)' cannot be used: the path itself \(rest)"),
            ("\(encoded: literal)?page=2", "The path '{1}' cannot be used: the value {1} \(rest)"),
            (
                try .template("{+next}", variables: ["next": literal]),
                "The path '{+next}' cannot be used: the value {+next} \(rest)"
            ),
            ("https://user:s3cret@h/a?token=s3cret#a", "The path 'h/a' cannot be used: the path itself \(rest)"),
        ]
        for (path, sentence) in rows {
            let error = #expect(throws: RequestPathError.self) { try text(path) }
            expect(error?.description, sentence)
        }
        try expectPaths([
            (RequestPath(stringLiteral: "/" + literal), "/\(literal)"),
            ("\(literal)", "/" + literal.replacingOccurrences(of: "/", with: "%2F")),
        ])
    }
}
