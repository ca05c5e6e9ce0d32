import Testing

@testable import NetworkUtilities

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
    func isSpelledAsRegistered(type: MediaType, value: String) throws {
        #expect(type.value == value)
        #expect(type.description == value)
        #expect(try MediaType(parsing: value) == type)
    }

    @Test(arguments: [
        "html", "css", "js", "csv", "md", "xml", "jsonld", "pdf", "zip", "png", "jpg", "gif", "webp", "svg",
    ])
    func agreesWithTheTableOfExtensions(fileExtension: String) throws {
        let known: [MediaType] = [
            .html, .css, .javaScript, .csv, .markdown, .xml, .jsonLD, .pdf, .zip, .png, .jpeg, .gif, .webp, .svg,
        ]
        #expect(known.contains(try #require(MediaType(fileExtension: fileExtension))))
    }
}
