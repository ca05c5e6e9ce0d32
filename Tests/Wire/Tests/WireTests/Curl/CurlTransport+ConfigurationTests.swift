#if os(Linux)
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct CurlTransportConfigurationTests {
    private struct Wrapper: Transport {
        let wrapped: any Transport

        var description: String { "wrapper" }
        var defaults: TransportDefaults { wrapped.defaults }

        func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
            try await wrapped.send(request, options: options)
        }
    }

    private func client(_ configuration: CurlTransport.Configuration) throws -> NetworkClient {
        NetworkClient(transport: try CurlTransport(configuration: configuration), logging: .off)
    }

    /// Holds the first requests until all of them have come, and counts how many are there at once.
    @Test(arguments: [(1, 512), (3, 512), (128, 1), (128, 2)])
    func noMoreExchangesRunAtOnceThanTheLimitAllows(perHost: Int, inAll: Int) async throws {
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

    @Test func theLimitOfAHostCountsEachSpellingOfIt() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .respond()] }
        let client = try client(.init(connectionsPerHost: 1))
        let place = "127.0.0.1:\(server.port)/?token=1"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for text in [
                "http://\(place)", "HTTP://\(place)", "http://u@\(place)", "http://127.0.0.1:0\(server.port)/",
            ] {
                group.addTask { try await client.fetch(request: URLRequest(url: url(text))) }
            }
            try await server.waitForRequests(count: 1)
            #expect(server.requests.count == 1)
            gate.open()
            try await group.waitForAll()
        }
        #expect(Set(server.requests.map(\.connection)).count <= 2)
    }

    @Test(.spec(114)) func theWaitForAConnectionDoesNotCountForTheTimeout() async throws {
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
                options: CallOptions(idleTimeout: 0.2)
            )
        }
        // The longer timeout of a later request shows that the time has passed.
        let other = try LoopbackServer { _ in [.awaitPeerClose()] }
        await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(
                request: URLRequest.get(url: other.url).build(),
                options: CallOptions(idleTimeout: 0.4)
            )
        }
        gate.open()
        #expect(try await brief.value.statusCode == 200)
        #expect(try await slow.value.statusCode == 200)
    }

    @Test func theExchangeTimeoutEndsTheWaitForAConnection() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .respond()] }
        let client = try client(.init(connectionsPerHost: 1))
        let first = Task { try await client.fetch(request: URLRequest.get(url: server.url).build()) }
        try await server.waitForRequests(count: 1)
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(
                request: URLRequest.get(url: server.url).build(),
                options: CallOptions(attemptTimeout: 0.1)
            )
        }
        guard case .requestError(let failure)? = error else {
            Issue.record("not a failure of the transport")
            return
        }
        #expect(failure.reason == .timedOut && failure.localWait == .turn)
        gate.open()
        _ = try await first.value
        #expect(server.requests.count == 1)
    }

    @Test(.enabled(if: UnansweringPort.isAvailable, "every connection is answered here"))
    func aConnectionThatIsNotMadeInTimeTimesOut() async throws {
        let port = try UnansweringPort()
        let client = try client(.init(connectTimeout: 0.1))
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await withDeadline { _ = try await client.fetch(request: URLRequest.get(url: port.url).build()) }
        }
        guard case .requestError(let failure)? = error else {
            Issue.record("not a failure of the transport")
            return
        }
        #expect(failure.reason == .timedOut && failure.passedLimit == .connection(0.1))
    }

    @Test func thePasswordOfAKeyIsNeverShown() {
        let certificate = TransportSecurity.ClientCertificate(
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

    @Test(.spec(214)) func allRequestsGoToTheUnixDomainSocket() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.url.appendingPathComponent("server.sock").path
        let server = try LoopbackServer(on: .unix(path)) { request in
            switch request.path {
            case "/near": .respond(status: 302, headers: ["Location": "/there"])
            case "/away": .respond(status: 302, headers: ["Location": "http://127.0.0.1/"])
            default: .respond(body: request.path)
            }
        }
        let client = try client(.init(unixSocket: path))
        let places = ["http://localhost/v1/info", "http://docker.invalid:2375/v1/info"]
        let requests = places.map { URLRequest(url: url($0)) }
        for request in requests { #expect(await client.outcome(of: request) == .answered(200, "/v1/info")) }
        let upload = URLRequest.put(url: url("http://localhost/up")).bodyData(Data(count: 1 << 20)).build()
        #expect(await client.outcome(of: upload) == .answered(200, "/up"))
        #expect(await client.outcome(of: URLRequest(url: url("http://localhost/near"))) == .answered(200, "/there"))
        #expect(await client.outcome(of: URLRequest(url: url("http://localhost/away"))) == .failed(.redirectRefused))
        let wrapper = NetworkClient(transport: Wrapper(wrapped: client.transport), logging: .off)
        #expect(await wrapper.outcome(of: URLRequest(url: url("http://localhost/away"))) == .failed(.redirectRefused))
        #expect(server.requests.prefix(2).map { $0.headers["Host"] } == ["localhost", "docker.invalid:2375"])
        server.stop()
        let later = try self.client(.init(unixSocket: path))
        #expect(await later.outcome(of: requests[0]) == .failed(.connectionRefused))
    }

    @Test(.spec(214)) func aUnixDomainSocketThatCannotBeUsedIsRefused() {
        let proxy = CurlTransport.Proxy.server(url("http://proxy.invalid:3128"))
        let configurations: [CurlTransport.Configuration] = [
            .init(unixSocket: ""), .init(unixSocket: "/\0"), .init(unixSocket: String(repeating: "a", count: 108)),
            .init(proxy: proxy, unixSocket: "/run/server.sock"),
        ]
        for configuration in configurations {
            let error = #expect(throws: TransportError.self) { try CurlTransport(configuration: configuration) }
            #expect(error?.reason == .unsupported)
        }
    }

    @Test func aProxyOfAnotherSchemeIsRefusedWhenTheTransportIsMade() {
        for text in ["ftp://h:21", "proxy.example:3128", "htps://h"] {
            let error = #expect(throws: TransportError.self) {
                try CurlTransport(configuration: .init(proxy: .server(url(text))))
            }
            #expect(error?.reason == .unsupported)
        }
    }
}
#endif
