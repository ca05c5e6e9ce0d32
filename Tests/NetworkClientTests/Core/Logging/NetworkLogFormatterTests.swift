import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct NetworkLogFormatterTests {
    @Test(
        arguments: [
            (0, "0 ms"), (0.0004, "0 ms"), (0.012, "12 ms"), (9.9994, "9999 ms"), (12.34, "12.3 s"), (-1, "0 ms"),
            (.nan, "0 ms"), (.infinity, "1000000000.0 s"), (.greatestFiniteMagnitude, "1000000000.0 s"),
        ] as [(Double, String)]
    )
    func aDurationIsWrittenInMillisecondsOrSeconds(seconds: Double, text: String) {
        expect(NetworkLogFormatter.text(ofSeconds: seconds), text)
    }

    @Test(.spec(153)) func aRecordNamesTheAttemptFromTheSecondOn() throws {
        let exchange = LoggedExchange(url: "https://a.example/", status: 503)
        let (request, response) = (try exchange.request(), try exchange.response())
        let stages: [NetworkLogEvent.Stage] = [
            .sent, .received(response: response, data: Data()), .failed(CancellationError()),
            .failed(BodyEncodingError.json(path: "", reason: "is not a number")),
        ]
        let texts = stages.map { stage in
            NetworkLogFormatter().text(
                of: NetworkLogEvent(request: request, stage: stage, duration: 0.5, attempt: 2),
                requestLevel: .headers,
                responseLevel: .status
            )
        }
        expect(
            texts,
            [
                "GET https://a.example/ (attempt 2)",
                "GET https://a.example/ → 503 in 500 ms (attempt 2)",
                "GET https://a.example/ cancelled after 500 ms (attempt 2)",
                "GET https://a.example/ failed after 500 ms (attempt 2): "
                    + "The JSON body cannot be encoded: the value is not a number.",
            ]
        )
    }

    @Test func aRecordSaysThatABodyIsAStream() throws {
        var request = try LoggedExchange(method: "PUT", url: "https://a.example/").request()
        request.httpBodyStream = InputStream(data: Data("s3cr3t".utf8))
        let text = NetworkLogFormatter().text(of: request, level: .full)
        expect(text, "PUT https://a.example/\n  <streamed body of unknown length>")
        let folder = try TemporaryDirectory()
        let file = try folder.file("a", "12345")
        let upload = try URLRequest.put(url: url("https://a.example/")).bodyFile(at: file).build()
        expect(NetworkLogFormatter().text(of: upload, level: .full), contains: "\n  <streamed body of 5 bytes>")
    }

    @Test func aRecordShowsOnlyTheSizeOfACompressedBody() throws {
        let headers = ["Content-Type": "application/json", "Content-Encoding": "gzip"]
        let exchange = LoggedExchange(url: "https://a.example/", requestHeaders: headers, requestBody: Data("{}".utf8))
        expect(
            NetworkLogFormatter().text(of: try exchange.request(), level: .body),
            "GET https://a.example/\n  <2 bytes>"
        )
    }

    @Test(.spec(258)) func aRecordShowsThePlainBodyOfACompressedRequest() throws {
        let body = Data(base64Encoded: CompressedBodies.json) ?? Data()
        let headers = ["Content-Type": "application/json", "Content-Encoding": "gzip"]
        let exchange = LoggedExchange(url: "https://a.example/", requestHeaders: headers, requestBody: body)
        #expect(
            NetworkLogFormatter().text(of: try exchange.request(), level: .full) == """
                GET https://a.example/
                  Content-Encoding: gzip
                  Content-Type: application/json
                  {
                    "name": "O'Hara",
                    "password": "***"
                  }
                  (37 → \(body.count) bytes gzip)
                """
        )
    }

    @Test func noContentCanImitateARecord() throws {
        var request = try LoggedExchange(url: "https://a.example/").request()
        request.httpMethod = "GET\n[NetworkClient] POST"
        request.allHTTPHeaderFields = ["X-A": "1\n[NetworkClient] forged\u{1B}[2J", "Content-Type": "text/plain"]
        request.httpBody = Data("a\r\n[NetworkClient] forged\u{202E}".utf8)
        let text = try #require(NetworkLogFormatter().text(of: request, level: .full))
        #expect(
            text == """
                GET\\n[NetworkClient] POST https://a.example/
                  Content-Type: text/plain
                  X-A: 1\\n[NetworkClient] forged\\u{1B}[2J
                  a
                  [NetworkClient] forged\\u{202E}
                """
        )
    }

    @Test(.spec(219)) func aLongURLAndALongHeaderValueAreCut() throws {
        let long = String(repeating: "x", count: 5_000)
        var request = URLRequest(url: url("https://h/?token=a&b=\(long)"))
        request.setValue(long, forHTTPHeaderField: "X-A")
        request.setValue(long, forHTTPHeaderField: "X-Mask")
        let masks = [HeaderMasks.has(name: "X-Mask") { "\($0.count)" }]
        let text = try #require(NetworkLogFormatter(headerMasks: masks).text(of: request, level: .full))
        let lines = text.split(separator: "\n")
        expect(lines.map(\.count), [4_120, 4_121, 14])
        #expect(lines[0].hasPrefix("GET https://h/?token=***&b=x") && lines[0].hasSuffix("x… (925 more bytes)"))
        #expect(lines[1].hasSuffix("x… (904 more bytes)") && lines[2].hasSuffix("X-Mask: 5000"))
        #expect(request.curlCommand().contains(long))
    }

    @Test func aLevelThatIsOffHasNoRecord() throws {
        let event = NetworkLogEvent(request: try LoggedExchange().request(), stage: .sent)
        expect(NetworkLogFormatter().text(of: event, requestLevel: .off, responseLevel: .off), nil)
        expect(NetworkLogFormatter().text(of: event, requestLevel: .status, responseLevel: .status), nil)
    }
}

struct PrintableTextTests {
    @Test(arguments: [
        ("plain é😀\ttext", "plain é😀\ttext"),
        ("a\nb\r\nc\rd", #"a\nb\r\nc\rd"#),
        ("\r", #"\r"#),
        ("\u{1B}[31m\u{7F}\u{85}", #"\u{1B}[31m\u{7F}\u{0085}"#),
        ("a\u{2028}b\u{202E}c\u{2066}", #"a\u{2028}b\u{202E}c\u{2066}"#),
    ])
    func printableTextStaysInOneLine(text: String, shown: String) {
        expect(PrintableText.line(text), shown)
    }

    @Test(arguments: [
        ("a\nb", "  a\n  b"),
        ("a\r\n\r\nb\rc", "  a\n\n  b\\rc"),
        ("a\n", "  a\n"),
        ("", ""),
    ])
    func aPrintableBlockKeepsAndIndentsItsLines(text: String, shown: String) {
        expect(PrintableText.block(text), shown)
    }
}
