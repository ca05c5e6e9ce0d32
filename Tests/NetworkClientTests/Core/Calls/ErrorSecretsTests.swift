import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// No text of an error that a call can throw holds a credential, a cookie, a query, a password or a body.
struct ErrorSecretsTests {
    private static let secret = "s3cret"

    private static func texts(of error: any Error) -> [String] {
        var dumped = ""
        dump(error, to: &dumped)
        let bridged = error as NSError
        return [
            "\(error)", String(describing: error), String(reflecting: error), error.localizedDescription, dumped,
            bridged.description, bridged.localizedDescription, "\(bridged.userInfo)",
        ]
    }

    @Test func aDumpOfAClientShowsNoCredential() {
        let store = CookieStore()
        let client = NetworkClient(
            transport: ClosureTransport { _ in (Data(), .made()) },
            interceptors: [.headers([.authorization(.bearer(Self.secret))])],
            configuration: .init(baseURL: url("https://u:\(Self.secret)@h/v1?token=\(Self.secret)&a=b"), cookies: store)
        )
        var dumped = ""
        dump(client, to: &dumped)
        dump(client.configuration, to: &dumped)
        expect(dumped, contains: "h/v1?token=***&a=b", "bodyLimit")
        for text in [dumped, "\(client)", "\(client.configuration)", String(reflecting: client.configuration)] {
            #expect(!text.contains(Self.secret))
        }
    }

    private func expectNoSecret(in error: any Error, _ place: SourceLocation = #_sourceLocation) {
        var errors = [error]
        if let error = error as? TransportError { errors += [error.underlying].compactMap { $0 } }
        if case NetworkClient.Error.requestError(let type) = error {
            errors += [type, type.underlying].compactMap { $0 }
        }
        if case NetworkClient.Error.encodingError(let type) = error { errors.append(type) }
        for error in errors {
            for text in Self.texts(of: error) {
                #expect(!text.contains(Self.secret), "\(type(of: error))", sourceLocation: place)
            }
        }
    }

    /// A request with a secret in each of its parts.
    private func request(to place: URL, scheme: String? = nil, path: String = "/items") throws -> URLRequest {
        var parts = try #require(URLComponents(url: place, resolvingAgainstBaseURL: true))
        parts.scheme = scheme ?? parts.scheme
        parts.user = "user"
        parts.password = Self.secret
        parts.path = path
        parts.queryItems = [URLQueryItem(name: "token", value: Self.secret)]
        parts.fragment = Self.secret
        return try URLRequest.post(url: try #require(parts.url))
            .bodyJson(of: ["password": Self.secret])
            .set(header: .authorization(.bearer(Self.secret)))
            .set(header: .custom(name: "Cookie", value: Self.secret))
            .build()
    }

    private func error(
        _ request: URLRequest,
        options: CallOptions = CallOptions(),
        client: NetworkClient = NetworkClient(logging: .off)
    ) async throws -> any Error {
        try await #require(throws: (any Error).self) {
            let _: NetworkClient.Response<[Int]> = try await withDeadline {
                try await client.fetch(request: request, options: options)
            }
        }
    }

    private func reason(_ error: any Error) -> TransportError.Reason? {
        guard case NetworkClient.Error.requestError(let type) = error else { return nil }
        return type.reason
    }

    private static let cookie = WireField(name: "Set-Cookie", value: "a=\(secret)")
    private static let redirect = "http://u:\(secret)@127.0.0.1/?token=\(secret)"
    private static let answers: [(Script, TransportError.Reason?)] = [
        (.respond(status: 500, headers: WireFields([cookie]), body: secret), nil),
        (.respond(headers: WireFields([cookie]), body: #"[{"\#(secret)":"\#(secret)"}]"#), nil),
        (.respond(headers: WireFields([cookie]), body: secret), nil),
        (
            [.send("HTTP/1.1 200 OK\r\nSet-Cookie: \(secret)\r\nContent-Length: 99\r\n\r\n\(secret)"), .close],
            .connectionLost
        ),
        ([.reset], .connectionLost),
        ([.send("\(secret)\r\n"), .close], .malformedResponse),
        ([.send("HTTP/1.1 200 OK\r\n\(secret)\r\n\r\n"), .close], .malformedResponse),
        ([.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(secret)\r\n"), .close], .malformedResponse),
        (.respond(body: String(repeating: secret, count: 200)), .bodyTooLarge),
        ([.redirect(to: "/items?token=\(secret)", status: 307)], .tooManyRedirects),
        ([.redirect(to: "ftp://u:\(secret)@h/?token=\(secret)", status: 307)], .redirectRefused),
        ([.wait(Gate(), orPeerClose: true), .close], .timedOut),
    ]

    @Test(.spec(94), arguments: answers.indices)
    func anErrorHoldsNoSecretOfARequestOrAResponse(index: Int) async throws {
        let (script, expected) = Self.answers[index]
        let server = try LoopbackServer { _ in script }
        let options = CallOptions(idleTimeout: expected == .timedOut ? 0.2 : 30, bodyLimit: 1000)
        let error = try await error(try request(to: server.url), options: options)
        expect(reason(error), expected)
        expectNoSecret(in: error)
    }

    @Test(.spec(94)) func anErrorHoldsNoSecretOfARequestWithoutAResponse() async throws {
        let port = try RefusingPort()
        let server = try LoopbackServer { _ in .respond() }
        let client = NetworkClient(transport: URLSessionTransport(), logging: .off)
        let refused = try await error(try request(to: port.url))
        expect(reason(refused), .connectionRefused)
        let unknown = try await error(try request(to: url("http://nowhere.invalid")))
        expect(reason(unknown), .nameNotResolved)
        let insecure = try await error(try request(to: server.url, scheme: "https"))
        expect(reason(insecure), .secureConnectionFailed)
        (client.transport as? URLSessionTransport)?.shutDown()
        let closed = try await error(try request(to: server.url), client: client)
        expect(reason(closed), .transportClosed)
        for error in [refused, unknown, insecure, closed] { expectNoSecret(in: error) }
    }

    @Test(.spec(94)) func anErrorHoldsNoSecretOfARequestThatIsRefused() async throws {
        let server = try LoopbackServer { _ in .redirect(to: "/next", status: 307) }
        let valid = try request(to: server.url)
        let changes: [(inout URLRequest) -> Void] = [
            { $0.httpMethod = "A \(Self.secret)" }, { $0.timeoutInterval = 0 },
            { $0.allHTTPHeaderFields = ["X \(Self.secret)": Self.secret] },
            { $0.setValue("9", forHTTPHeaderField: "Content-Length") }, { $0.method = .get },
            { $0.httpBodyStream = InputStream(data: Data(Self.secret.utf8)) },
        ]
        for change in changes {
            var request = valid
            change(&request)
            expectNoSecret(in: try await error(request))
        }
        let query = "token=\(Self.secret)"
        let places = [
            "ftp://u:\(Self.secret)@h/?\(query)", "file:///etc/?\(query)", "items?\(query)#\(Self.secret)", "?\(query)",
            "//u:\(Self.secret)@h/x?\(query)", "data:,\(Self.secret)", "https://u:\(Self.secret)@/?\(query)",
            "mailto:a@b?\(query)",
        ]
        for place in places {
            expectNoSecret(in: try await error(URLRequest(url: url(place))))
        }
    }

    @Test(
        .spec(94),
        arguments: ["https://u:s3cret@[::?token=s3cret", "https://u:s3cret/?#@[::#s3cret", "https://[::?token=s3cret"]
    )
    func anErrorHoldsNoSecretOfAnInvalidURL(text: String) {
        expect(URL(string: text), nil)
        expectNoSecret(in: NetworkClient.Error.invalidUrl(originalUrl: text))
    }

    @Test(.spec(94)) func anErrorShowsTheNamesAndNotTheValuesOfPathParameters() {
        let place = url("https://h/a;token=s3cret;v=1/b;x/c;jsessionid=s3cret?q")
        let error = TransportError(.timedOut, request: URLRequest(url: place))
        expect(error.place, "https://h/a;token=***;v=***/b;x/c;jsessionid=***")
    }

    @Test(.spec(94)) func anErrorNamesTheURLWithoutItsSecrets() {
        let sentences = [
            "//u:p@h/x?q": "//h/x", "https://u:p@[::?q": "[::", "items?q#f": "items", "ftp://u:p@h/x@y": "ftp://h/x@y",
        ]
        for (text, place) in sentences {
            let error = NetworkClient.Error.invalidUrl(originalUrl: text)
            let reason = ["//h/x", "items"].contains(place) ? "is relative:" : "cannot be reached"
            #expect(error.description.hasPrefix("The URL \"\(place)\" \(reason)"))
        }
    }

    @Test(.spec(94)) func anErrorHoldsNothingOfABody() async throws {
        struct Refusal: Encodable, Error {
            let secret = ErrorSecretsTests.secret
            func encode(to encoder: any Encoder) throws { throw self }
        }
        struct Plain { let secret = ErrorSecretsTests.secret }
        let stage = URLRequest.post(url: url("https://h"))
        let bodies: [() throws -> Any] = [
            { try stage.bodyJson(of: Refusal()) },
            { try stage.bodyForm(params: ["a": Plain()]) },
            { try stage.bodyForm(params: ["a": Data(Self.secret.utf8)]) },
            { try stage.bodyForm(of: Self.secret) },
        ]
        for body in bodies {
            let error = try #require(throws: BodyEncodingError.self) { _ = try body() }
            expectNoSecret(in: error)
            expectNoSecret(in: NetworkClient.Error.encodingError(type: error))
        }
        let directory = try TemporaryDirectory()
        let file = try directory.file("a.txt", Self.secret)
        let server = try LoopbackServer { _ in .respond() }
        let request = try URLRequest.post(url: server.url)
            .bodyMultipart { try $0.add(key: "f", file: .init(file: file)) }.build()
        try Data("\(Self.secret) and more".utf8).write(to: file)
        let changed = try await error(request)
        expect(reason(changed), .bodyUnreadable)
        #expect("\(changed)".contains("its body could not be read: the file '\(file.path)' changed after"))
        expectNoSecret(in: changed)
    }
}
