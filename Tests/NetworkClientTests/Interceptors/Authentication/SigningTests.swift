import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Signatures of requests × redirects, cookies, tokens, retries, bodies, sharing, the cache, limits.
struct SigningTests {
    private let signed = Recorder<String>()

    /// Signs the method, the path, and what the request has of a cookie, a token and a body, with the number of the
    /// signature.
    private func scheme() -> AuthenticationScheme {
        .signing(headers: ["X-Signature", "X-Date"]) { [signed] request in
            var parts = [request.httpMethod ?? "", request.url?.path ?? ""]
            parts += ["Cookie", "Authorization"].map { request.value(forHTTPHeaderField: $0) ?? "-" }
            var body: [UInt8] = []
            try request.bodySource?.forEachPortion { body += $0 }
            parts.append(String(decoding: body, as: UTF8.self))
            signed.record(parts.joined(separator: " "))
            return [
                .custom(name: "X-Signature", value: "\(signed.count)"), .custom(name: "X-Date", value: "today"),
            ]
        }
    }

    private func signatures(_ server: LoopbackServer) -> [String] {
        server.requests.map { $0.value(forHeader: "X-Signature") ?? "none" }
    }

    @Test(.spec(307), arguments: TransportUnderTest.all)
    func eachRequestToItsOriginsIsSignedAsItIsSent(transport: TransportUnderTest) async throws {
        let foreign = try LoopbackServer { _ in .respond() }
        let attempts = Recorder<Int>()
        let server = try LoopbackServer { request in
            switch request.path {
            case "/a": return .redirect(to: "/b", status: 307)
            case "/away": return .redirect(to: foreign.url.absoluteString + "/", status: 307)
            default:
                attempts.record(1)
                guard attempts.count > 1 else { return .respond(status: 503) }
                let isNew = request.value(forHeader: "Authorization") == "Bearer new"
                return isNew ? .respond() : .respond(status: 401)
            }
        }
        let session = TokenSession(store: InMemoryCredentialStore(AccessToken("old"))) { _ in AccessToken("new") }
        let cookies = CookieStore()
        cookies.set(try Cookie(name: "s", value: "1", domain: "127.0.0.1"))
        let client = try transport.client(
            interceptors: [
                .retry(RetryPolicy(backoff: Backoff(base: 0, throttledBase: 0))),
                .authentication(scheme(), origins: [server.url]),
                .authentication(.bearer(session), origins: [server.url]),
            ],
            configuration: .init(cookies: cookies)
        )
        try await client.fetch(.put(url: server.url("/a")).bodyText("tea"))
        // 503 leads to another attempt, and 401 to another token: each request has a signature of its own.
        expect(signatures(server), ["1", "2", "3", "4", "5"])
        let paths = ["/a old", "/b old", "/a old", "/b old", "/b new"].map { $0.split(separator: " ") }
        expect(signed.values, paths.map { "PUT \($0[0]) s=1 Bearer \($0[1]) tea" })
        try await client.fetch(.get(url: server.url("/away")))
        expect(foreign.requests.map { $0.value(forHeader: "X-Signature") }, [nil])
        expect(signed.count, 6)
    }

    @Test(.spec(307), arguments: TransportUnderTest.all)
    func streamsDownloadsAndEventsAreSigned(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in
            .respond(headers: ["Content-Type": "text/event-stream"], body: "data: tea\n\n")
        }
        let directory = try TemporaryDirectory()
        let client = try transport.client(interceptors: [.authentication(scheme(), origins: [server.url])])
        let request = URLRequest(url: server.url("/a"))
        for try await _ in try await client.stream(request).item {}
        _ = try await client.download(request, to: directory.url.appendingPathComponent("f")).value
        for try await event in client.events(request, reconnecting: .never) { expect(event.data, "tea") }
        expect(signatures(server), ["1", "2", "3"])
    }

    @Test(.spec(307), arguments: TransportUnderTest.all)
    func aSignerReadsAFileThatIsCountedOnce(transport: TransportUnderTest) async throws {
        let (server, directory) = (try LoopbackServer { _ in .respond() }, try TemporaryDirectory())
        let file = try directory.file("f.txt", Data(repeating: 65, count: 100_000))
        let (hasRead, mayGoOn, moved) = (Gate(), Gate(), Recorder<Int>())
        let scheme = AuthenticationScheme.signing { request in
            var body = Data()
            try request.bodySource?.forEachPortion { body.append(contentsOf: $0) }
            hasRead.open()
            try await mayGoOn.wait()
            return [.custom(name: "Authorization", value: "\(body.count)")]
        }
        let client = try transport.client(interceptors: [.authentication(scheme, origins: [server.url])])
        let upload = try client.upload(.post(url: server.url).bodyFile(at: file))
        let progress = Task { for await step in upload.progress { moved.record(step.completed) } }
        try await withDeadline { try await hasRead.wait() }
        expect(moved.values.max() ?? 0, 0)
        mayGoOn.open()
        _ = try await upload.value
        await progress.value
        expect(moved.values.max(), 100_000)
        expect(server.requests.map { $0.value(forHeader: "Authorization") }, ["100000"])
    }

    /// The outer one of two with the same field is sent, whichever signs.
    @Test(.spec(307), arguments: [true, false])
    func aSignatureAndATokenOfOneFieldNeverMeet(isOuter: Bool) async throws {
        let transport = StubTransport(otherwise: .status(200))
        let refreshes = Recorder<Int>()
        let session = TokenSession(store: InMemoryCredentialStore(AccessToken("t"))) { _ in
            refreshes.record(1)
            return AccessToken("u")
        }
        let origins = [url("https://h")]
        let signing = AuthenticationInterceptor(
            .signing { [.custom(name: "Authorization", value: $0.url?.path ?? "")] },
            origins: origins
        )
        let bearer = AuthenticationInterceptor(.bearer(session), origins: origins)
        let client = NetworkClient(
            transport: transport,
            interceptors: isOuter ? [signing, bearer] : [bearer, signing]
        )
        try await client.fetch(request: URLRequest(url: url("https://h/items")))
        let sent = transport.requests.map { $0[header: "Authorization"] }
        expect(sent, [isOuter ? "/items" : "Bearer t"])
    }

    private struct Refused: Error {}

    private static let flaws: [(String, @Sendable (URLRequest) async throws -> [HeaderField])] = [
        ("throws", { _ in throw Refused() }),
        ("sets a field that it does not name", { _ in [.custom(name: "X-Other", value: "secret")] }),
        ("has no value", { _ in [.custom(name: "Authorization", value: nil)] }),
        ("breaks the framing", { _ in [.custom(name: "Transfer-Encoding", value: "chunked, secret")] }),
    ]

    @Test(.spec(307), arguments: [0, 1, 2, 3])
    func aSignerThatFailsIsAnErrorAndNothingIsSent(number: Int) async throws {
        let transport = StubTransport(otherwise: .status(200))
        let client = NetworkClient(
            transport: transport,
            interceptors: [
                .retry(),
                .authentication(
                    .signing(headers: ["Authorization", "Transfer-Encoding"], Self.flaws[number].1),
                    origins: [url("https://h")]
                ),
            ]
        )
        let error = await #expect(throws: AuthenticationError.self) {
            try await client.fetch(request: URLRequest(url: url("https://h/items?key=secret")))
        }
        expect(error?.reason, .signingFailed)
        expect("\(error, default: "")", lacks: "secret")
        expect("\(error, default: "")", contains: "The request to 'https://h/items' cannot be authenticated")
        expect(transport.requests.count, 0)
    }

    @Test(.spec(126, 307), arguments: ["cancelAll", "cancel", "attempt", "deadline"])
    func aSignerThatHangsEndsWithItsCall(end: String) async throws {
        let (clock, reached, never) = (TestClock(), Gate(), Gate())
        let scheme = AuthenticationScheme.signing { _ in
            reached.open()
            try await never.wait()
            return []
        }
        let transport = StubTransport(time: clock, otherwise: .status(200))
        let client = NetworkClient(
            transport: transport,
            interceptors: [.authentication(scheme, origins: [url("https://h")])],
            configuration: .init(time: clock)
        )
        var options = CallOptions()
        if end == "attempt" { options.attemptTimeout = 5 }
        if end == "deadline" { options.deadline = 5 }
        let request = URLRequest(url: url("https://h"))
        let call = Task { [options] in try await client.fetch(request: request, options: options) }
        try await withDeadline { try await reached.wait() }
        switch end {
        case "cancelAll": client.cancelAll()
        case "cancel": call.cancel()
        default:
            try await withDeadline { try await clock.waitForSleepers() }
            clock.advance(by: 5)
        }
        await #expect {
            try await withDeadline { try await call.value }
        } throws: { error in
            let limit = end == "attempt" ? "its attempt timeout of 5 s" : "its deadline of 5 s"
            return end.hasPrefix("cancel") ? error is CancellationError : "\(error)".contains(limit)
        }
        expect(transport.requests.count, 0)
    }

    @Test(.spec(291, 307)) func signedCallsShareAnExchangeAndNoResponseGoesToAnotherKey() async throws {
        let (reached, isSent) = (Gate(), Gate())
        let transport = ClosureTransport { request in
            reached.open()
            try await isSent.wait()
            let text = request.value(forHTTPHeaderField: "X-Signature") ?? "none"
            return (Data(text.utf8), .made(url: "https://h/", headers: ["Cache-Control": "private, max-age=60"]))
        }
        let cache = ResponseCache()
        func client(_ scheme: AuthenticationScheme) -> NetworkClient {
            NetworkClient(
                transport: transport,
                interceptors: [.authentication(scheme, origins: [url("https://h")])],
                configuration: .init(cache: cache)
            )
        }
        let own = client(scheme())
        let request = URLRequest.get(url: url("https://h/")).build().withInstanceCaching()
        let first = Task { try await own.fetch(request: request, as: String.self).item }
        try await withDeadline { try await reached.wait() }
        let second = Task { try await own.fetch(request: request, as: String.self) }
        try await eventually("the second call") { own.sharing.waiterCount == 2 }
        isSent.open()
        expectAll((try await first.value, try await second.value.item), ("1", "1"))
        expect(try await own.fetch(request: request, as: String.self).item, "1")
        expect(try await client(scheme()).fetch(request: request, as: String.self).item, "2")
        let unsigned = NetworkClient(transport: transport, configuration: .init(cache: cache))
        expect(try await unsigned.fetch(request: request, as: String.self).item, "none")
    }

    @Test(.spec(307)) func logsMaskAllFieldsOfASignature() async throws {
        let stream = RecordingStream()
        let client = NetworkClient(
            transport: StubTransport(otherwise: .status(200)),
            interceptors: [.authentication(scheme(), origins: [url("https://h")])],
            logging: .default(logLevel: [.status, .headers], logStream: stream)
        )
        try await client.fetch(request: URLRequest(url: url("https://h")))
        let text = stream.messages.joined(separator: "\n")
        expect(text, contains: "X-Date: ***")
        expect(text, contains: "X-Signature: ***")
    }
}
