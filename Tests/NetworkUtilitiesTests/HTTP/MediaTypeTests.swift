@testable import NetworkUtilities

struct MediaTypeTests {
    @Test(.spec(33, 53)) func theStandardMediaTypesAreWrittenAsSpecifiedAndRegistered() throws {
        let rows: [(MediaType, String)] = [
            (.any, "*/*"), (.html, "text/html"), (.css, "text/css"), (.javaScript, "text/javascript"),
            (.csv, "text/csv"), (.markdown, "text/markdown"), (.eventStream, "text/event-stream"),
            (.xml, "application/xml"), (.problemJSON, "application/problem+json"),
            (.mergePatchJSON, "application/merge-patch+json"), (.jsonPatch, "application/json-patch+json"),
            (.jsonLD, "application/ld+json"), (.ndjson, "application/x-ndjson"), (.yaml, "application/yaml"),
            (.pdf, "application/pdf"), (.zip, "application/zip"),
            (.gzip, "application/gzip"), (.png, "image/png"), (.jpeg, "image/jpeg"), (.gif, "image/gif"),
            (.webp, "image/webp"), (.svg, "image/svg+xml"), (.heic, "image/heic"), (.mp3, "audio/mpeg"),
            (.mp4, "video/mp4"), (.json, "application/json"), (.octetStream, "application/octet-stream"),
            (.plainText, "text/plain; charset=utf-8"), (.url(), "application/x-www-form-urlencoded"),
            (.url(useUTF8Charset: true), "application/x-www-form-urlencoded; charset=utf-8"),
            (.multipart(withBoundary: "b"), "multipart/form-data; boundary=b"), (MediaType("a/b"), "a/b"),
            (.multipart(withBoundary: "a b\"c"), #"multipart/form-data; boundary="a b\"c""#),
        ]
        for (type, value) in rows {
            expect(type.value, value)
            expect(type.description, value)
            expect(try MediaType(parsing: value), type)
        }
    }

    @Test func aMediaTypeMayBeALiteralAndAnInvalidOneIsNoTrap() {
        let text = "text/csv; header=present"
        expect(MediaType(text), "text/csv; header=present")
        let url = url("https://h/a")
        expect(URLRequest.post(url: url).bodyData(Data(), type: "image/jpeg").build().contentType, "image/jpeg")
        expect(MultipartFormFilePart(file: url, type: "image/jpeg").mediaType, .jpeg)
        expect(HeaderField.accept(type: "text/csv").value, "text/csv")
        let type: MediaType = "no type\r\nX: 1"
        expect(type.value, "no type  X: 1")
        expect(type.subtype, "")
    }

    @Test(
        arguments: [
            ("Text/HTML; charset=utf-8", "text/html", ["text", "html", nil]),
            ("image/svg+xml", "image/svg+xml", ["image", "svg+xml", "xml"]),
            ("application/vnd.api+json;q=0.5", "application/vnd.api+json", ["application", "vnd.api+json", "json"]),
            ("*/*", "*/*", ["*", "*", nil]), (" text/plain ", "text/plain", ["text", "plain", nil]),
            ("application/a+b+Cbor", "application/a+b+cbor", ["application", "a+b+cbor", "cbor"]),
            ("a/b+", "a/b+", ["a", "b+", nil]), ("a/+json", "a/+json", ["a", "+json", nil]),
            ("text", "text", ["text", "", nil]),
            ("", "", ["", "", nil]), (";a=b", "", ["", "", nil]), ("a/b/c", "a/b/c", ["a", "b/c", nil]),
            ("/", "/", ["", "", nil]), ("Application/JSON ; q=1", "application/json", ["application", "json", nil]),
            (";", "", ["", "", nil]), ("é/É;é", "é/É", ["é", "É", nil]),
        ] as [(String, String, [String?])]
    )
    func aMediaTypeHasAnEssenceATypeASubtypeAndASuffix(value: String, essence: String, parts: [String?]) {
        let media = MediaType(value)
        expect(media.essence, essence)
        expect([media.type, media.subtype, media.suffix], parts)
    }

    @Test func mediaTypesOfJSONAreRecognised() {
        let json = ["application/problem+json; charset=utf-8", "APPLICATION/JSON", "text/json"]
        let others = ["application/jsonl", "text/plain", "text/plain; a=application/json"]
        expect((json + others).filter { MediaType($0).isJSON }, json)
    }

    @Test func aMediaTypeMatchesItsRangesAndNoOthers() {
        let matching: [(String, String)] = [
            ("text/html", "*/*"), ("text/html", "text/*"), ("Text/HTML", "text/html"), ("text/html", "TEXT/*"),
            ("text/html; charset=utf-8", "text/html"), ("text/html; charset=UTF-8", "text/html;charset=\"utf-8\""),
            ("text/html; level=1; a=b", "text/html;LEVEL=1;q=0.3"), ("a/b", "a/b; q=0"), ("a/b", "*/*; q=0.1"),
            ("application/problem+json", "application/problem+json"), ("text/html; t=\"a b\"", "text/*; t=\"a b\""),
        ]
        let others: [(String, String)] = [
            ("text/html", "text/css"), ("text/html", "image/*"), ("text/html", "text/html; charset=utf-8"),
            ("text/html; charset=latin1", "text/html; charset=utf-8"), ("a/b; t=X", "a/b; t=x"),
            ("text/html", "*/html"), ("application/problem+json", "application/json"), ("", "*/*"), ("text", "*/*"),
            ("text/", "*/*"), ("/html", "*/*"), ("text/html", ""), ("text/html", "*"), ("text/*", "text/html"),
        ]
        for (value, range) in matching { expect(MediaType(value).matches(MediaType(range)), true, "\(value) \(range)") }
        for (value, range) in others { expect(MediaType(value).matches(MediaType(range)), false, "\(value) \(range)") }
    }

    @Test func aWeightHasAtMostThreeDecimalsAndReplacesAnother() {
        let rows: [(Double, String)] = [
            (0.8, "0.8"), (0.123, "0.123"), (0.1234, "0.123"), (0.1235, "0.124"), (0.5, "0.5"), (0.05, "0.05"),
            (0.001, "0.001"), (0.0001, "0.001"), (.leastNonzeroMagnitude, "0.001"), (0, "0"), (-0.0, "0"), (1, "1"),
            (0.9999, "1"), (0.999, "0.999"), (0.1 + 0.2, "0.3"), (-1, "0"), (2, "1"), (.infinity, "1"),
            (-.infinity, "0"), (.nan, "1"), (.greatestFiniteMagnitude, "1"), (0.29, "0.29"),
        ]
        for (quality, text) in rows {
            expect(MediaType.xml.weighted(0.1).weighted(quality).value, "application/xml;q=\(text)")
            expect(try? MediaType(parsing: MediaType.xml.weighted(quality).value).parameter("q"), text)
        }
        expect(MediaType("a/b; Q=0.1; c=d;q=3").weighted(0.5).value, "a/b; c=d;q=0.5")
        expect(MediaType.plainText.weighted(0.5).parameter("charset"), "utf-8")
        #expect(MediaType.json.matches(MediaType.any.weighted(0.1)))
        let open = MediaType("a/b; c=\"x").weighted(0.5)
        expect([open.value, open.parameter("q")], ["a/b; c=\"x\";q=0.5", "0.5"])
    }
}
