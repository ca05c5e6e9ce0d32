#if os(Linux)
import Foundation
import NetworkClient
import Testing

extension NetworkClient {
    static func overHTTP3(
        _ versions: CurlTransport.Versions = .http3,
        proxy: CurlTransport.Proxy = .none,
        security: TransportSecurity = .ofTests
    ) throws -> NetworkClient {
        var configuration = CurlTransport.Configuration(proxy: proxy, security: security)
        configuration.versions = versions
        return NetworkClient(transport: try CurlTransport(configuration: configuration))
    }
}

extension Trait where Self == ConditionTrait {
    /// The tests of CI run with a libcurl that has HTTP/3, and must not be left out.
    static var requiresHTTP3: Self {
        let isRequired = ProcessInfo.processInfo.environment["REQUIRES_HTTP3"] != nil
        return .enabled(if: isRequired || (try? NetworkClient.overHTTP3()) != nil, "libcurl has no sound HTTP/3")
    }
}

/// HTTP/3 (RFC 9114), which a transport uses only if it is asked to, against aioquic.
@Suite(.server(.h3), .timeLimit(.minutes(3)), .requiresHTTP3)
struct HTTP3Tests {
    /// A request as the server read it, and the keys of the streams that clients have given up.
    struct Seen: Decodable, Sendable {
        let method: String
        let body: Int
        let connection: Int
        let host: String
        let stopped: [String]
        let count: Int
        /// The subject of the client's certificate, if any.
        let client: String
    }

    /// What listens at a port of the server, in its order; the last two are paths to `udp`.
    enum Port: Int {
        case both, tcp, silent, refusing, udp, asking, expired, wrongHost, pinged, slow, losing

        func url(_ path: String) throws -> URL {
            try ServerProcess.of(.h3).url(path, scheme: "https", host: "localhost", port: rawValue)
        }
    }

    private func url(_ path: String, at port: Port = .udp) throws -> URL { try port.url(path) }

    private func seen(_ client: NetworkClient, _ path: String = "/") async throws -> NetworkClient.Response<Seen> {
        try await client.fetch(.get(url: url(path)), as: Seen.self)
    }

    @Test func callsUseOneConnection() async throws {
        let client = try NetworkClient.overHTTP3()
        #expect("\(client)".contains("HTTP/3"))
        let first = try await seen(client)
        #expect(first.metrics?.httpVersion == "HTTP/3" && first.item.host.hasPrefix("localhost:"))
        let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { try await seen(client).item.connection } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(numbers == [first.item.connection])
        let last = try await seen(client)
        #expect(last.metrics?.isConnectionReused == true && last.metrics?.transmissions == 1)
    }

    /// 100 calls at once without a connection; the first one connects for all, and another one each second without one.
    @Test func aBurstMakesOneConnection() async throws {
        let client = try NetworkClient.overHTTP3()
        let begin = ContinuousClock.now
        let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { try await seen(client).item.connection } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(numbers.count <= 1 + Int((ContinuousClock.now - begin) / .seconds(1)))
    }

    @Test(arguments: [
        (Port.both, CurlTransport.Versions.negotiated, "HTTP/1.1"), (.both, .http1, "HTTP/1.1"),
        (.tcp, .http3, "HTTP/1.1"),
        (.silent, .http3, "HTTP/1.1"), (.refusing, .http3, "HTTP/1.1"), (.udp, .http3, "HTTP/3"),
    ])
    func aServerWithoutHTTP3IsReachedOverTCP(port: Port, versions: CurlTransport.Versions, expected: String)
        async throws
    {
        let client = try NetworkClient.overHTTP3(versions)
        for _ in 0..<2 {
            let response = try await client.fetch(.get(url: url("/", at: port)), as: Data.self)
            #expect(response.metrics?.httpVersion == expected)
            #expect((String(decoding: response.item, as: UTF8.self) == "tcp") == (expected == "HTTP/1.1"))
        }
    }

    @Test(arguments: [0, 1, 100_000, 10_000_000]) func bodiesOfAnyLengthArrive(count: Int) async throws {
        let client = try NetworkClient.overHTTP3()
        let path = "/bytes?count=\(count)"
        #expect(try await client.fetch(.get(url: url(path)), as: Data.self).item.count == count)
        let stream = try await client.stream(.get(url: url(path)))
        var received = 0
        for try await chunk in stream.item { received += chunk.count }
        #expect(received == count && stream.metrics?.httpVersion == "HTTP/3")
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("http3-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try await client.download(.get(url: url(path)), to: file).value
        #expect(try Data(contentsOf: file).count == count)
        let upload = try await client.upload(.put(url: url("/")).bodyFile(at: file), as: Seen.self).value
        #expect(upload.item.body == count && upload.metrics?.httpVersion == "HTTP/3")
        let (parts, source) = AsyncStream.makeStream(of: Data.self)
        source.yield(try Data(contentsOf: file))
        source.finish()
        let sent = try await client.fetch(.post(url: url("/")).bodyStream(parts), as: Seen.self)
        #expect(sent.item.body == count && sent.item.method == "POST")
    }

    @Test func aBodyGoesOnAfterTheHeadOfTheResponse() async throws {
        try await NetworkClient.overHTTP3().expectEcho(from: url("/duplex"))
    }

    /// libcurl reports the failure of QUIC, which may be another one.
    ///
    /// Not where datagrams vanish: libcurl waits for QUIC there until the time to connect is over.
    @Test(arguments: [Port.both, .tcp, .refusing, .udp])
    func theFaultOfACertificateIsReportedWhateverConnects(port: Port) async throws {
        func trusting(_ name: String) throws -> TransportSecurity {
            let file = ServerProcess.fixtures.appendingPathComponent("\(name).pin")
            let digest = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .newlines)
                .replacingOccurrences(of: "sha256//", with: "")
            var security = TransportSecurity.ofTests
            security.pinnedPublicKeys = [try #require(Data(base64Encoded: digest))]
            return security
        }
        let pinned = try NetworkClient.overHTTP3(security: trusting("localhost"))
        _ = try await pinned.fetch(.get(url: url("/", at: port)), as: Data.self)
        let rows: [(TransportSecurity, TransportError.SecurityFailure)] = [
            (TransportSecurity(), .untrustedCertificate), (try trusting("wrong-host"), .unpinnedKey),
        ]
        for (security, expected) in rows {
            let error = try await failure {
                _ = try await NetworkClient.overHTTP3(security: security).fetch(
                    .get(url: url("/", at: port)),
                    as: Data.self
                )
            }
            #expect(error.transportError?.securityFailure == expected, "\(error)")
        }
    }

    @Test(arguments: [(Port.expired, TransportError.SecurityFailure.expiredCertificate), (.wrongHost, .wrongHost)])
    func aCertificateIsVerifiedOverQUIC(port: Port, expected: TransportError.SecurityFailure) async throws {
        let error = try await failure { try await NetworkClient.overHTTP3().fetch(.get(url: url("/", at: port))) }
        #expect(error.transportError?.securityFailure == expected, "\(error)")
    }

    @Test func aClientCertificateIsShownOverQUIC() async throws {
        var security = TransportSecurity.ofTests
        security.clientCertificate = .init(
            certificate: ServerProcess.fixtures.appendingPathComponent("client.pem"),
            key: ServerProcess.fixtures.appendingPathComponent("client.key")
        )
        for (security, expected) in [(security, "CN=Client of the tests,O=For tests only"), (.ofTests, "")] {
            let client = try NetworkClient.overHTTP3(security: security)
            #expect(try await client.fetch(.get(url: url("/", at: .asking)), as: Seen.self).item.client == expected)
        }
    }

    /// Each datagram that comes from the server says that it has received some of the body.
    @Test func aSlowUploadIsNotIdle() async throws {
        // A server that makes the bodies of other tests would be silent.
        let server = try await ServerProcess.start(.h3)
        let url = try server.url("/", scheme: "https", host: "localhost", port: Port.slow.rawValue)
        let request = URLRequest.put(url: url).bodyData(Data(count: 250_000)).build()
        let client = try NetworkClient.overHTTP3()
        let response = try await client.fetch(request, as: Seen.self, options: CallOptions(idleTimeout: 2))
        #expect(response.item.body == 250_000 && response.metrics?.httpVersion == "HTTP/3")
    }

    /// libcurl pings the server each 2 s, half of the time after which the server drops a connection.
    @Test func aServerThatReadsTheBodyAndIsSilentIsIdle() async throws {
        let request = try URLRequest.post(url: url("/never", at: .pinged)).bodyText("a")
        let error = try await failure {
            try await NetworkClient.overHTTP3().fetch(request, options: CallOptions(idleTimeout: 3, deadline: 30))
        }
        #expect("\(error)".contains("idle timeout"), "\(error)")
    }

    /// The path loses each fifth datagram in both directions.
    @Test func nothingIsLostWithDatagrams() async throws {
        let client = try NetworkClient.overHTTP3()
        let body = Data(repeating: UInt8(ascii: "x"), count: 100_000)
        for _ in 0..<3 {
            let path = "/bytes?count=\(body.count)"
            #expect(try await client.fetch(.get(url: url(path, at: .losing)), as: Data.self).item == body)
            let request = try URLRequest.put(url: url("/", at: .losing)).bodyData(body).build()
            let response = try await client.fetch(request, as: Seen.self)
            #expect(response.item.body == body.count && response.metrics?.httpVersion == "HTTP/3")
        }
    }

    @Test func aStreamThatIsCancelledEndsAloneOnItsConnection() async throws {
        let client = try NetworkClient.overHTTP3()
        let number = try await seen(client).item.connection
        let key = UUID().uuidString
        do {
            let stream = try await client.stream(.get(url: url("/bytes?count=100000000&key=\(key)")))
            for try await _ in stream.item { break }
        }
        while try await !seen(client).item.stopped.contains(key) {}
        let never = UUID().uuidString
        let call = Task { try await client.fetch(.get(url: url("/never?key=\(never)")), as: Data.self) }
        _ = try await seen(client)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(try await seen(client).item.connection == number)
    }

    @Test func limitsEndACall() async throws {
        let client = try NetworkClient.overHTTP3()
        _ = try await seen(client)
        for options in [CallOptions(idleTimeout: 0.5), CallOptions(attemptTimeout: 0.5), CallOptions(deadline: 0.5)] {
            let error = try await failure { try await client.fetch(.get(url: url("/never")), options: options) }
            #expect(error.transportError?.reason == .timedOut)
        }
        let error = try await failure {
            try await client.fetch(.get(url: url("/bytes?count=100000")), options: CallOptions(bodyLimit: 10_000))
        }
        #expect(error.transportError?.reason == .bodyTooLarge)
        #expect(try await seen(client).metrics?.httpVersion == "HTTP/3")
    }

    @Test(arguments: [302, 307]) func redirectsAreFollowed(status: Int) async throws {
        let request = try URLRequest.post(url: url("/redirect?status=\(status)&to=/")).bodyText("four").build()
        let response = try await NetworkClient.overHTTP3().fetch(request, as: Seen.self)
        #expect(response.item.method == (status == 307 ? "POST" : "GET"))
        #expect(response.item.body == (status == 307 ? 4 : 0) && response.metrics?.redirects == 1)
    }

    @Test func statusesAndTrailersArrive() async throws {
        let client = try NetworkClient.overHTTP3()
        let response = try await seen(client, "/trailers")
        #expect(response["X-Field"] == "head" && response.trailers["X-Checksum"] == "abc")
        let stream = try await client.stream(.get(url: url("/trailers")))
        _ = try await stream.item.data(limit: 10_000)
        #expect(stream.trailers["X-Field"] == "trailer")
        let error = try await failure { try await client.fetch(.get(url: url("/?status=404"))) }
        guard case .apiError(let refused, _) = error else { throw error }
        #expect(refused.statusCode == 404)
    }

    /// As over HTTP/2, the retry policy decides what follows.
    @Test func aRequestWhoseStreamIsResetIsNotSentAgain() async throws {
        let client = try NetworkClient.overHTTP3()
        _ = try await seen(client)
        let key = UUID().uuidString
        let error = try await failure { try await client.fetch(.get(url: url("/abort?key=\(key)"))) }
        #expect(error.transportError?.reason == .connectionLost)
        #expect(try await seen(client, "/?key=\(key)").item.count == 1)
    }

    /// The connection of the first call ends or is dead then; the second call has another one.
    @Test(arguments: ["/reset", "/leave", "/vanish"]) func aServerThatFailsIsNotWaitedForTwice(path: String)
        async throws
    {
        let client = try NetworkClient.overHTTP3()
        let number = try await seen(client).item.connection
        let options = CallOptions(idleTimeout: path == "/vanish" ? 3 : 60)
        let error = try await failure {
            try await client.fetch(.post(url: url(path)).bodyText("a"), options: options)
        }
        let expected: TransportError.Reason = path == "/vanish" ? .timedOut : .connectionLost
        #expect(error.transportError?.reason == expected)
        let next = try await seen(client)
        #expect((next.item.connection == number) == (path == "/reset"))
    }

    @Test func aUnixDomainSocketIsNotReachedOverQUIC() throws {
        var configuration = CurlTransport.Configuration(unixSocket: "/run/a.sock")
        configuration.versions = .http3
        #expect(!"\(try CurlTransport(configuration: configuration))".contains("HTTP/3"))
    }

    @Test func noByteOfAProxyIsQUIC() async throws {
        let proxy = try await ServerProcess.start(.tinyproxy)
        let client = try NetworkClient.overHTTP3(proxy: .server(try proxy.url("")))
        #expect(!"\(client)".contains("HTTP/3"))
        let response = try await client.fetch(.get(url: url("/", at: .both)), as: Data.self)
        #expect(String(decoding: response.item, as: UTF8.self) == "tcp")
    }
}
#endif
