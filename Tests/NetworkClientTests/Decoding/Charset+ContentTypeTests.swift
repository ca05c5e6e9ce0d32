import Testing

@testable import NetworkClient

struct CharsetContentTypeTests {
    private static let fields: [(String?, Charset?)] = [
        (nil, .utf8), ("", .utf8), ("text/plain", .utf8), ("text/plain;", .utf8), ("text/plain; charset=", .utf8),
        ("text/plain; charset", .utf8), ("text/plain; charset=iso-8859-1", .latin1),
        ("text/plain;charset=ISO-8859-1", .latin1), ("text/plain ; Charset=\"Windows-1252\" ", .windows1252),
        ("text/plain; charset='us-ascii'", .ascii), ("text/plain; charset = utf-16le", .utf16LittleEndian),
        ("text/plain; title=\"a; charset=x\"; charset=utf-16", .utf16),
        ("text/plain; title=\"\\\"; charset=x\"; charset=utf-16be", .utf16BigEndian),
        ("text/plain; charset=us-ascii; charset=utf-16", .ascii), ("text/plain; charset=klingon", nil),
        ("charset=us-ascii", .utf8), ("text/plain; xcharset=us-ascii", .utf8), ("\"", .utf8), (";;;=;charset==", nil),
    ]

    @Test(arguments: fields)
    func isWhatTheFieldNames(field: String?, charset: Charset?) {
        #expect(Charset(contentType: field) == charset)
    }
}
