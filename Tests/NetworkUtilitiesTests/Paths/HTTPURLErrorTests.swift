import Foundation
import NetworkUtilities
import Testing

struct HTTPURLErrorTests {
    @Test(
        .spec(145),
        arguments: [
            ("", "The URL is empty."),
            ("::", "'::' is not a valid URL."),
            ("https://h h/", "'https://h h/' is not a valid URL."),
            ("https://h:99999/", "'https://h:99999/' is not a valid URL."),
            ("https://h:0/", "'https://h:0/' is not a valid URL."),
            ("https://h:9223372036854775808", "'https://h:9223372036854775808' is not a valid URL."),
            ("http://[::1]:18446744073709551696/?a", "'http://[::1]:18446744073709551696/' is not a valid URL."),
            (
                "https://u:secret@h:99999999999999999999/a:1",
                "'h:99999999999999999999/a:1' is not a valid URL."
            ),
            ("api.example.com/v1", "The URL 'api.example.com/v1' has no scheme, such as https."),
            ("/v1", "The URL '/v1' has no scheme, such as https."),
            ("//h/v1", "The URL '//h/v1' has no scheme, such as https."),
            ("localhost:8080", "The URL has the scheme 'localhost', but only http and https are supported."),
            ("ftp://h/", "The URL has the scheme 'ftp', but only http and https are supported."),
            ("https://", "The URL 'https://' has no host."),
            ("https:///v1", "The URL 'https:///v1' has no host."),
            ("https:v1", "The URL 'https:v1' has no host."),
            ("u:secret@h/?key=secret", "The URL has the scheme 'u', but only http and https are supported."),
            ("//u:secret@h/?key=secret#secret", "The URL 'h/' has no scheme, such as https."),
            ("https:///a?x=1@secret", "The URL '***' has no host."),
        ]
    )
    func textThatIsNotAnHTTPURLIsAnErrorThatNamesTheCause(text: String, sentence: String) {
        let error = #expect(throws: HTTPURLError.self) { try URL(http: text) }
        #expect(error?.description == sentence)
        #expect(error?.localizedDescription == sentence)
    }

    @Test(
        arguments: [
            "https://h", "http://127.0.0.1:8080/a%2Fb?x=1#f", "HTTPS://u:p@h/", "https://[::1]:1/", "https://[::1]",
            "https://h/a:99999999999999999999", "https://h?a:99999999999999999999", "https://u:9@h", "https://h:65535",
        ]
    )
    func theTextOfAnHTTPURLStaysUnchanged(text: String) throws {
        #expect(try URL(http: text).absoluteString == text)
        #expect(try URLRequest.get(url: URL(http: text)).build().url?.absoluteString == text)
    }

    struct Components: Sendable {
        var scheme = "https"
        var host: String
        var port: Int?
        var path = ""
        let text: String
    }

    @Test(
        .spec(143),
        arguments: [
            Components(host: "api.example.com", path: "v1", text: "https://api.example.com/v1"),
            Components(host: "api.example.com", path: "/v1/", text: "https://api.example.com/v1/"),
            Components(host: "api.example.com", text: "https://api.example.com"),
            Components(host: "api.example.com", path: "/", text: "https://api.example.com/"),
            Components(scheme: "http", host: "127.0.0.1", port: 8080, text: "http://127.0.0.1:8080"),
            Components(host: "::1", port: 8443, path: "v1", text: "https://[::1]:8443/v1"),
            Components(host: "[2001:db8::1]", text: "https://[2001:db8::1]"),
            Components(host: "::ffff:192.0.2.1", text: "https://[::ffff:192.0.2.1]"),
            Components(host: "1:2:3:4:5:6:7:8", text: "https://[1:2:3:4:5:6:7:8]"),
            Components(host: "h", path: "a b/é/50%25", text: "https://h/a%20b/%C3%A9/50%25"),
        ]
    )
    func componentsFormAURL(components: Components) throws {
        let url = try URL(
            scheme: components.scheme,
            host: components.host,
            port: components.port,
            path: components.path
        )
        #expect(url.absoluteString == components.text)
    }

    @Test(
        .spec(143),
        arguments: [
            (Components(scheme: "ftp", host: "h", text: ""), HTTPURLError.unsupportedScheme("ftp")),
            (Components(host: "", text: ""), .missingHost("https://")),
            (Components(host: "h", port: 0, text: ""), .invalidPort(0)),
            (Components(host: "h", port: 65_536, text: ""), .invalidPort(65_536)),
            (Components(host: "h/v1", text: ""), .invalidHost("h/v1")),
            (Components(host: "u@h", text: ""), .invalidHost("h")),
            (Components(host: "u:s3cret@h", text: ""), .invalidHost("h")),
            (Components(host: "h?key=s3cret", text: ""), .invalidHost("h")),
            (
                Components(host: "h", path: "a/../b?key=s3cret", text: ""),
                .invalidPath(.dotSegment(.init(value: nil, path: "a/../b")))
            ),
            (Components(host: "h:80", text: ""), .invalidHost("h:80")),
            (Components(host: "1::2::3", text: ""), .invalidHost("1::2::3")),
            (Components(host: "1:2:3:4:5:6:7:8:9", text: ""), .invalidHost("1:2:3:4:5:6:7:8:9")),
            (Components(host: "::1.2.3.256", text: ""), .invalidHost("::1.2.3.256")),
            (Components(host: "[::1", text: ""), .invalidHost("[::1")),
        ]
    )
    func componentsThatFormNoURLAreAnError(components: Components, error: HTTPURLError) {
        #expect(throws: error) {
            try URL(
                scheme: components.scheme,
                host: components.host,
                port: components.port,
                path: components.path
            )
        }
    }

    @Test func aPathThatLeavesItsPlaceIsAnError() {
        let error = #expect(throws: HTTPURLError.self) { try URL(host: "h", path: "../v1") }
        #expect(error?.description.hasPrefix("The path '../v1' cannot be used") == true)
    }
}
