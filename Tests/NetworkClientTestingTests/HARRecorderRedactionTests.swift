import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient
@testable import NetworkClientTesting

/// What a recorder masks, so that an archive can be committed, and how a replay matches what is masked.
struct HARRecorderRedactionTests {
    private static let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl"

    private struct Leak: Error {
        let secret: String
    }

    /// Requests that hold a secret in each place, and with each form of body.
    private static func requests(_ secret: String, _ token: String) throws -> [URLRequest] {
        var credentials = URLRequest(
            url: url("https://user:\(secret)@h/a?page=1&access_token=\(secret)&q=Bearer%20\(secret)")
        )
        for name in ["Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key"] {
            credentials.setValue("Basic \(secret)", forHTTPHeaderField: name)
        }
        credentials.setValue("https://h/?key=\(secret)", forHTTPHeaderField: "Referer")
        let post = URLRequest.post(url: url("https://h/login"))
        let json =
            #"{"id": 7, "ok": true, "none": null, "password": "\#(secret)", "all": [{"refreshToken": "\#(secret)"}], "#
            + #""pin": \#(secret.count)}"#
        var coded = post.bodyText(json, type: .json).build()
        coded.httpBody = Data(Gzip.stored(json))
        coded.setValue("gzip", forHTTPHeaderField: "Content-Encoding")
        return [
            credentials,
            URLRequest(url: url("https://h/reset/\(token)/now?\(token)#\(secret)")),
            post.bodyText(json, type: .json).build(), coded,
            post.bodyForm(pairs: ["user": "a", "client_secret": secret]).build(),
            post.bodyMultipart { form in
                form.add(key: "user", value: "a")
                form.add(key: "password", value: secret)
                form.add(key: "note", value: "Bearer \(secret)1")
                form.add(key: "file", value: Data(secret.utf8), filename: "a.txt", type: .plainText)
            }.build(),
            post.bodyText("Authorization: Bearer \(secret)1\nuser: a").build(),
            post.bodyData(Data([0x63, 0xE9]) + Data(" Bearer \(secret)1".utf8), type: "text/plain").build(),
            post.bodyData(Data([0x63, 0xE9]) + Data(" Bearer \(secret)1".utf8), type: "text/plain; charset=latin1")
                .build(),
        ]
    }

    private static func responses(_ secret: String) -> [StubTransport.Response] {
        let json = #"{"id": 1, "access_token": "\#(secret)"}"#
        return [
            .json(text: json).adding(header: .custom(name: "Set-Cookie", value: "sid=\(secret); Path=/")),
            .status(302).adding(header: .custom(name: "Location", value: "https://app/cb?code=\(secret)&page=1")),
            .status(201).adding(header: .custom(name: "Link", value: "<https://h/?api_key=\(secret)>; rel=next")),
            .data(Data(Gzip.stored(json)), type: .json).adding(
                header: .custom(name: "Content-Encoding", value: "gzip")
            ),
            .events([.init(data: json), .init(data: "[DONE]")]), .text("<a href='https://h/?sig=\(secret)'>"),
            .failure(Leak(secret: secret)), .failure(.connectionRefused),
            .data(Data([0xE9]) + Data(" Bearer \(secret)1".utf8), type: "text/plain"),
        ]
    }

    /// Returns a recorder that has recorded the requests with the responses.
    private func recorder(
        _ secret: String,
        _ redaction: LogRedaction = .sensitive
    ) async throws -> HARRecorder {
        let responses = Self.responses(secret)
        let count = Locked(0)
        let stub = StubTransport()
        stub.on(.any) { _ in
            let index = count.withLock { count in
                count += 1
                return count - 1
            }
            return responses[index]
        }
        let recorder = HARRecorder(wrapping: stub, redaction: redaction)
        _ = try await outcomes(of: Self.requests(secret, Self.token), to: recorder)
        return recorder
    }

    /// Sends requests, and returns the status or the failure of each.
    private func outcomes(of requests: [URLRequest], to transport: some Transport) async throws -> [String] {
        var outcomes: [String] = []
        for request in requests {
            do {
                outcomes.append("\(try await transport.send(request, options: TransportOptions()).head.status)")
            } catch {
                outcomes.append((error as? TransportError)?.reason.description ?? "\(type(of: error))")
            }
        }
        return outcomes
    }

    @Test func anArchiveHasNoSecret() async throws {
        let secret = "s3cretV4lue"
        let archive = try await recorder(secret).archive
        let entries = try ValidArchive(archive).entries
        expect(entries.count, Self.responses("").count)
        let texts = entries.flatMap(\.values)
        let decoded = texts.compactMap { Data(base64Encoded: $0).map { String(decoding: $0, as: UTF8.self) } }
        for text in [String(decoding: archive, as: UTF8.self)] + decoded {
            for hidden in [secret, Self.token] { #expect(!text.contains(hidden), "\(text)") }
        }
        #expect(texts.filter { $0.contains("***") }.count > 25)
        expectAll(
            (entries[0].values.contains("Set-Cookie"), SetCookie("***")),
            (true, nil),
            "A masked cookie sets none."
        )
        let open = try await recorder(secret, .showingEverything).archive
        #expect(String(decoding: open, as: UTF8.self).components(separatedBy: secret).count > 25)
    }

    @Test func aRequestWithAnotherSecretIsReplayed() async throws {
        let archive = try await recorder("s3cretV4lue").archive
        let transport = try StubTransport(har: archive)
        let other = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJvdGhlcm90aGVyIn0.b3RoZXI"
        let outcomes = try await outcomes(of: Self.requests("an0therS3cret", other), to: transport)
        expect(
            outcomes,
            ["200", "302", "201", "200", "200", "200", "connectionLost", "connectionRefused", "200"],
            transport.unmatchedRequests.map(\.description).joined()
        )
        // What is not masked is still compared.
        let json = #"{"id": 7, "ok": true, "none": null, "password": "x", "all": [{"refreshToken": "x"}], "pin": 1}"#
        let login = URLRequest.post(url: url("https://h/login"))
        let wrong = [
            URLRequest(url: url("https://h/a?page=2&access_token=x&q=x")),
            login.bodyText("Authorization: Basic x\nuser: a").build(),
            login.bodyText(json.replacingOccurrences(of: "7", with: "8"), type: .json).build(),
            login.bodyText(json.replacingOccurrences(of: "true", with: "false"), type: .json).build(),
            login.bodyText(json.replacingOccurrences(of: "}]", with: "}, 1]"), type: .json).build(),
        ]
        expect(try await self.outcomes(of: wrong, to: transport), wrong.map { _ in "notStubbed" })
        expect(try await self.outcomes(of: [login.bodyText(json, type: .json).build()], to: transport), ["200"])
    }

    @Test func aRedactionOfTheCallerIsUsed() async throws {
        let recorder = HARRecorder(
            wrapping: ClosureTransport(json: #"{"mail": "m", "id": 1}"#),
            redaction: .allowing(["id"])
        )
        let post = URLRequest.post(url: url("https://h/a?id=1&b=2"))
        _ = try await outcomes(of: [post.bodyData(Data([0xFF, 0x01])).build()], to: recorder)
        let archive = try ValidArchive(recorder.archive)
        expect(archive["request.url"], ["https://h/a?id=1&b=***"])
        expect(archive["request.postData.text"], ["***"])
        expect(archive["response.content.text"], [#"{"mail": "***", "id": 1}"#])
        let transport = try StubTransport(har: recorder.archive)
        let sent = URLRequest.post(url: url("https://h/a?id=1&b=3")).bodyText("any").build()
        expect(try await outcomes(of: [sent], to: transport), ["200"])
    }

    @Test func namesThatTheClientDeclaresSensitiveAreMasked() async throws {
        let field = HeaderField.custom(name: "X-Shop", value: "s3cret")
        let stub = StubTransport(otherwise: .json(["customer": "s3cret"]).setting(header: field))
        let recorder = HARRecorder(wrapping: stub)
        let client = NetworkClient(
            transport: recorder,
            interceptors: [.authentication(.apiKey("s3cret", header: "X-Shop"), origins: [url("https://h")])],
            configuration: .init(sensitiveHeaders: ["customer"])
        )
        try await client.fetch(request: URLRequest(url: url("https://h/a?customer=s3cret")))
        expect(String(decoding: try recorder.archive, as: UTF8.self), lacks: "s3cret")
        try await NetworkClient(transport: StubTransport(har: recorder.archive))
            .fetch(request: URLRequest(url: url("https://h/a?customer=other")))
    }

    @Test func aMaskStandsForNoOtherRequestThatWasRecorded() async throws {
        let stub = StubTransport()
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
        stub.on(.any, .text("current"), .text("token"), .text("mail"), .text("password"))
        let recorder = HARRecorder(wrapping: stub)
        func requests() throws -> [URLRequest] {
            [
                URLRequest.get(url: url("https://h/sessions/current")).build(),
                URLRequest.get(url: url("https://h/sessions/\(token)")).build(),
                try URLRequest.patch(url: url("https://h/me")).bodyJson(of: ["email": "a"]).build(),
                try URLRequest.patch(url: url("https://h/me")).bodyJson(of: ["password": "p"]).build(),
            ]
        }
        for request in try requests() { _ = try await recorder.send(request, options: TransportOptions()) }
        let replay = try StubTransport(har: recorder.archive)
        var texts: [String] = []
        for request in try requests() {
            let response = try await replay.send(request, options: TransportOptions())
            texts.append(String(decoding: response.body.data, as: UTF8.self))
        }
        expect(texts, ["current", "token", "mail", "password"])
    }

    @Test func aFormWhoseTypeDoesNotSaySoIsMasked() async throws {
        let tokens = Data("oauth_token=s3cret&a=1&oauth_token_secret=s3cret".utf8)
        let stub = StubTransport(otherwise: .data(tokens, type: .html))
        let recorder = HARRecorder(wrapping: stub)
        var request = URLRequest(url: url("https://h/"))
        request.httpMethod = "POST"
        request.httpBody = Data("password=s3cret&user=a".utf8)
        _ = try await recorder.send(request, options: TransportOptions())
        let archive = try ValidArchive(recorder.archive)
        expect(archive["response.content.text"], ["oauth_token=***&a=1&oauth_token_secret=***"])
        expect(String(decoding: try recorder.archive, as: UTF8.self), lacks: "s3cret")
    }
}
