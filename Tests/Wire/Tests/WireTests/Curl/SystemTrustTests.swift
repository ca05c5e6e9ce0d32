#if os(Linux)
import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient
@testable import NetworkUtilities

/// A system whose trusted authorities are in a file and in a directory.
@Suite(.enabled(if: TLSConfiguration.isAvailable, "there is no OpenSSL here"))
struct SystemTrustTests {
    private let directory: TemporaryDirectory

    /// The name by which OpenSSL finds the root in a directory: the digest of its subject.
    private static let hashedName = "ad2594b4.0"

    /// Whether the directory is read only if the file does not suffice.
    private static let isDirectoryLast = CurlLibrary.problem == nil && !CurlLibrary.isOlder(than: 7, 87)

    init() throws {
        directory = try TemporaryDirectory()
        let link = directory.url.appendingPathComponent(Self.hashedName)
        try FileManager.default.copyItem(at: TLSFixtures.root, to: link)
    }

    private func transport(file: URL, directory: String? = nil) throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.systemTrust = SystemTrust(file: file.path, directory: directory ?? self.directory.url.path)
        return try CurlTransport(configuration: configuration)
    }

    private func client(file: URL) throws -> NetworkClient {
        NetworkClient(transport: try transport(file: file), logging: .off)
    }

    /// A server of the root's, with a new connection for each request.
    private func server() throws -> LoopbackServer {
        try LoopbackServer(tls: TLSConfiguration(TLSFixtures.localhost)) { _ in
            [.respond(headers: ["Connection": "close"], body: "1"), .close]
        }
    }

    private static let otherRoot = TLSFixtures.selfSigned.certificates

    @Test func aServerThatTheFileHelpsToVerifyNeedsNoDirectory() async throws {
        let server = try server()
        let transport = try transport(file: TLSFixtures.root, directory: "/nowhere")
        let client = NetworkClient(transport: transport, logging: .off)
        for _ in 0..<2 { try await client.fetch(request: URLRequest(url: server.url)) }
        #expect(server.connectionCount == 2)
        #expect(transport.originsForTrustDirectory.withLock { $0.count } == 0)
    }

    @Test func theDirectoryIsReadForAServerThatTheFileDoesNotHelpToVerify() async throws {
        let server = try server()
        let transport = try transport(file: Self.otherRoot)
        let client = NetworkClient(transport: transport, logging: .off)
        for count in 1...2 {
            try await client.fetch(request: URLRequest(url: server.url))
            #expect(server.requestCount == count)
            // From then on at once.
            #expect(transport.originsForTrustDirectory.withLock { $0.count } == (Self.isDirectoryLast ? 1 : 0))
        }
    }

    @Test func aBodyIsSentOnceToAServerThatNeedsTheDirectory() async throws {
        let server = try server()
        let request = URLRequest.post(url: server.url).bodyData(Data("abc".utf8)).build()
        try await client(file: Self.otherRoot).fetch(request: request)
        #expect(server.requests.map(\.body) == [Data("abc".utf8)])
    }

    @Test func aSequenceIsSentToAServerThatNeedsTheDirectory() async throws {
        let server = try server()
        let chunks = AsyncStream { continuation in
            continuation.yield(Data("abc".utf8))
            continuation.finish()
        }
        let request = URLRequest.post(url: server.url).bodyStream(chunks, length: 3).build()
        try await client(file: Self.otherRoot).fetch(request: request)
        #expect(server.requests.map(\.body) == [Data("abc".utf8)])
        #expect(server.connectionCount == 1)
    }

    @Test func aStreamComesFromAServerThatNeedsTheDirectory() async throws {
        let server = try server()
        let response = try await client(file: Self.otherRoot).stream(URLRequest(url: server.url))
        #expect(try await response.item.data() == Data("1".utf8))
    }

    @Test func aServerThatNeitherHelpsToVerifyIsRefused() async throws {
        let server = try LoopbackServer(tls: TLSConfiguration(TLSFixtures.selfSigned)) { _ in .json("1") }
        let transport = try transport(file: TLSFixtures.root)
        let client = NetworkClient(transport: transport, logging: .off)
        for _ in 0..<2 {
            let error = await #expect(throws: NetworkClient.Error.self) {
                try await client.fetch(request: URLRequest(url: server.url))
            }
            guard case .requestError(let failure)? = error else { continue }
            #expect(failure.securityFailure == .untrustedCertificate)
        }
        #expect(server.requests.isEmpty)
        #expect(transport.originsForTrustDirectory.withLock { $0.count } == 0)
    }

    /// Each reading of the directory takes 20 ms of processor time.
    @Test func aServerThatNeedsTheDirectoryCostsNoOther() async throws {
        let servers = try [TLSFixtures.localhost, TLSFixtures.selfSigned].map { identity in
            try LoopbackServer(tls: TLSConfiguration(identity)) { _ in .json("1") }
        }
        let transport = try transport(file: Self.otherRoot)
        let client = NetworkClient(transport: transport, logging: .off)
        for server in servers { try await client.fetch(request: URLRequest(url: server.url)) }
        let needDirectory = servers.map { server in
            transport.originsForTrustDirectory.withLock { $0.contains(Origin(of: server.url)) }
        }
        #expect(needDirectory == [Self.isDirectoryLast, false])
    }

    @Test(.spec(213)) func aLibraryWithoutAuthoritiesGetsThoseOfTheEnvironmentOrElseOfTheSystem() {
        let readable = ["/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"]
        let rows: [([String: String], [String], String?)] = [
            (["SSL_CERT_FILE": "/my/roots.pem"], readable, "/my/roots.pem"),
            (["SSL_CERT_FILE": ""], readable, readable[0]),
            ([:], readable, readable[0]), ([:], [readable[1]], readable[1]), ([:], [], nil),
        ]
        for (environment, files, expected) in rows {
            #expect(SystemTrust.file(in: environment, isReadable: files.contains) == expected)
        }
    }

    @Test func theSystemsOwnDirectoryIsOnlyLeftOutWhereThatIsOfUse() {
        let trust = SystemTrust().withoutDirectory
        #expect(trust == nil || Self.isDirectoryLast)
        #expect(trust?.readsDirectory != true)
    }
}
#endif
