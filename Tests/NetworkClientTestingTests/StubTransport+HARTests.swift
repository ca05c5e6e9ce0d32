import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient
@testable import NetworkClientTesting

/// What a transport responds from an HTTP archive.
struct StubTransportHARTests {
    private func send(
        _ text: String,
        _ method: HTTPMethod = .get,
        _ fields: [String: String] = [:],
        body: String? = nil,
        to transport: StubTransport
    ) async throws -> NetworkClient.Response<Data> {
        var request = URLRequest(url: url(text))
        request.method = method
        request.allHTTPHeaderFields = fields
        request.httpBody = body.map { Data($0.utf8) }
        let client = NetworkClient(transport: transport)
        return try await client.fetch(request: request, options: CallOptions(acceptedStatuses: .all))
    }

    private func failure(_ body: () async throws -> Any) async throws -> TransportError {
        let error = await #expect(throws: NetworkClient.Error.self) { _ = try await body() }
        guard case .requestError(let failure)? = error else { throw error ?? URLError(.unknown) }
        return failure
    }

    private func transport(_ archive: String) throws -> StubTransport { try StubTransport(har: Data(archive.utf8)) }

    private func archive(request: String, response: String = #"{"status": 200}"#) -> String {
        #"{"log": {"entries": [{"request": \#(request), "response": \#(response)}]}}"#
    }

    @Test(.spec(228)) func anArchiveOfChromeRespondsWithDecodedBodiesAndTheFieldsThatFit() async throws {
        let transport = try transport(RecordedArchives.chrome)
        // The redirect leads to the first entry, whose query has other escapes and another order.
        let response = try await send("https://h/old", to: transport)
        expect(response.item, Data("é".utf8))
        expect(response.httpResponse.url, url("https://h/cart?page=1&q=a+b"))
        expect(
            response.httpResponse.receivedFields.map { "\($0.name): \($0.value)" },
            [
                "set-cookie: a=1; Path=/", "set-cookie: b=2", "x-empty: ",
                "content-type: text/plain; charset=utf-8", "Content-Length: 2",
            ]
        )
        expect(transport.complaints, [], "Entries that are not used are no complaint.")
        transport.on(.get("/cart"), .status(503))
        expect(try await send("https://h/cart?q=a%20b&page=1", to: transport).httpResponse.statusCode, 503)
    }

    @Test(
        arguments: [
            ("ad.js", "connectionLost", "the archive has no response to it (net::ERR_BLOCKED_BY_CLIENT)"),
            ("evicted", "notStubbed", "the archive does not contain the body of its response"),
        ]
    )
    func whatAnArchiveLacksFailsWithTheReason(path: String, reason: String, clause: String) async throws {
        let transport = try transport(RecordedArchives.chrome)
        let error = try await failure { try await send("https://h/\(path)", to: transport) }
        expect(error.reason.description, reason)
        expect(error.description, "The request to 'https://h/\(path)' failed: \(clause).")
    }

    @Test func anArchiveOfFirefoxRespondsWithBytesAndSkipsTheAbortedRequest() async throws {
        let transport = try transport(RecordedArchives.firefox)
        let response = try await send("https://h/pixel.png", to: transport)
        expect(response.item, Data([0x89, 0x50, 0x4E, 0x47]))
        expect(response.httpResponse.receivedFields.values(named: "set-cookie"), ["a=1", "b=2"])
        expect(response["transfer-encoding"], nil)
        expect(try await send("https://h/pixel.png", .head, to: transport)["content-length"], "4000")
    }

    @Test(.spec(228)) func anArchiveOfMitmproxyRespondsInOrderToTheSameJSON() async throws {
        let transport = try transport(RecordedArchives.mitmproxy)
        let json = ["Content-Type": "application/json"]
        var statuses: [Int] = []
        for body in [#"{"name":"a","id":1}"#, #"{"id":1,"name":"a"}"#, #"{"id":1,"name":"a"}"#, #"{"id":2}"#] {
            let response = try await send("https://h/orders", .post, json, body: body, to: transport)
            statuses.append(response.httpResponse.statusCode)
        }
        // The last entry has no body, so it responds to the others.
        expect(statuses, [503, 201, 201, 400])
    }

    @Test(.spec(228)) func anArchiveOfCharlesHasFormsAsParametersAndBodiesInBase64() async throws {
        let transport = try transport(RecordedArchives.charles)
        let form = ["Content-Type": "application/x-www-form-urlencoded"]
        let login = try await send("https://h/login", .post, form, body: "tag=1&user=a+b&tag=", to: transport)
        expect(login.httpResponse.statusCode, 204)
        let json = ["Content-Type": "application/json"]
        expect(
            try await send("https://h/score", .put, json, body: #"{"a": 1}"#, to: transport).item,
            Data([0xFF, 0x0F])
        )
        let error = try await failure {
            try await send("https://h/login", .post, form, body: "tag=&user=a+b&tag=1", to: transport)
        }
        expect(error.description, contains: "\n  POST https://h/login with the recorded body: the body is different\n")
    }

    @Test(.spec(228)) func aRequestThatIsNotInALongArchiveFailsWithTheNearestEntries() async throws {
        let entries = (1...300).map { number in
            #"{"request": {"method": "GET", "url": "https://h/items/\#(number)?a=*"}, "response": {"status": 200}}"#
        }
        let archive = #"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#
        let transport = try transport("\u{FEFF}" + archive)
        let error = try await failure { try await send("https://h/items/299?a=1", to: transport) }
        let lines = error.description.split(separator: "\n")
        expect(lines[0], "The request to 'https://h/items/299' failed: no stub matches GET /items/299?a=1:")
        expect(lines[1], "  GET https://h/items/299?a=*: the query is a=1")
        expect(lines.dropFirst(11), ["  and 290 stubs that differ more."])
        expect(try await send("https://h/items/299?a=%2A", to: transport).httpResponse.statusCode, 200)
    }

    @Test(
        arguments: [
            ("[", "The data is not an HTTP archive: it is not valid JSON"),
            ("{}", "The data is not an HTTP archive: the value at 'log' is missing."),
            (
                #"{"log": {"entries": [{"request": {"method": "GET"}, "response": {}}]}}"#,
                "The data is not an HTTP archive: the value at 'log.entries[0].request.url' is missing."
            ),
            (
                #"{"log": {"entries": [{"request": {"method": "A B", "url": ""}, "response": {}}]}}"#,
                "The data is not an HTTP archive: the value at 'log.entries[0].request.method' "
            ),
            (
                #"{"log": {"entries": [{"request": {"method": "GET", "url": "http://h"}, "response": {"status": 200, "#
                    + #""content": {"text": "A", "encoding": "base64"}}}]}}"#,
                "The data is not an HTTP archive: the value at 'log.entries[0].response.content.text' is not base64."
            ),
        ]
    )
    func whatIsNotAnArchiveIsRefusedWithThePlace(text: String, expected: String) {
        let error = #expect(throws: StubTransport.ArchiveError.self) { try transport(text) }
        expect(error?.description.hasPrefix(expected), true, "\(error?.description ?? "")")
    }

    @Test func anArchiveIsReadFromAFile() async throws {
        let folder = try TemporaryDirectory()
        let file = folder.url.appendingPathComponent("a.har")
        #expect(throws: BodySourceError.self) { try StubTransport(har: file) }
        try Data("{".utf8).write(to: file)
        let error = #expect(throws: StubTransport.ArchiveError.self) { try StubTransport(har: file) }
        expect(error?.description.hasPrefix("'a.har' is not an HTTP archive: it is not valid JSON"), true)
        try Data(archive(request: #"{"method": "GET", "url": "http://h#f"}"#).utf8).write(to: file)
        expect(try await send("http://h/", to: StubTransport(har: file)).httpResponse.statusCode, 200)
    }

    private static let recordedForm =
        #"multipart/form-data; boundary=X", "text": "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n"#
        + #"--X\r\nContent-Disposition: form-data; name=\"f\"; filename=\"p.png\"\r\n"#
        + #"Content-Type: image/png\r\n\r\n\r\n--X--\r\n"#

    private static func sentForm(_ value: String, file: String = "p.png") -> String {
        """
        --Y\r\nContent-Disposition: form-data; name="a"\r\n\r\n\(value)\r\n\
        --Y\r\ncontent-disposition: form-data; name="f"; filename="\(file)"\r\n\r\n1234\r\n--Y--\r\n
        """
    }

    private static let parameters = """
        multipart/form-data", "params": [{"name": "a", "value": "b"}, {"name": "f", "fileName": "p.png"}], "x": "
        """

    @Test(
        arguments: [
            (recordedForm, "multipart/form-data; boundary=Y", sentForm("b"), true),
            (recordedForm, "multipart/form-data; boundary=Y", sentForm("c"), false),
            (recordedForm, "multipart/form-data; boundary=Y", sentForm("b", file: "q.png"), false),
            (recordedForm, "multipart/form-data; boundary=Z", sentForm("b"), false),
            (recordedForm, "text/plain", sentForm("b"), false),
            (parameters, "multipart/form-data; boundary=Y", sentForm("b"), true),
            (parameters, "multipart/form-data; boundary=Y", sentForm("c"), false),
            (#"text/plain", "text": "a\u00e9\ufffd"#, "text/plain", "aé\u{FFFD}", true),
            (#"text/plain", "text": "a"#, "text/plain", "b", false),
            (#"application/json", "text": "a"#, "application/json", "a", true),
            (#"text/plain", "encoding": "base64", "text": "YQ=="#, "text/plain", "a", true),
            (#"text/plain", "text": "YQ=="#, "text/plain", "YQ==", true),
            (#"text/plain", "text": ""#, "text/plain", "a", true),
        ] as [(String, String, String, Bool)]
    )
    func theBodyIsComparedByItsMediaType(recorded: String, type: String, sent: String, isMatch: Bool) async throws {
        let request = #"{"method": "POST", "url": "http://h", "postData": {"mimeType": "\#(recorded)"}}"#
        let transport = try transport(archive(request: request))
        do {
            _ = try await send("http://h", .post, ["Content-Type": type], body: sent, to: transport)
            #expect(isMatch)
        } catch let error as NetworkClient.Error {
            #expect(!isMatch && "\(error)".contains("the body is different"), "\(error)")
        }
    }

    @Test func anEscapedQuoteOrLineBreakInANameOfAPartIsTheCharacter() {
        let head = #"Content-Disposition: form-data; name="a%22b"; filename="p%0D%0Aq%20""#
        let body = Data("--X\r\n\(head)\r\n\r\nb\r\n--X--".utf8)
        let parts = ArchivedBody.parts(of: body, type: MediaType("multipart/form-data; boundary=X"))
        expect(parts, [ArchivedBody.Part(name: "a\"b", fileName: "p\r\nq%20", content: Data("b".utf8))])
    }

    @Test func aBackslashInANameOfAPartEscapesNothing() {
        let head = #"Content-Disposition: form-data; name="a\"; filename="p""#
        let body = Data("--X\r\n\(head)\r\n\r\nb\r\n--X--".utf8)
        let parts = ArchivedBody.parts(of: body, type: MediaType("multipart/form-data; boundary=X"))
        expect(parts, [ArchivedBody.Part(name: #"a\"#, fileName: "p", content: Data("b".utf8))])
    }

    @Test func bytesThatAreNotUTF8AreComparedAsTheirExporterReadThem() async throws {
        let post = #"{"mimeType": "a/b", "text": "a\ufffd"}"#
        let transport = try transport(archive(request: #"{"method": "PUT", "url": "http://h", "postData": \#(post)}"#))
        var request = URLRequest(url: url("http://h"))
        request.method = .put
        request.httpBody = Data([0x61, 0xFF])
        _ = try await NetworkClient(transport: transport).fetch(request: request)
        request.httpBody = Data([0x62, 0xFF])
        expect(
            try await failure { try await NetworkClient(transport: transport).fetch(request: request) }.reason,
            .notStubbed
        )
    }

    @Test(.spec(228), arguments: [("200", true), ("302", false)])
    func aResponseWithAnErrorBreaksOff(status: String, breaks: Bool) async throws {
        let response = #"""
            {"status": \#(status), "content": {"text": "Hel"}, "_error": "net::ERR_CONTENT_LENGTH_MISMATCH"}
            """#
        let transport = try transport(archive(request: #"{"method": "GET", "url": "http://h"}"#, response: response))
        guard breaks else { return expect(try await send("http://h", to: transport).item, Data("Hel".utf8)) }
        let error = try await failure { try await send("http://h", to: transport) }
        expect(error.reason, .connectionLost)
        let cause = "the archive has only the beginning of its response (net::ERR_CONTENT_LENGTH_MISMATCH)"
        expect(error.description, "The request to 'http://h' failed: \(cause).")
    }

    @Test(
        arguments: [
            ("a", "a", true), ("a", "b", false), ("Bearer x", "Bearer ***", true), ("Basic x", "Bearer ***", false),
            ("", "***", true), ("a1b2c", "a***b***c", true), ("a1c", "a***b***c", false), ("ab", "ab***b", false),
            ("é1", "é***", true),
        ]
    )
    func aMaskStandsForAnyText(text: String, recorded: String, isLike: Bool) {
        expect(ArchivedBody.isLike(text, recorded), isLike)
    }

    @Test(
        arguments: [
            ("a=1&b=2", "b=***&a=1", true), ("a=1&b=2&c=3", "b=***&a=1", false), ("a=1", "b=***&a=1", false),
            ("a=1&x", "a=1&***", true), ("a=2&x", "a=1&***", false), ("a=1&a=2", "a=1&a=***", true),
        ]
    )
    func aMaskedItemIsAnyItem(items: String, recorded: String, isLike: Bool) {
        expect(ArchivedBody.isLike(ArchivedBody.form(items.utf8), ArchivedBody.form(recorded.utf8)), isLike)
    }
}
