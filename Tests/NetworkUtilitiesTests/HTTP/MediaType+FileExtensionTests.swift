import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct MediaTypeFileExtensionTests {
    @Test(
        .spec(58),
        arguments: [
            "pdf": "application/pdf", "PDF": "application/pdf", "jpg": "image/jpeg", "jpeg": "image/jpeg",
            "Png": "image/png", "heic": "image/heic", "svg": "image/svg+xml", "txt": "text/plain",
            "js": "text/javascript", "json": "application/json", "csv": "text/csv", "html": "text/html",
            "xml": "application/xml", "zip": "application/zip", "gz": "application/gzip", "mp3": "audio/mpeg",
            "mp4": "video/mp4", "mov": "video/quicktime", "woff2": "font/woff2",
            "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ]
    )
    func aCommonFileExtensionHasAMediaType(fileExtension: String, value: String) {
        #expect(MediaType(fileExtension: fileExtension)?.value == value)
    }

    @Test(arguments: ["", "unknown", ".pdf", "pdf ", "tar.gz", "é"])
    func anUnknownFileExtensionHasNoMediaType(fileExtension: String) {
        #expect(MediaType(fileExtension: fileExtension) == nil)
    }

    @Test(
        arguments: [
            ("photo.jpg", "image/jpeg"), ("archive.tar.gz", "application/gzip"), ("a/b.c/photo.jpg", "image/jpeg"),
            ("a\"b\r\nX-Evil: 1.jpg", "image/jpeg"), ("føø.JPG", "image/jpeg"), ("", nil), (".jpg", nil),
            ("d/.jpg", nil), ("a.jpg/b", nil), ("jpg", nil), ("a.", nil),
        ] as [(String, String?)]
    )
    func theExtensionOfAFileNameGivesItsMediaType(name: String, value: String?) {
        #expect(MediaType(fileName: name)?.value == value)
    }
}
