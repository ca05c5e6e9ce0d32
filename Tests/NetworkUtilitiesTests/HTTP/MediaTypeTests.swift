import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct MediaTypeTests {
    @Test(.spec(33, 53)) func theStandardMediaTypesAreWrittenAsSpecified() {
        #expect(MediaType.json.value == "application/json")
        #expect(MediaType.url().value == "application/x-www-form-urlencoded")
        #expect(MediaType.url(useUTF8Charset: true).value == "application/x-www-form-urlencoded; charset=utf-8")
        #expect(MediaType.multipart(withBoundary: "b").value == "multipart/form-data; boundary=b")
        #expect(MediaType("a/b").value == "a/b")
    }

    @Test func aMediaTypeMayBeALiteral() throws {
        let text = "text/csv; header=present"
        #expect(MediaType(text) == "text/csv; header=present")
        let url = url("https://h/a")
        let request = URLRequest.post(url: url).bodyData(Data(), type: "image/jpeg").build()
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "image/jpeg")
        #expect(MultipartFormFilePart(file: url, type: "image/jpeg").mediaType == .jpeg)
        #expect(HeaderField.accept(type: "text/csv").value == "text/csv")
    }

    @Test func anInvalidLiteralIsNoTrapAndAddsNoField() {
        let type: MediaType = "no type\r\nX: 1"
        #expect(type.value == "no type  X: 1")
        #expect(type.subtype.isEmpty)
    }

    @Test func aBoundaryThatIsNotATokenIsQuoted() {
        #expect(MediaType.multipart(withBoundary: "a b\"c").value == #"multipart/form-data; boundary="a b\"c""#)
    }
}

struct MediaTypePartsTests {
    @Test(arguments: [
        ("Text/HTML; charset=utf-8", "text", "html", nil), ("image/svg+xml", "image", "svg", "xml"),
        ("application/vnd.api+json;q=0.5", "application", "vnd.api", "json"), ("*/*", "*", "*", nil),
        ("application/a+b+Cbor", "application", "a+b", "cbor"), (" text/plain ", "text", "plain", nil),
        ("a/b+", "a", "b+", nil), ("a/+json", "a", "+json", nil), ("text", "text", "", nil), ("", "", "", nil),
        (";a=b", "", "", nil), ("a/b/c", "a", "b/c", nil), ("/", "", "", nil),
    ])
    func aMediaTypeHasATypeASubtypeAndASuffix(value: String, type: String, name: String, suffix: String?) {
        let media = MediaType(value)
        #expect(media.type == type)
        #expect(media.subtype == (suffix.map { "\(name)+\($0)" } ?? name))
        #expect(media.suffix == suffix)
    }

    @Test(arguments: [
        ("application/json", "application/json"), ("Application/JSON ; q=1", "application/json"), ("", ""), (";", ""),
        ("\ttext/plain\t", "text/plain"), ("é/É;é", "é/É"), ("text", "text"),
    ])
    func theEssenceOfAMediaTypeIsInLowerCase(value: String, essence: String) {
        #expect(MediaType(value).essence == essence)
    }

    @Test(arguments: [
        ("application/problem+json; charset=utf-8", true), ("APPLICATION/JSON", true), ("text/json", true),
        ("application/jsonl", false), ("text/plain", false), ("text/plain; a=application/json", false),
    ])
    func mediaTypesOfJSONAreRecognised(value: String, isJSON: Bool) {
        #expect(MediaType(value).isJSON == isJSON)
    }
}

struct MediaTypeMatchingTests {
    @Test(arguments: [
        ("text/html", "*/*"), ("text/html", "text/*"), ("Text/HTML", "text/html"), ("text/html", "TEXT/*"),
        ("text/html; charset=utf-8", "text/html"), ("text/html; charset=UTF-8", "text/html;charset=\"utf-8\""),
        ("text/html; level=1; a=b", "text/html;LEVEL=1;q=0.3"), ("a/b", "a/b; q=0"), ("a/b", "*/*; q=0.1"),
        ("application/problem+json", "application/problem+json"), ("text/html; t=\"a b\"", "text/*; t=\"a b\""),
    ])
    func aMediaTypeMatchesItsRanges(value: String, range: String) {
        #expect(MediaType(value).matches(MediaType(range)))
    }

    @Test(arguments: [
        ("text/html", "text/css"), ("text/html", "image/*"), ("text/html", "text/html; charset=utf-8"),
        ("text/html; charset=latin1", "text/html; charset=utf-8"), ("a/b; t=X", "a/b; t=x"), ("text/html", "*/html"),
        ("application/problem+json", "application/json"), ("", "*/*"), ("text", "*/*"), ("text/", "*/*"),
        ("/html", "*/*"), ("text/html", ""), ("text/html", "*"), ("text/*", "text/html"),
    ])
    func aMediaTypeDoesNotMatchOtherRanges(value: String, range: String) {
        #expect(!MediaType(value).matches(MediaType(range)))
    }
}

struct MediaTypeWeightTests {
    @Test(arguments: [
        (0.8, "0.8"), (0.123, "0.123"), (0.1234, "0.123"), (0.1235, "0.124"), (0.5, "0.5"), (0.05, "0.05"),
        (0.001, "0.001"), (0.0001, "0.001"), (Double.leastNonzeroMagnitude, "0.001"), (0, "0"), (-0.0, "0"), (1, "1"),
        (0.9999, "1"), (0.999, "0.999"), (0.1 + 0.2, "0.3"), (-1, "0"), (2, "1"), (.infinity, "1"), (-.infinity, "0"),
        (.nan, "1"), (Double.greatestFiniteMagnitude, "1"), (0.29, "0.29"),
    ])
    func aWeightHasAtMostThreeDecimals(quality: Double, text: String) {
        #expect(MediaType.xml.weighted(quality).value == "application/xml;q=\(text)")
    }

    @Test func aWeightReplacesAnotherAndKeepsOtherParameters() {
        #expect(MediaType("a/b; Q=0.1; c=d;q=3").weighted(0.5).value == "a/b; c=d;q=0.5")
        #expect(MediaType.xml.weighted(0.1).weighted(0.2).value == "application/xml;q=0.2")
        #expect(MediaType.plainText.weighted(0.5).parameter("charset") == "utf-8")
    }

    @Test func aWeightCanBeReadBack() throws {
        #expect(try MediaType(parsing: MediaType.any.weighted(0.1).value).parameter("q") == "0.1")
        #expect(MediaType.json.matches(MediaType.any.weighted(0.1)))
        #expect(MediaType("a/b; c=\"x").weighted(0.5).value == "a/b; c=\"x\";q=0.5")
        #expect(MediaType("a/b; c=\"x").weighted(0.5).parameter("q") == "0.5")
    }
}

struct MediaTypeRegisteredTests {
    @Test(arguments: [
        (MediaType.any, "*/*"), (.html, "text/html"), (.css, "text/css"), (.javaScript, "text/javascript"),
        (.csv, "text/csv"), (.markdown, "text/markdown"), (.eventStream, "text/event-stream"),
        (.xml, "application/xml"), (.problemJSON, "application/problem+json"),
        (.mergePatchJSON, "application/merge-patch+json"), (.jsonPatch, "application/json-patch+json"),
        (.jsonLD, "application/ld+json"), (.ndjson, "application/x-ndjson"), (.yaml, "application/yaml"),
        (.cbor, "application/cbor"), (.pdf, "application/pdf"), (.zip, "application/zip"),
        (.gzip, "application/gzip"), (.png, "image/png"), (.jpeg, "image/jpeg"), (.gif, "image/gif"),
        (.webp, "image/webp"), (.svg, "image/svg+xml"), (.heic, "image/heic"), (.mp3, "audio/mpeg"),
        (.mp4, "video/mp4"), (.json, "application/json"), (.octetStream, "application/octet-stream"),
        (.plainText, "text/plain; charset=utf-8"),
    ])
    func aMediaTypeIsSpelledAsRegistered(type: MediaType, value: String) throws {
        #expect(type.value == value)
        #expect(type.description == value)
        #expect(try MediaType(parsing: value) == type)
    }

    @Test(arguments: [
        "html", "css", "js", "csv", "md", "xml", "jsonld", "pdf", "zip", "png", "jpg", "gif", "webp", "svg",
    ])
    func theNamedMediaTypesAreThoseOfTheFileExtensions(fileExtension: String) throws {
        let known: [MediaType] = [
            .html, .css, .javaScript, .csv, .markdown, .xml, .jsonLD, .pdf, .zip, .png, .jpeg, .gif, .webp, .svg,
        ]
        #expect(known.contains(try #require(MediaType(fileExtension: fileExtension))))
    }
}
