import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct RequestPathTests {
    private static let base = "https://api.example.com/v1"

    private func text(_ path: RequestPath, base: String = base) throws -> String {
        try path.resolved(against: url(base)).absoluteString
    }

    @Test(.spec(19), arguments: ["https://api.example.com/v1", "https://api.example.com/v1/"])
    func aPathIsJoinedToTheBaseURLWithOneSlash(base: String) throws {
        let id = 42
        #expect(try text("/users/\(id)/posts", base: base) == "https://api.example.com/v1/users/42/posts")
        #expect(try text("users/\(id)/posts", base: base) == "https://api.example.com/v1/users/42/posts")
        #expect(try text("/", base: base) == "https://api.example.com/v1/")
        #expect(try text("a/", base: base) == "https://api.example.com/v1/a/")
    }

    @Test(arguments: [
        ("https://h", "https://h/a?x=1"), ("https://h/", "https://h/a?x=1"),
        ("https://h:8443/é", "https://h:8443/%C3%A9/a?x=1"),
        ("https://h/b//", "https://h/b//a?x=1"), ("https://h?k=v%2B", "https://h/a?k=v%2B&x=1"),
        ("https://h/b?", "https://h/b/a?x=1"),
        ("https://h/b?k=v#f", "https://h/b/a?k=v&x=1#f"), ("v1", "v1/a?x=1"),
        ("https://u:p@h/b", "https://u:p@h/b/a?x=1"),
    ])
    func aPathKeepsTheQueryAndFragmentOfTheBaseURL(base: String, result: String) throws {
        #expect(try text("/a?x=\(1)", base: base) == result)
    }

    @Test(arguments: [
        ("https://h/b?k=v#f", "https://h/b/a?k=v#f"), ("https://h/b?", "https://h/b/a?"),
        ("https://h/b#", "https://h/b/a#"),
    ])
    func aPathWithoutAQueryKeepsThatOfTheBaseURL(base: String, result: String) throws {
        #expect(try text("/a", base: base) == result)
    }

    @Test func theFragmentOfAPathOverridesThatOfTheBaseURL() throws {
        #expect(try text("/a#\("x y/?#")", base: "https://h?k=v#f") == "https://h/a?k=v#x%20y/?%23")
    }

    @Test(
        .spec(19),
        arguments: [
            ("a/b", "a%2Fb"), ("a?b", "a%3Fb"), ("50%", "50%25"), ("é", "%C3%A9"), (":x", ":x"), ("%2F", "%252F"),
            ("a#b", "a%23b"),
            ("a\\b", "a%5Cb"), ("..;", "..%3B"), ("a;b=c,d", "a%3Bb%3Dc%2Cd"), ("a+b c", "a%2Bb%20c"), ("@ada", "@ada"),
            ("...", "..."), ("a.", "a."), ("../x", "..%2Fx"), ("%2e%2e", "%252e%252e"), ("\u{0}\r\n", "%00%0D%0A"),
            ("-._~", "-._~"),
        ]
    )
    func aValueStaysInOneSegmentOfAPath(value: String, segment: String) throws {
        #expect(try text("/users/\(value)/posts") == "https://api.example.com/v1/users/\(segment)/posts")
    }

    private enum Section: String { case photos = "my photos" }

    private struct Account: RawRepresentable, URLTextConvertible {
        let rawValue: Int
        var urlText: String { "acct-\(rawValue)" }
    }

    @Test func aPathTakesEveryValueWithOneText() throws {
        let id = UUID()
        #expect(try text("/\(id)") == "https://api.example.com/v1/\(id.uuidString)")
        #expect(
            try text("/\(Section.photos)/\(Account(rawValue: 7))/\(true)/\("ab".prefix(1))/\(UInt8.max)")
                == "https://api.example.com/v1/my%20photos/acct-7/true/a/255"
        )
    }

    @Test func aPathTakesSeveralSegments() throws {
        #expect(
            try text("/files/\(segments: ["a b", "c/d"])/raw") == "https://api.example.com/v1/files/a%20b/c%2Fd/raw"
        )
        #expect(try text("\(segments: [1, 2])") == "https://api.example.com/v1/1/2")
    }

    @Test func aPathTakesATextThatIsEscapedAlready() throws {
        #expect(try text("/files/\(encoded: "a%20b/c d/?x=1")") == "https://api.example.com/v1/files/a%20b/c%20d/?x=1")
    }

    @Test(arguments: [
        ("/a b", "/a%20b"), ("/a%20b", "/a%20b"), ("/50%", "/50%25"), ("/%zz", "/%25zz"), ("/é", "/%C3%A9"),
        ("//a//b", "//a//b"),
        ("/a;b=c,d+e!$&'()*:@", "/a;b=c,d+e!$&'()*:@"), ("/[a]", "/%5Ba%5D"),
        ("/{a}|\\^`\"<>", "/%7Ba%7D%7C%5C%5E%60%22%3C%3E"),
        ("/a?b=c&d=/?:@", "/a?b=c&d=/?:@"), ("/a?b=[c]", "/a?b=%5Bc%5D"), ("/a?b#c", "/a?b#c"), ("/a#b#c", "/a#b%23c"),
        ("/...", "/..."), ("/.well-known/x", "/.well-known/x"), ("/a..b", "/a..b"), ("/a?x=/../y", "/a?x=/../y"),
    ])
    func onlyCharactersThatAURLCannotContainAreEscapedInTheLiteral(literal: String, result: String) throws {
        #expect(try text(RequestPath(stringLiteral: literal)) == Self.base + result)
    }

    @Test func aValueInTheQueryOfAPathIsEscapedLikeAQueryItem() throws {
        #expect(
            try text("/a?q=\("x&y=z+1 é/?")&r=\("")&s=\("..")") == Self.base + "/a?q=x%26y%3Dz%2B1%20%C3%A9/?&r=&s=.."
        )
    }

    @Test(.spec(19), arguments: ["", ".", ".."])
    func thePlaceOfAValueThatIsNotASegmentIsNamed(value: String) throws {
        let problem =
            value.isEmpty
            ? "the value {2} is empty, and its segment would be missing."
            : "the value {2} forms a segment '.' or '..', which addresses another resource."
        #expect {
            try text("/users/\(1)/posts/\(value)/likes")
        } throws: {
            "\($0)" == "The path '/users/{1}/posts/{2}/likes' cannot be used: \(problem)"
        }
        #expect(throws: RequestPathError.self) { try text("/users/\(value)") }
        #expect(throws: RequestPathError.self) { try text("\(value)") }
        #expect(throws: RequestPathError.self) { try text("\(value)/a") }
        #expect(throws: RequestPathError.self) { try text("/\(value)?a=b") }
        #expect(throws: RequestPathError.self) { try text("/\(value)#a") }
        #expect(throws: RequestPathError.self) { try text("/a/\(segments: ["b", value])") }
    }

    @Test func aSegmentOfSeveralValuesIsCheckedAsAWhole() throws {
        #expect(try text("/v\("")/a") == "https://api.example.com/v1/v/a")
        #expect(try text("/\("")\("a")") == "https://api.example.com/v1/a")
        let place = RequestPathError.Place(value: "{2}", path: "/a/{1}{2}/b")
        #expect(throws: RequestPathError.dotSegment(place)) { try text("/a/\(".")\(".")/b") }
        #expect(throws: RequestPathError.emptySegment(place)) { try text("/a/\("")\("")/b") }
        #expect(throws: RequestPathError.self) { try text("/a/.\(".")") }
        #expect(try text("/a/%2\("")e") == "https://api.example.com/v1/a/%252e")
    }

    @Test(arguments: ["/a/../b", "/..", "..", ".", "/a/./b", "/%2e%2E/b", "/.%2e", "/a/..?b", "/a/..#b"])
    func dotSegmentsInTheLiteralAreRefused(literal: String) {
        let sentence =
            "The path '\(literal)' cannot be used: the path itself forms a segment '.' or '..', "
            + "which addresses another resource."
        #expect { try text(RequestPath(stringLiteral: literal)) } throws: { "\($0)" == sentence }
    }

    @Test func dotSegmentsInAnEscapedTextAreRefused() {
        let place = RequestPathError.Place(value: "{1}", path: "/a/{1}")
        #expect(throws: RequestPathError.dotSegment(place)) { try text("/a/\(encoded: "b/%2e%2e/c")") }
        #expect(throws: RequestPathError.emptySegment(place)) { try text("/a/\(encoded: "")") }
    }

    @Test(arguments: ["", "?a=b", "#a"])
    func anEmptyPathIsRefused(literal: String) {
        let sentence = "The path is empty: use '/', or get(url:) for the base URL itself."
        #expect { try text(RequestPath(stringLiteral: literal)) } throws: { "\($0)" == sentence }
    }

    @Test func aPathWithoutItsFirstSegmentIsRefused() {
        let place = RequestPathError.Place(value: "{1}", path: "{1}/users")
        #expect(throws: RequestPathError.emptySegment(place)) { try text("\(encoded: "")/users") }
        #expect(throws: RequestPathError.emptySegment(place)) { try text("\("")/users") }
    }

    @Test(arguments: [("/a?", "https://h/a?k=1"), ("/a?x", "https://h/a?k=1&x"), ("/a?#f", "https://h/a?k=1#f")])
    func anAmpersandDividesTwoQueriesOnly(literal: String, result: String) throws {
        #expect(try text(RequestPath(stringLiteral: literal), base: "https://h?k=1") == result)
        #expect(try text("/a?\("x")", base: "https://h?k=1") == "https://h/a?k=1&x")
    }

    @Test(arguments: ["/", "?q", "#f", "https:", "?next=//x", "#//x", "/?next=//x"])
    func aPathNeverNamesAHostThatTheBaseURLLacks(base: String) throws {
        #expect(throws: RequestPathError.notAURL(RequestPathError.Place(value: nil, path: "//e/x"))) {
            try text("//e/x", base: base)
        }
        #expect(try text("/e", base: "/") == "/e")
    }

    @Test func aPathThatFormsNoURLIsRefused() {
        let error = RequestPathError.notAURL(RequestPathError.Place(value: nil, path: "//e"))
        #expect("\(error)" == "The path '//e' cannot be used: it doesn't form a valid URL together with the base URL.")
    }

    @Test(arguments: ["https://h/a", "HTTP://h", "http://"])
    func aCompleteURLIsNoPath(literal: String) throws {
        let rest =
            "is a complete URL; pass it to URLRequest.get(url:) and the like, or begin it with '/' if it is a path."
        #expect {
            try text(RequestPath(stringLiteral: literal))
        } throws: {
            "\($0)" == "The path '\(literal)' cannot be used: the path itself \(rest)"
        }
        #expect {
            try text("\(encoded: literal)?page=2")
        } throws: {
            "\($0)" == "The path '{1}' cannot be used: the value {1} \(rest)"
        }
        let shown = RequestPathError.Place(value: nil, path: "h/a")
        #expect(throws: RequestPathError.completeURL(shown)) { try text("https://user:s3cret@h/a?token=s3cret#a") }
        let place = RequestPathError.Place(value: "{+next}", path: "{+next}")
        #expect(throws: RequestPathError.completeURL(place)) {
            try text(.template("{+next}", variables: ["next": literal]))
        }
        #expect(try text(RequestPath(stringLiteral: "/" + literal)) == "\(Self.base)/\(literal)")
        #expect(try text("\(literal)") == "\(Self.base)/" + literal.replacingOccurrences(of: "/", with: "%2F"))
    }

    @Test(arguments: ["http:", "http:/a", "https", "httpx://h", "h", "ftp://h"])
    func onlyASchemeOfAnHTTPURLMakesAPathAURL(literal: String) throws {
        #expect(try text(RequestPath(stringLiteral: literal)) == "\(Self.base)/\(literal)")
    }

    @Test func thePlaceOfOneValueAmongThousandsIsNamed() {
        let path: RequestPath = "/\(segments: Array(repeating: "a", count: 5_000))/\("..")/b"
        #expect {
            try text(path)
        } throws: {
            guard case RequestPathError.dotSegment(let place) = $0 else { return false }
            return place.value == "{5001}" && place.path.hasSuffix("/{5001}/b")
        }
    }

    @Test func anEmptyListOfSegmentsIsRefused() {
        let place = RequestPathError.Place(value: "{1}", path: "/files/{1}")
        #expect(throws: RequestPathError.emptySegment(place)) { try text("/files/\(segments: [String]())") }
    }

    @Test func aPathNeverChangesTheHostOfTheBaseURL() throws {
        for value in [
            "//evil.example", "@evil.example", "\\\\evil.example", ":80@evil.example", "https://evil.example",
        ] {
            let resolved = try (("/\(value)" as RequestPath)).resolved(against: url("https://h"))
            #expect(resolved.host == "h" && resolved.user == nil && resolved.port == nil)
            guard !value.hasPrefix("https:") else { continue }
            let literal = try RequestPath(stringLiteral: value).resolved(against: url("https://h"))
            #expect(literal.host == "h" && literal.user == nil && literal.port == nil)
        }
    }
}
