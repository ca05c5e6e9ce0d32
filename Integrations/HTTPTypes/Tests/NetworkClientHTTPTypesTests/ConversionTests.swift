import Foundation
import HTTPTypes
import NetworkClient
import NetworkClientHTTPTypes
import NetworkClientTesting
import Testing

struct ConversionTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test(
        .spec(232),
        arguments: [
            ("https://api.example.com", "/a%2Fb;x=1/%E2%82%AC?q=a+b%20c&q=&%5B%5D=1", nil),
            ("http://h:8080", "/", nil), ("HTTPS://h", "/a", nil),
            ("http://[::1]:8080", "/a//b/?", nil),
            ("https://h/api", "/items?page=1", "https://h/api"),
            ("https://h/api/", "/items", "https://h/api/?left=out#too"),
            ("https://h", "?q=1", "https://h"),
            ("https://h/api", "", "https://h/api"),
        ] as [(String, String, String?)]
    )
    func theBytesOfAURLStayAsTheyAre(beginning: String, target: String, base: String?) throws {
        let parts = beginning.components(separatedBy: "://")
        let request = HTTPRequest(
            method: .init("REPORT") ?? .get,
            scheme: base == nil ? parts[0] : nil,
            authority: base == nil ? parts[1] : nil,
            path: target
        )
        let converted = try URLRequest(request, baseURL: base.map(url))
        #expect(converted.url?.absoluteString == beginning + target)
        #expect(converted.httpMethod == "REPORT")
        if base == nil { #expect(try HTTPRequest(converted) == request) }
    }

    @Test func aGatewayPassesOnTheFieldsThatAreNotOfOneConnection() {
        func fields(_ lines: KeyValuePairs<String, String>) -> HTTPFields {
            HTTPFields(
                lines.compactMap { text, value in
                    HTTPField.Name(text).map { HTTPField(name: $0, value: value) }
                }
            )
        }
        let endToEnd: KeyValuePairs = [
            "Host": "h", "Accept": "a/b", "Set-Cookie": "a=1", "Set-Cookie": "b=2", "Authorization": "Bearer a",
            "Content-Length": "1", "Via": "1.1 a", "X-Kept": "close",
        ]
        let ofOneConnection: KeyValuePairs = [
            "connection": "X-Hop ,\tX-Other", "Connection": "close, , no token", "X-HOP": "1", "x-other": "2",
            "Keep-Alive": "timeout=5", "Transfer-Encoding": "chunked", "TE": "trailers", "Trailer": "a",
            "Upgrade": "websocket", "Proxy-Connection": "keep-alive", "Proxy-Authorization": "Basic a",
            "Proxy-Authenticate": "Basic", "Expect": "100-continue",
        ]
        #expect((fields(ofOneConnection) + fields(endToEnd)).endToEnd == fields(endToEnd))
        #expect(fields(endToEnd).endToEnd == fields(endToEnd))
        #expect(fields(ofOneConnection).endToEnd.isEmpty)
    }

    @Test func fieldsOfOneNameAreJoinedInRequests() throws {
        var request = HTTPRequest(method: .post, scheme: "https", authority: "h", path: "/")
        for (name, value) in [
            ("Accept", "a/b"), ("cookie", "a=1"), ("X-Tag", "ü"), ("accept", "c/d"), ("Cookie", "b=2"),
        ] {
            request.headerFields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        let converted = try URLRequest(request)
        #expect(converted.allHTTPHeaderFields == ["Accept": "a/b,c/d", "cookie": "a=1; b=2", "X-Tag": "ü"])
        let back = try HTTPRequest(converted)
        #expect(
            back.headerFields.map { "\($0.name.rawName): \($0.value)" }
                == ["Accept: a/b,c/d", "X-Tag: ü", "cookie: a=1; b=2"]
        )
    }

    @Test func aURLWithoutAPathHasTheTargetOfItsRoot() throws {
        #expect(try HTTPRequest(URLRequest(url: url("https://user:pw@h?q=1#x"))).path == "/?q=1")
        #expect(try HTTPRequest(URLRequest(url: url("https://user:pw@h?q=1#x"))).authority == "h")
        #expect(try HTTPRequest(URLRequest(url: url("https://h"))).path == "/")
    }

    @Test(
        arguments: [
            (nil, "h", "/"), ("https", nil, "/"), ("ftp", "h", "/"), ("https", "h", "*"), ("https", "h", "/a b"),
            ("https", "h", "/ü"), ("https", "", "/"), ("https", "h", "@evil/"), ("https", "h", "/a#b"),
            ("https", "h/evil?", "/x"),
        ] as [(String?, String?, String)]
    )
    func aURLThatFoundationWouldChangeIsAnError(scheme: String?, authority: String?, path: String) {
        let request = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path)
        #expect(throws: HTTPTypesConversionError.invalidURL) { try URLRequest(request) }
    }

    @Test func methodsThatFoundationChangesAreErrors() throws {
        for name in ["get", "CONNECT"] {
            let request = HTTPRequest(method: try #require(.init(name)), scheme: "https", authority: "h", path: "/")
            #expect(throws: HTTPTypesConversionError.invalidMethod(name)) { try URLRequest(request) }
        }
        var request = URLRequest(url: try url("https://h/"))
        request.httpMethod = "A B"
        #expect(throws: HTTPTypesConversionError.invalidMethod("A B")) { try HTTPRequest(request) }
        #expect(throws: HTTPTypesConversionError.invalidURL) { try HTTPRequest(URLRequest(url: url("/a"))) }
        request = URLRequest(url: try url("https://h/"))
        request.setValue("a", forHTTPHeaderField: "X Y")
        #expect(throws: HTTPTypesConversionError.invalidField(name: "X Y")) { try HTTPRequest(request) }
        for value in ["a\u{1}b", " a", "a\r\nb"] {
            request.allHTTPHeaderFields = ["X-A": value]
            request.setValue(nil, forHTTPHeaderField: "X Y")
            #expect(throws: HTTPTypesConversionError.invalidField(name: "X-A")) { try HTTPRequest(request) }
        }
    }

    @Test func responsesKeepAllFieldsInTheirOrder() async throws {
        let lines = [("Set-Cookie", "a=1, b"), ("X-B", ""), ("set-cookie", "c=2"), ("X-A", "é")]
        var response = HTTPResponse(status: .init(code: 299))
        for (name, value) in lines {
            response.headerFields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        let sent = response
        let client = NetworkClient(
            transport: ClosureTransport { request, _ in
                try TransportResponse(sent, url: try #require(request.url), data: Data("1".utf8))
            }
        )
        let received: NetworkClient.Response<Int> = try await client.fetch(request: URLRequest(url: url("https://h/")))
        #expect(received.item == 1)
        for converted in try [HTTPResponse(received), HTTPResponse(received.httpResponse)] {
            #expect(converted.status.code == 299)
            #expect(converted.headerFields.map(\.name.rawName) == lines.map(\.0))
            #expect(converted.headerFields.map(\.value) == lines.map(\.1))
        }
    }

    @Test func aMalformedFieldOfAResponseDoesNotHideItsStatus() throws {
        let head = HTTPURLResponse(
            url: try url("https://h/"),
            statusCode: 201,
            httpVersion: nil,
            headerFields: ["X-A": "a\u{1}b", "X Powered By": "a"]
        )
        let response = try HTTPResponse(try #require(head))
        #expect(response.status.code == 201)
        #expect(response.headerFields.map { "\($0.name.rawName): \($0.value)" } == ["X-A: a b"])
    }

    @Test func responsesThatAreNotHTTPAreErrors() throws {
        let status = HTTPURLResponse(url: try url("https://h/"), statusCode: 1_000, httpVersion: nil, headerFields: nil)
        #expect(throws: HTTPTypesConversionError.invalidStatus(1_000)) { try HTTPResponse(try #require(status)) }
        let low = HTTPResponse(status: .init(code: 99))
        #expect(throws: HTTPTypesConversionError.invalidStatus(99)) {
            try TransportResponse(low, url: url("https://h/"))
        }
    }

    @Test func anErrorIsOneSentenceWithoutValues() {
        let errors: [(HTTPTypesConversionError, String)] = [
            (
                .invalidURL,
                "The request can't be converted: it has no absolute HTTP URL that Foundation keeps unchanged."
            ),
            (.invalidMethod("a\n"), #"The request can't be converted: its method "a\n" is invalid."#),
            (.invalidField(name: "X"), #"The message can't be converted: its field "X" is invalid."#),
            (.invalidStatus(99), "The response can't be converted: its status 99 is not in 100 to 999."),
        ]
        for (error, text) in errors { #expect(error.localizedDescription == text) }
    }
}
