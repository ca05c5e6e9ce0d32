import Testing

@testable import NetworkUtilities

struct MediaTypePartsTests {
    @Test(arguments: [
        ("Text/HTML; charset=utf-8", "text", "html", nil), ("image/svg+xml", "image", "svg", "xml"),
        ("application/vnd.api+json;q=0.5", "application", "vnd.api", "json"), ("*/*", "*", "*", nil),
        ("application/a+b+Cbor", "application", "a+b", "cbor"), (" text/plain ", "text", "plain", nil),
        ("a/b+", "a", "b+", nil), ("a/+json", "a", "+json", nil), ("text", "text", "", nil), ("", "", "", nil),
        (";a=b", "", "", nil), ("a/b/c", "a", "b/c", nil), ("/", "", "", nil),
    ])
    func namesItsParts(value: String, type: String, name: String, suffix: String?) {
        let media = MediaType(value)
        #expect(media.type == type)
        #expect(media.subtype == (suffix.map { "\(name)+\($0)" } ?? name))
        #expect(media.suffix == suffix)
    }

    @Test(arguments: [
        ("application/json", "application/json"), ("Application/JSON ; q=1", "application/json"), ("", ""), (";", ""),
        ("\ttext/plain\t", "text/plain"), ("é/É;é", "é/É"), ("text", "text"),
    ])
    func writesItsEssenceInLowerCase(value: String, essence: String) {
        #expect(MediaType(value).essence == essence)
    }

    @Test(arguments: [
        ("application/problem+json; charset=utf-8", true), ("APPLICATION/JSON", true), ("text/json", true),
        ("application/jsonl", false), ("text/plain", false), ("text/plain; a=application/json", false),
    ])
    func knowsJSON(value: String, isJSON: Bool) {
        #expect(MediaType(value).isJSON == isJSON)
    }
}
