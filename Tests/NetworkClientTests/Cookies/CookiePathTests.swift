import Testing

@testable import NetworkClient

struct CookiePathTests {
    @Test(arguments: [
        ("", "/"), ("/", "/"), ("/a", "/"), ("/a/", "/a"), ("/a/b", "/a"), ("/a/b/", "/a/b"), ("a/b", "/"), ("//", "/"),
        ("//a", "/"), ("/%2F/b", "/%2F"), ("/é/b", "/é"), ("*", "/"),
    ])
    func endsAtTheLastSlashByDefault(request: String, path: String) {
        #expect(CookiePath.standard(for: request) == path)
    }

    @Test(arguments: [
        ("/", "/", true), ("/a", "/", true), ("/a", "/a", true), ("/a/", "/a", true), ("/a/b", "/a", true),
        ("/a/b", "/a/", true), ("/ab", "/a", false), ("/a", "/a/", false), ("/A", "/a", false), ("/", "/a", false),
        ("/a%2Fb", "/a", false), ("/e\u{301}/x", "/e", false), ("/\u{e9}", "/e\u{301}", false), ("/a?", "/a", false),
    ])
    func matchesWholeSegments(request: String, path: String, isMatch: Bool) {
        #expect(CookiePath.matches(request, path) == isMatch)
    }
}
