import Foundation
import NetworkClient
import Testing

@Suite(.server(.nginx), .timeLimit(.minutes(2)))
struct NginxTests {
    @Test(arguments: [(NginxPort.plain, "HTTP/1.1"), (.tls, "HTTP/2.0")])
    func theNewestVersionOfHTTPIsUsed(port: NginxPort, version: String) async throws {
        let response = try await NetworkClient.forTests().fetch(
            .get(url: port.url("/echo?a=%2F&b")),
            as: NginxEcho.self
        )
        #expect(response.item.protocol == version)
        #expect(response.item.target == "/echo?a=%2F&b")
    }

    @Test(
        arguments: [
            (NginxPort.expired, .expiredCertificate), (.wrong, .wrongHost), (.unsigned, .untrustedCertificate),
            (.incomplete, .untrustedCertificate), (.old, .protocolVersion),
        ] as [(NginxPort, TransportError.SecurityFailure)]
    )
    func aServerThatIsNotTrustedIsRefused(port: NginxPort, expected: TransportError.SecurityFailure) async throws {
        var security = TransportSecurity.ofTests
        if port == .old { security.minimumVersion = .tls13 }
        let client = try NetworkClient.forTests([.retry()], security: security)
        let error = try await failure { try await client.fetch(.get(url: port.url("/"))) }
        guard case .requestError(let failure) = error else { throw error }
        #expect(failure.reason == .secureConnectionFailed && failure.securityFailure == expected)
    }

    @Test(arguments: [NginxPort.plain, .tls])
    func aCompressedBodyPassesAProxy(port: NginxPort) async throws {
        let client = try NetworkClient.forTests([.compression()])
        let text = String(repeating: "Every word is repeated. ", count: 100_000)
        let echo = try await client.fetch(.post(url: port.url("/sink")).bodyText(text), as: NginxEcho.self).item
        #expect(echo.length.flatMap { Int($0) }.map { $0 > 0 && $0 < text.utf8.count / 10 } == true)
    }

    @Test func theAuthorityOfTheTestsIsNotTrustedByDefault() async throws {
        let client = try NetworkClient.forTests(security: TransportSecurity())
        let error = try await failure { try await client.fetch(.get(url: NginxPort.tls.url("/"))) }
        guard case .requestError(let failure) = error else { throw error }
        #expect(failure.securityFailure == .untrustedCertificate)
    }

    static let certificates: [TransportSecurity.ClientCertificate] = {
        let file = { ServerProcess.fixtures.appendingPathComponent($0) }
        let password = "the password of the tests"
        return [
            .init(certificate: file("client.pem"), key: file("client.key")),
            .init(certificate: file("encrypted-client.pem"), key: file("encrypted-client.key"), password: password),
            .init(pkcs12: file("client.p12"), password: password),
        ]
    }()

    @Test(arguments: certificates)
    func aClientCertificateIsShownAndTrusted(certificate: TransportSecurity.ClientCertificate) async throws {
        var security = TransportSecurity.ofTests
        security.clientCertificate = certificate
        let client = try NetworkClient.forTests(security: security)
        let echo = try await client.fetch(.get(url: NginxPort.mutual.url("/echo")), as: NginxEcho.self).item
        #expect(echo.client == "CN=Client of the tests,O=For tests only")
    }

    /// As documented: to every server that asks, except under `.sameOrigin`.
    @Test func aClientCertificateGoesToTheTargetOfARedirectButNoCredentialDoes() async throws {
        var security = TransportSecurity.ofTests
        security.clientCertificate = Self.certificates[0]
        let start = try NginxPort.tls.url(NginxPort.mutual.redirect(307))
        let client = try NetworkClient.forTests(
            [.authentication(.bearer("secret"), origins: [start])],
            security: security
        )
        let echo = try await client.fetch(.get(url: start), as: NginxEcho.self).item
        #expect(echo.client == "CN=Client of the tests,O=For tests only" && echo.authorization == "")
        let error = try await failure {
            try await client.fetch(.get(url: start), options: CallOptions(redirects: .sameOrigin))
        }
        #expect(error.statusCode == 307)
    }

    @Test func aMissingClientCertificateIsTheServersError() async throws {
        let error = try await failure {
            try await NetworkClient.forTests().fetch(.get(url: NginxPort.mutual.url("/echo")))
        }
        #expect(error.statusCode == 400)
        #expect(String(decoding: error.data ?? Data(), as: UTF8.self).contains("No required SSL certificate"))
    }

    @Test(arguments: [("/limited", 429), ("/busy", 503)])
    func aRetryWaitsForAsLongAsTheRateLimitAsks(path: String, status: Int) async throws {
        let url = try NginxPort.plain.url("\(path)?key=\(UUID().uuidString)")
        let client = try NetworkClient.forTests()
        // One request a second is served; on a busy machine two may be more than a second apart.
        var refused: NetworkClient.Error?
        while refused == nil {
            do { try await client.fetch(.get(url: url)) } catch let error as NetworkClient.Error { refused = error }
        }
        #expect(refused?.statusCode == status)
        let response = try await NetworkClient.forTests([.retry()]).fetch(.get(url: url), as: String.self)
        let waits = response.journey.steps.filter { $0.kind == .wait }.compactMap(\.number)
        #expect(response.item == "hello" && response.journey.attempts == waits.count + 1)
        #expect(waits.allSatisfy { $0 >= 1 }, "\(response.journey)")
    }

    @Test func aClientThatLimitsItselfIsNeverRefused() async throws {
        let client = try NetworkClient.forTests([.rateLimit(3.5)])
        let url = try NginxPort.plain.url("/quick?key=\(UUID().uuidString)")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 { group.addTask { try await client.fetch(.get(url: url)) } }
            try await group.waitForAll()
        }
    }

    @Test(arguments: [NginxPort.plain, .tls], ["/small-uploads", "/small-chunked-uploads"])
    func aBodyThatTheServerFindsTooLargeFailsWithItsStatus(port: NginxPort, path: String) async throws {
        let client = try NetworkClient.forTests([.retry()])
        let file = try ServerProcess.of(.nginx).folder.appendingPathComponent("file.bin")
        let data = try Data(contentsOf: file)
        let url = try port.url(path)
        let chunks = AsyncStream<Data> { stream in
            for _ in 0..<4 { stream.yield(data) }
            stream.finish()
        }
        let requests = [
            URLRequest.post(url: url).bodyData(data).build(), try URLRequest.put(url: url).bodyFile(at: file).build(),
            URLRequest.post(url: url).bodyStream(chunks).build(),
        ]
        for (number, request) in requests.enumerated() where number < 2 || path != "/small-uploads" {
            let error = try await failure("body \(number)") { try await client.fetch(request: request) }
            #expect(error.statusCode == 413, "body \(number): \(error)")
        }
    }

    /// nginx closes each connection after five requests; with HTTP/2 by GOAWAY, while others are in flight.
    ///
    /// A POST whose HTTP/2 stream was refused is not sent again, as documented, so it needs a key.
    @Test(arguments: [NginxPort.closing, .secureClosing], ["GET", "PUT", "POST"])
    func noCallIsLostWhenTheServerClosesItsConnections(port: NginxPort, method: String) async throws {
        let client = try NetworkClient.forTests([
            .retry(RetryPolicy(retries: 10), budget: RetryBudget(ratio: 1, reserve: 1_000))
        ])
        var request = URLRequest.method(try HTTPMethod(method), url: try port.url("/echo"))
            .bodyData(method == "GET" ? nil : Data(count: 1_000)).build()
        if port == .secureClosing, method == "POST" { request.set(header: .idempotencyKey("key")) }
        try await withThrowingTaskGroup(of: Void.self) { [request] group in
            for _ in 0..<100 { group.addTask { try await client.fetch(request: request) } }
            try await group.waitForAll()
        }
    }

    @Test(arguments: [NginxPort.plain, .tls])
    func conditionsRangesAndCodingsAreTheServers(port: NginxPort) async throws {
        let client = try NetworkClient.forTests()
        let folder = try ServerProcess.of(.nginx).folder
        let words = try Data(contentsOf: folder.appendingPathComponent("words.json"))
        let coded = try await client.fetch(.get(url: port.url("/coded/words.json")), as: Data.self)
        #expect(coded.item == words && coded["Content-Encoding"] == nil)
        #expect(try #require(coded.metrics?.bodyBytesReceived) < words.count / 2)
        let plain = try await client.fetch(.get(url: port.url("/words.json")), as: [String].self)
        #expect(plain.item.count == 20_000)
        let tag = try EntityTag(parsing: #require(plain["ETag"]))
        let condition = URLRequest.get(url: try port.url("/words.json")).set(header: .ifNoneMatch([tag])).build()
        #expect(try await failure { try await client.fetch(request: condition) }.statusCode == 304)
        let head = try await client.fetch(.head(url: port.url("/words.json")), as: Data.self)
        #expect(head.item.isEmpty && head["Content-Length"] == "\(words.count)")
        try await client.fetch(.get(url: port.url("/empty")))
        let part = URLRequest.get(url: try port.url("/coded/words.json"))
            .set(header: .custom(name: "Range", value: "bytes=10-19")).build()
        let range = try await client.fetch(request: part, as: Data.self)
        #expect(range.statusCode == 206 && range.item == words[10..<20])
    }

    @Test(arguments: [NginxPort.plain, .tls])
    func aFileGoesUpAndComesDownUnchanged(port: NginxPort) async throws {
        let client = try NetworkClient.forTests()
        let file = try ServerProcess.of(.nginx).folder.appendingPathComponent("file.bin")
        let place = try port.url("/files/\(port)/a%20b")
        _ = try await client.upload(.put(url: place).bodyFile(at: file)).value
        #expect(try await client.fetch(.get(url: place), as: Data.self).item == Data(contentsOf: file))
        try await client.fetch(.delete(url: place))
        #expect(try await failure { try await client.fetch(.get(url: place)) }.status == .notFound)
    }

    @Test func aLoopOfRedirectsEnds() async throws {
        let error = try await failure {
            try await NetworkClient.forTests().fetch(.get(url: NginxPort.plain.url("/loop")))
        }
        guard case .requestError(let failure) = error else { throw error }
        #expect(failure.reason == .tooManyRedirects)
    }
}

/// The ports of nginx, in the order of `nginx.py`.
enum NginxPort: Int, Sendable, CaseIterable {
    case plain, other, tls, mutual, old, expired, wrong, unsigned, incomplete, closing, secureClosing

    private static let plainPorts: [NginxPort] = [.plain, .other, .closing]

    func url(_ path: String, userInfo: String = "") throws -> URL {
        let isPlain = Self.plainPorts.contains(self)
        let host = userInfo + (isPlain ? "127.0.0.1" : "localhost")
        return try ServerProcess.of(.nginx).url(path, scheme: isPlain ? "http" : "https", host: host, port: rawValue)
    }

    /// The path at which every port redirects to this one.
    func redirect(_ status: Int, to path: String = "/echo") -> String { "/redirect/\(status)/\(self)\(path)" }
}

/// What nginx's `/echo` saw.
struct NginxEcho: Decodable, Sendable {
    var method: String
    var port: Int?
    var target: String?
    var authorization: String?
    var cookie: String?
    var apiKey: String?
    var proxy: String?
    var via: String?
    var contentType: String?
    var length: String?
    var client: String?
    var `protocol`: String?
    var connection: Int?
}
