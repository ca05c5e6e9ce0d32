import NetworkUtilities

struct HTTPURLErrorTests {
    @Test(.spec(145)) func textThatIsNotAnHTTPURLIsAnErrorThatNamesTheCause() {
        let rows: [(String, String)] = [
            ("", "The URL is empty."), ("::", "'::' is not a valid URL."),
            ("https://h h/", "'https://h h/' is not a valid URL."),
            ("https://h:99999/", "'https://h:99999/' is not a valid URL."),
            ("https://h:0/", "'https://h:0/' is not a valid URL."),
            ("https://h:9223372036854775808", "'https://h:9223372036854775808' is not a valid URL."),
            ("http://[::1]:18446744073709551696/?a", "'http://[::1]:18446744073709551696/' is not a valid URL."),
            ("https://u:secret@h:99999999999999999999/a:1", "'h:99999999999999999999/a:1' is not a valid URL."),
            ("api.example.com/v1", "The URL 'api.example.com/v1' has no scheme, such as https."),
            ("/v1", "The URL '/v1' has no scheme, such as https."),
            ("//h/v1", "The URL '//h/v1' has no scheme, such as https."),
            ("localhost:8080", "The URL 'localhost:8080' has no scheme, such as https."),
            ("localhost:80/a?b", "The URL 'localhost:80/a' has no scheme, such as https."),
            ("127.0.0.1:8080", "The URL '127.0.0.1:8080' has no scheme, such as https."),
            ("items/1:80", "The URL 'items/1:80' has no scheme, such as https."),
            ("http:80", "The URL 'http:80' has no host."),
            ("tel:1234567", "The URL has the scheme 'tel', but only http and https are supported."),
            ("ftp://h/", "The URL has the scheme 'ftp', but only http and https are supported."),
            (
                "wss://h/",
                "The URL has the scheme 'wss', but only http and https are supported: a WebSocket is opened by "
                    + "client.webSocket(…), and events from a server are read by client.events(…)."
            ),
            ("https://", "The URL 'https://' has no host."), ("https:///v1", "The URL 'https:///v1' has no host."),
            ("https:v1", "The URL 'https:v1' has no host."),
            ("u:secret@h/?key=secret", "The URL has the scheme 'u', but only http and https are supported."),
            ("//u:secret@h/?key=secret#secret", "The URL 'h/' has no scheme, such as https."),
            ("https:///a?x=1@secret", "The URL '***' has no host."),
        ]
        for (text, sentence) in rows {
            let error = #expect(throws: HTTPURLError.self) { try URL(http: text) }
            expect([error?.description, error?.localizedDescription], [sentence, sentence])
        }
    }

    @Test func theTextOfAnHTTPURLStaysUnchanged() throws {
        for text in [
            "https://h", "http://127.0.0.1:8080/a%2Fb?x=1#f", "HTTPS://u:p@h/", "https://[::1]:1/", "https://[::1]",
            "https://h/a:99999999999999999999", "https://h?a:99999999999999999999", "https://u:9@h", "https://h:65535",
        ] {
            expect(try URL(http: text).absoluteString, text)
            expect(try URLRequest.get(url: URL(http: text)).build().url?.absoluteString, text)
        }
    }

    private func url(_ scheme: String, _ host: String, _ port: Int?, _ path: String) throws -> String {
        try URL(scheme: scheme, host: host, port: port, path: path).absoluteString
    }

    @Test(.spec(143)) func aURLIsMadeOfSchemeHostPortAndPath() throws {
        let rows: [(scheme: String, host: String, port: Int?, path: String, text: String)] = [
            ("https", "api.example.com", nil, "v1", "https://api.example.com/v1"),
            ("https", "api.example.com", nil, "/v1/", "https://api.example.com/v1/"),
            ("https", "api.example.com", nil, "", "https://api.example.com"),
            ("https", "api.example.com", nil, "/", "https://api.example.com/"),
            ("http", "127.0.0.1", 8080, "", "http://127.0.0.1:8080"),
            ("https", "::1", 8443, "v1", "https://[::1]:8443/v1"),
            ("https", "[2001:db8::1]", nil, "", "https://[2001:db8::1]"),
            ("https", "::ffff:192.0.2.1", nil, "", "https://[::ffff:192.0.2.1]"),
            ("https", "1:2:3:4:5:6:7:8", nil, "", "https://[1:2:3:4:5:6:7:8]"),
            ("https", "h", nil, "a b/é/50%25", "https://h/a%20b/%C3%A9/50%25"),
        ]
        for row in rows { expect(try url(row.scheme, row.host, row.port, row.path), row.text) }
    }

    @Test(.spec(143)) func componentsThatFormNoURLAreAnError() {
        let dots = HTTPURLError.invalidPath(.dotSegment(.init(value: nil, path: "a/../b")))
        let rows: [(scheme: String, host: String, port: Int?, path: String, error: HTTPURLError)] = [
            ("ftp", "h", nil, "", .unsupportedScheme("ftp")), ("https", "", nil, "", .missingHost("https://")),
            ("https", "h", 0, "", .invalidPort(0)), ("https", "h", 65_536, "", .invalidPort(65_536)),
            ("https", "h/v1", nil, "", .invalidHost("h/v1")), ("https", "u@h", nil, "", .invalidHost("h")),
            ("https", "u:s3cret@h", nil, "", .invalidHost("h")), ("https", "h?key=s3cret", nil, "", .invalidHost("h")),
            ("https", "h", nil, "a/../b?key=s3cret", dots), ("https", "h:80", nil, "", .invalidHost("h:80")),
            ("https", "1::2::3", nil, "", .invalidHost("1::2::3")),
            ("https", "1:2:3:4:5:6:7:8:9", nil, "", .invalidHost("1:2:3:4:5:6:7:8:9")),
            ("https", "::1.2.3.256", nil, "", .invalidHost("::1.2.3.256")),
            ("https", "[::1", nil, "", .invalidHost("[::1")), ("https", "1:2:3", nil, "", .invalidHost("1:2:3")),
            ("https", "::1\u{0}", nil, "", .invalidHost("::1\u{0}")),
            ("https", "fe80::1%en0", nil, "", .invalidHost("fe80::1%en0")),
        ]
        for row in rows { #expect(throws: row.error) { try url(row.scheme, row.host, row.port, row.path) } }
        let error = #expect(throws: HTTPURLError.self) { try URL(host: "h", path: "../v1") }
        expect(error?.description.hasPrefix("The path '../v1' cannot be used"), true)
    }
}
