#if os(Linux) || os(Android)
import Foundation
import FoundationNetworking
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct CurlTransportConfigurationTests {
    private func client(_ configuration: CurlTransport.Configuration) throws -> NetworkClient {
        NetworkClient(transport: try CurlTransport(configuration: configuration), logging: .off)
    }

    /// Holds the first requests until all of them have come, and counts how many are there at once.
    @Test(arguments: [(1, 512), (3, 512), (128, 1), (128, 2)])
    func runsNoMoreExchangesAtOnceThanItMay(perHost: Int, inAll: Int) async throws {
        let most = min(perHost, inAll)
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .respond()] }
        let client = try client(.init(connectionsPerHost: perHost, connections: inAll))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { _ = try await client.fetch(request: URLRequest.get(url: server.url).build()) }
            }
            try await server.waitForRequests(count: most)
            #expect(server.requests.count == most)
            gate.open()
            try await withDeadline { try await server.waitForRequests(count: 8) }
            try await group.waitForAll()
        }
        #expect(Set(server.requests.map(\.connection)).count <= most)
    }

    @Test(.spec(114)) func doesNotCountTheWaitForARequestsTimeout() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            request.path == "/slow" ? [.wait(gate), .respond()] : .respond()
        }
        let client = try client(.init(connectionsPerHost: 1))
        let slow = Task { try await client.fetch(request: URLRequest.get(url: server.url("/slow")).build()) }
        try await server.waitForRequests(count: 1)
        let brief = Task {
            try await client.fetch(
                request: URLRequest.get(url: server.url("/brief")).build(),
                options: CallOptions(timeout: 0.2)
            )
        }
        // Another request's timeout, which began later and is longer, shows that the time has passed.
        let other = try LoopbackServer { _ in [.awaitPeerClose()] }
        await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(
                request: URLRequest.get(url: other.url).build(),
                options: CallOptions(timeout: 0.4)
            )
        }
        gate.open()
        #expect(try await brief.value.statusCode == 200)
        #expect(try await slow.value.statusCode == 200)
    }

    @Test func endsAWaitWithTheTotalTimeout() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .respond()] }
        let client = try client(.init(connectionsPerHost: 1))
        let first = Task { try await client.fetch(request: URLRequest.get(url: server.url).build()) }
        try await server.waitForRequests(count: 1)
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(
                request: URLRequest.get(url: server.url).build(),
                options: CallOptions(totalTimeout: 0.1)
            )
        }
        guard case .requestError(let failure)? = error else {
            Issue.record("not a failure of the transport")
            return
        }
        #expect(failure.reason == .timedOut)
        gate.open()
        _ = try await first.value
        #expect(server.requests.count == 1)
    }

    @Test(.enabled(if: UnansweringPort.isAvailable, "every connection is answered here"))
    func endsAConnectionThatIsNotMadeInTime() async throws {
        let port = try UnansweringPort()
        let client = try client(.init(connectTimeout: 0.1))
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await withDeadline { _ = try await client.fetch(request: URLRequest.get(url: port.url).build()) }
        }
        guard case .requestError(let failure)? = error else {
            Issue.record("not a failure of the transport")
            return
        }
        #expect(failure.reason == .timedOut)
    }

    @Test func goesThroughAProxyOfTheUsersOwn() async throws {
        let proxy = try LoopbackServer { _ in .respond(body: "from the proxy") }
        let client = try client(.init(proxy: .server(proxy.url)))
        let response: NetworkClient.Response<String> = try await client.fetch(
            request: URLRequest.get(url: url("http://example.invalid/a?b=1")).build()
        )
        #expect(response.item == "from the proxy")
        #expect(proxy.requests.first?.target == "http://example.invalid/a?b=1")
        #expect(proxy.requests.first?.value(forHeader: "Host") == "example.invalid")
    }

    @Test func givesTheProxyItsCredentialAndNobodyElse() async throws {
        let proxy = try LoopbackServer { _ in .respond() }
        let server = try LoopbackServer { _ in .respond() }
        let place = try #require(URL(string: "http://user:secret@127.0.0.1:\(proxy.port)"))
        let configuration = CurlTransport.Configuration(proxy: .server(place, except: ["127.0.0.1"]))
        let client = try client(configuration)
        try await client.fetch(request: URLRequest.get(url: url("http://example.invalid/")).build())
        try await client.fetch(request: URLRequest.get(url: server.url).build())
        let expected = "Basic \(Data("user:secret".utf8).base64EncodedString())"
        #expect(proxy.requests.map { $0.value(forHeader: "Proxy-Authorization") } == [expected])
        #expect(server.requests.map { $0.value(forHeader: "Proxy-Authorization") } == [nil])
        #expect(!"\(configuration.proxy)".contains("secret"))
        #expect(!String(reflecting: configuration).contains("secret"))
    }

    /// What a proxy says when it makes a tunnel is not the server's answer, however its body is read.
    @Test(.enabled(if: TLSServer.isAvailable, "there is no OpenSSL here"), arguments: [true, false])
    func goesThroughATunnel(isStreamed: Bool) async throws {
        let answer = "HTTP/1.1 200 Connection established\r\nContent-Encoding: rot13\r\nX-From: proxy\r\n\r\n"
        let proxy = try TunnelProxy(answer: answer)
        let plain = try LoopbackServer { _ in .respond(status: 201, headers: ["X-From": "server"], body: "hello") }
        let server = try TLSServer(before: plain)
        let client = try client(
            .init(proxy: .server(proxy.url), security: .init(trustRoots: TLSFixtures.root))
        )
        let request = URLRequest.get(url: server.url).build()
        if isStreamed {
            let response = try await client.stream(request: request)
            #expect(response.statusCode == 201 && response["X-From"] == "server")
            #expect(try await response.item.text() == "hello")
        } else {
            let response: NetworkClient.Response<String> = try await client.fetch(request: request)
            #expect(response.statusCode == 201 && response["X-From"] == "server" && response.item == "hello")
        }
        #expect(proxy.requestLines == ["CONNECT localhost:\(server.port) HTTP/1.1"])
    }

    @Test func leavesTheProxyOutForTheHostsThatAreNamed() async throws {
        let proxy = try LoopbackServer { _ in .respond(body: "from the proxy") }
        let server = try LoopbackServer { _ in .respond(body: "from the server") }
        let client = try client(.init(proxy: .server(proxy.url, except: ["example.com", "127.0.0.1"])))
        let response: NetworkClient.Response<String> = try await client.fetch(
            request: URLRequest.get(url: server.url).build()
        )
        #expect(response.item == "from the server")
        #expect(proxy.requests.isEmpty)
    }

    @Test func saysThatAProxyCannotBeReached() async throws {
        let refusing = try RefusingPort()
        let client = try client(.init(proxy: .server(refusing.url)))
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(request: URLRequest.get(url: url("http://example.invalid/")).build())
        }
        guard case .requestError(let failure)? = error else {
            Issue.record("not a failure of the transport")
            return
        }
        #expect(failure.reason == .connectionRefused)
    }

    @Test func neverShowsThePasswordOfAKey() {
        let certificate = CurlTransport.Security.ClientCertificate(
            certificate: url("file:///etc/client.pem"),
            key: url("file:///etc/client.key"),
            password: "secret"
        )
        #expect("\(certificate)" == "ClientCertificate(client.pem)")
        let configuration = CurlTransport.Configuration(security: .init(clientCertificate: certificate))
        #expect(!String(reflecting: configuration).contains("secret"))
        var text = ""
        dump(configuration, to: &text)
        #expect(!text.contains("secret"))
    }
}
#endif
