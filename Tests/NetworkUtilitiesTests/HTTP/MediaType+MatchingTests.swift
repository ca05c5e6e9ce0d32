import Testing

@testable import NetworkUtilities

struct MediaTypeMatchingTests {
    @Test(arguments: [
        ("text/html", "*/*"), ("text/html", "text/*"), ("Text/HTML", "text/html"), ("text/html", "TEXT/*"),
        ("text/html; charset=utf-8", "text/html"), ("text/html; charset=UTF-8", "text/html;charset=\"utf-8\""),
        ("text/html; level=1; a=b", "text/html;LEVEL=1;q=0.3"), ("a/b", "a/b; q=0"), ("a/b", "*/*; q=0.1"),
        ("application/problem+json", "application/problem+json"), ("text/html; t=\"a b\"", "text/*; t=\"a b\""),
    ])
    func liesInARange(value: String, range: String) {
        #expect(MediaType(value).matches(MediaType(range)))
    }

    @Test(arguments: [
        ("text/html", "text/css"), ("text/html", "image/*"), ("text/html", "text/html; charset=utf-8"),
        ("text/html; charset=latin1", "text/html; charset=utf-8"), ("a/b; t=X", "a/b; t=x"), ("text/html", "*/html"),
        ("application/problem+json", "application/json"), ("", "*/*"), ("text", "*/*"), ("text/", "*/*"),
        ("/html", "*/*"), ("text/html", ""), ("text/html", "*"), ("text/*", "text/html"),
    ])
    func liesOutsideARange(value: String, range: String) {
        #expect(!MediaType(value).matches(MediaType(range)))
    }
}
