#if os(Linux)
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Where connections go and come from, and which version of HTTP they use.
@Suite(.spec(317, 318)) struct CurlAddressesTests {
    private typealias Configuration = CurlTransport.Configuration

    private func client(_ change: (inout Configuration) -> Void) throws -> NetworkClient {
        var configuration = Configuration(security: TransportSecurity(trustRoots: TLSFixtures.root))
        change(&configuration)
        return NetworkClient(transport: try CurlTransport(configuration: configuration), logging: .off)
    }

    private func server(_ text: String = "here", on loopback: Loopback = .ipv4) throws -> LoopbackServer {
        try LoopbackServer(on: loopback) { _ in .respond(body: text) }
    }

    private func text(_ client: NetworkClient, _ place: String) async throws -> String {
        let response = try await client.fetch(request: URLRequest(url: url(place)), as: Data.self)
        return String(decoding: response.item, as: UTF8.self)
    }

    /// Returns the address from which a client connects, and what it sends first, to a server that closes then.
    private func beginning(of client: NetworkClient, to place: (UInt16) -> URL) async throws -> (String, [UInt8]) {
        let listener = try Socket.listening(on: .ipv4)
        let request = URLRequest(url: place(try listener.port()))
        let call = Task { await client.outcome(of: request) }
        // On a thread of its own, since the call needs those of the tasks.
        let beginning = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try Self.takeBeginning(from: listener) }) }
        }
        _ = await call.value
        return beginning
    }

    private static func takeBeginning(from listener: Socket) throws -> (String, [UInt8]) {
        _ = Socket.waitReadable([listener], milliseconds: 60_000)
        let socket = try #require(try listener.acceptNext())
        var (address, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getpeername(socket.descriptor, $0, &length)
            }
        }
        let bytes = try socket.receive()
        socket.closeNow()
        return (String(cString: inet_ntoa(address.sin_addr)), bytes)
    }

    @Test(.enabled(if: TLSConfiguration.isAvailable, "there is no OpenSSL here"))
    func theCertificateAndTheFieldsAreThoseOfTheName() async throws {
        let server = try LoopbackServer(tls: TLSConfiguration(TLSFixtures.wrongHost)) { _ in .respond(body: "here") }
        let client = try client { $0.addresses = ["wrong.example": "127.0.0.1:\(server.port)"] }
        #expect(try await text(client, "https://wrong.example/a") == "here")
        #expect(server.requests.first?.headers["Host"] == "wrong.example")
        let mapped = try self.client { $0.addresses = ["wrong.example": "127.0.0.1"] }
        let (_, hello) = try await beginning(of: mapped) { url("https://wrong.example:\($0)/") }
        #expect(String(decoding: hello, as: UTF8.self).contains("wrong.example"))
        let error = await #expect(throws: NetworkClient.Error.self) {
            _ = try await text(client, "https://127.0.0.1:\(server.port)/")
        }
        #expect(error?.transportError?.securityFailure == .wrongHost)
    }

    @Test(arguments: [
        ("name.test", "127.0.0.1:PORT", "http://name.test/"),
        ("NAME.test:81", "127.0.0.1:PORT", "http://name.TEST:81/"),
        ("name.test:PORT", "127.0.0.1", "http://name.test:PORT/"), ("name.test", "localhost", "http://name.test:PORT/"),
        ("192.0.2.1", "127.0.0.1:PORT", "http://192.0.2.1/"),
        ("[2001:db8::1]:80", "127.0.0.1:PORT", "http://[2001:db8::1]/"),
        ("2001:DB8:0::1", "127.0.0.1:PORT", "http://[2001:db8::1]:81/"),
        ("_a.test", "127.0.0.1:PORT", "http://_a.test/"),
    ])
    func anOriginIsReachedAtItsAddress(name: String, address: String, place: String) async throws {
        let server = try server()
        let withPort = { (text: String) in text.replacingOccurrences(of: "PORT", with: "\(server.port)") }
        let client = try client { $0.addresses = [withPort(name): withPort(address)] }
        #expect(try await text(client, withPort(place)) == "here")
    }

    @Test func anAddressOfAPortTakesPrecedence() async throws {
        let (first, second) = (try server("first"), try server("second", on: .ipv6))
        let client = try client {
            $0.addresses = [
                "name.test": "127.0.0.1:\(first.port)", "name.test:81": "[::1]:\(second.port)",
                "localhost": "127.0.0.1:1", "localhost:\(first.port)": "localhost",
            ]
        }
        #expect(try await text(client, "http://name.test:80/") == "first")
        #expect(try await text(client, "http://name.test:81/") == "second")
        #expect(try await text(client, "http://name.test:82/") == "first")
        #expect(try await text(client, "http://localhost:\(first.port)/") == "first")
        let error = await #expect(throws: NetworkClient.Error.self) { _ = try await text(client, "http://localhost/") }
        #expect(error?.transportError?.reason == .connectionRefused)
    }

    /// 1,000 calls to each, beside each other, over a few connections with TLS sessions that are used again.
    @Test(.enabled(if: TLSConfiguration.isAvailable, "there is no OpenSSL here"))
    func connectionsToAnAddressAndToTheNameAreNeverMixed() async throws {
        let tls = TLSConfiguration(TLSFixtures.localhost)
        let named = try LoopbackServer(tls: tls) { _ in .respond(body: "named") }
        let other = try LoopbackServer(tls: tls) { _ in .respond(body: "other") }
        let clients = [
            try client { $0.connectionsPerHost = 4 },
            try client {
                $0.connectionsPerHost = 4
                $0.addresses = ["localhost:\(named.port)": "127.0.0.1:\(other.port)"]
            },
        ]
        let texts = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for index in 0..<2_000 {
                group.addTask {
                    (index % 2, try await text(clients[index % 2], "https://localhost:\(named.port)/"))
                }
            }
            return try await group.reduce(into: [[String]](repeating: [], count: 2)) { $0[$1.0].append($1.1) }
        }
        #expect(texts == [Array(repeating: "named", count: 1_000), Array(repeating: "other", count: 1_000)])
    }

    /// One transport has both: the one name leads to the other server, and a redirect to the one back to the first.
    @Test func aRedirectToAnotherHostGoesToItsAddress() async throws {
        let last = try server("last")
        let first = try LoopbackServer { request in
            request.path == "/a" ? .redirect(to: "http://last.test/b") : .respond(body: "first")
        }
        let client = try client {
            $0.addresses = ["first.test": "127.0.0.1:\(first.port)", "last.test": "127.0.0.1:\(last.port)"]
        }
        let response = try await client.fetch(request: URLRequest(url: url("http://first.test/a")), as: Data.self)
        #expect(String(decoding: response.item, as: UTF8.self) == "last")
        #expect(response.httpResponse.url == url("http://last.test/b"))
        #expect(last.requests.first?.headers["Host"] == "last.test")
    }

    @Test func aProxyGetsTheAddressOfATunnel() async throws {
        let server = try server()
        let proxy = try LoopbackServer { [port = server.port] _ in
            [.send("HTTP/1.1 200 OK\r\n\r\n"), .tunnel(to: port)]
        }
        let client = try client {
            $0.addresses = ["name.test": "127.0.0.1:\(server.port)"]
            $0.proxy = .server(proxy.url)
        }
        #expect(try await text(client, "http://name.test/a") == "here")
        #expect(proxy.requests.map { "\($0.method) \($0.target)" } == ["CONNECT 127.0.0.1:\(server.port)"])
        #expect(server.requests.first?.headers["Host"] == "name.test")
    }

    @Test func aWebSocketIsOpenedAtTheAddress() async throws {
        let server = try LoopbackServer { .echo($0) }
        let client = try client { $0.addresses = ["name.test": "127.0.0.1:\(server.port)"] }
        let socket = try await client.webSocket("ws://name.test/a")
        try await socket.send("here")
        #expect(try await socket.receive() == .text("here"))
        try await socket.close()
    }

    @Test func aRequestWithAnExactTargetGoesToItsAddress() async throws {
        let server = try server()
        let client = try client { $0.addresses = ["name.test": "127.0.0.1:\(server.port)"] }
        for path in ["/a", "/a|b", "/a"] { #expect(try await text(client, "http://name.test\(path)") == "here") }
        #expect(server.requests.map(\.headers["Host"]) == ["name.test", "name.test", "name.test"])
    }

    @Test(arguments: [
        "", ":80", "a b", "a:0", "a:65536", "a:x", "a:-1", "a:+1", "a:", "[::1", "[::1]x", "[a]", "[127.0.0.1]:1",
        "::1::2", "1:2:3", "http://a:s3cret@b", "a/b", "ä", "a\r\nb", "a\u{0}", "::1\u{0}x", "fe80::1%eth0",
        String(repeating: "a", count: 256),
    ])
    func aTextThatIsNoAddressIsRefused(text: String) {
        for addresses in [[text: "127.0.0.1"], ["a": text]] {
            let error = #expect(throws: TransportError.self) {
                try CurlTransport(configuration: Configuration { $0.addresses = addresses })
            }
            #expect(error?.reason == .unsupported)
            #expect(error.map { !"\($0)".contains("s3cret") } == true)
        }
    }

    @Test func oneHostHasOneAddressAndManyHostsMayHaveOne() async throws {
        let server = try server()
        for (name, same) in [("a", "A"), ("::1", "[0:0::1]")] {
            #expect(throws: TransportError.self) {
                try CurlTransport(configuration: Configuration { $0.addresses = [name: "::1", same: "::2"] })
            }
        }
        #expect(throws: TransportError.self) {
            try CurlTransport(
                configuration: Configuration {
                    $0.unixSocket = "/tmp/a"
                    $0.addresses = ["a": "127.0.0.1"]
                }
            )
        }
        let client = try client { configuration in
            for number in 0..<10_000 { configuration.addresses["a\(number).test"] = "127.0.0.1:\(server.port)" }
        }
        for number in [0, 9_999] { #expect(try await text(client, "http://a\(number).test/") == "here") }
        let error = await #expect(throws: NetworkClient.Error.self) { _ = try await text(client, "http://b.invalid/") }
        #expect(error?.transportError?.reason == .nameNotResolved)
    }

    // MARK: - The local address

    @Test(arguments: [(nil, "127.0.0.1"), ("127.0.0.3", "127.0.0.3"), ("lo", "127.0.0.1")])
    func connectionsComeFromTheLocalAddress(address: String?, expected: String) async throws {
        let client = try client { $0.localAddress = address }
        let (peer, _) = try await beginning(of: client) { url("http://127.0.0.1:\($0)/") }
        #expect(peer == expected)
    }

    @Test(arguments: ["192.0.2.1", "nosuchif0"])
    func aLocalAddressThatIsNotAvailableFailsTheCall(address: String) async throws {
        let server = try server()
        let client = try client { $0.localAddress = address }
        let error = await #expect(throws: NetworkClient.Error.self) {
            _ = try await text(client, server.url("/").absoluteString)
        }
        #expect(error?.transportError?.reason == .offline)
        #expect(error?.transportError?.detail?.contains("local address") == true)
        #expect(server.requests.count == 0)
    }

    @Test(arguments: [
        "", "a b", "host!127.0.0.1", "1.2.3.4:5", "eth0/1", String(repeating: "a", count: 16), "a\u{0}", "::1\u{0}",
    ])
    func aTextThatIsNoLocalAddressIsRefused(text: String) {
        let error = #expect(throws: TransportError.self) {
            try CurlTransport(configuration: Configuration { $0.localAddress = text })
        }
        #expect(error?.reason == .unsupported)
    }

    // MARK: - Versions

    /// Without TLS there is no HTTP/3; the rest is in the integration tests.
    @Test func aTransportOfHTTP3NeedsALibcurlThatHasIt() async throws {
        guard CurlLibrary.hasHTTP3 else {
            let error = #expect(throws: TransportError.self) { try self.client { $0.versions = .http3 } }
            #expect(error?.reason == .unsupported && error?.detail?.contains("HTTP/3 needs") == true)
            return
        }
        let server = try server()
        let client = try self.client { $0.versions = .http3 }
        #expect("\(client)".contains("HTTP/3"))
        let response = try await client.fetch(request: URLRequest(url: server.url("/")), as: String.self)
        #expect(response.item == "here" && response.metrics?.httpVersion == "HTTP/1.1")
    }

    @Test(.needsHTTP2)
    func aTransportOfHTTP1OffersNoOtherVersion() async throws {
        let server = try HTTP2Server { .respond(to: $0) }
        let negotiated = try client { _ in }
        #expect(try await negotiated.fetch(request: URLRequest(url: server.url("/"))).metrics?.httpVersion == "HTTP/2")
        let tls = try LoopbackServer(tls: TLSConfiguration(TLSFixtures.localhost)) { _ in .respond(body: "here") }
        let http1 = try client { $0.versions = .http1 }
        #expect(try await http1.fetch(request: URLRequest(url: tls.url("/"))).metrics?.httpVersion == "HTTP/1.1")
        for (client, version, isOffered) in [(negotiated, "HTTP/2", true), (http1, "HTTP/1.1", false)] {
            let (_, hello) = try await beginning(of: client) { url("https://127.0.0.1:\($0)/") }
            #expect(String(decoding: hello, as: UTF8.self).contains("\u{2}h2") == isOffered)
            #expect("\(client)".contains(", \(version)"), "\(client)")
        }
    }
}

extension CurlTransport.Configuration {
    fileprivate init(_ change: (inout Self) -> Void) {
        self.init()
        change(&self)
    }
}
#endif
