import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct URLSessionTransportTests {
    private final class Mock: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool { true }
        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override func startLoading() {
            client?.urlProtocol(
                self,
                didReceive: HTTPURLResponse.made(201, headers: ["X-A": "1"]),
                cacheStoragePolicy: .notAllowed
            )
            client?.urlProtocol(self, didLoad: Data("mocked".utf8))
            client?.urlProtocolDidFinishLoading(self)
        }

        override func stopLoading() {}
    }

    private func client(_ change: (URLSessionConfiguration) -> Void) -> NetworkClient {
        let configuration = URLSessionConfiguration.ephemeral
        change(configuration)
        return NetworkClient(logging: .off, session: URLSession(configuration: configuration))
    }

    @Test func theProtocolClassesOfASessionAreKept() async throws {
        let client = client { $0.protocolClasses = [Mock.self] }
        let response: NetworkClient.Response<String> = try await client.fetch(
            request: URLRequest(url: url("http://h/"))
        )
        #expect(response.item == "mocked")
        #expect(response.httpResponse.statusCode == 201)
    }

    @Test func aSessionForTheBackgroundIsRefusedWithEachRequest() async throws {
        #if canImport(Darwin)
        let transport = URLSessionTransport(session: URLSession(configuration: .background(withIdentifier: "a")))
        #else
        // FoundationNetworking has no such configuration.
        let transport = URLSessionTransport(
            configuration: .ephemeral,
            defaults: TransportDefaults(),
            forwardingTo: nil,
            isForBackground: true
        )
        #endif
        let client = NetworkClient(transport: transport)
        let error = await #expect(throws: NetworkClient.Error.self) { try await client.fetch(.get(http: "http://h/")) }
        #expect(
            error?.description == "The request to 'http://h/' failed: a background session cannot be used; pass a "
                + "session with another configuration."
        )
    }

    @Test func theHeadersOfASessionAreDefaults() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = client { $0.httpAdditionalHeaders = ["X-One": "session", "X-Two": "session"] }
        let request = URLRequest.get(url: server.url).set(header: .custom(name: "x-two", value: "request")).build()
        try await client.fetch(request: request)
        let received = try await server.request(at: 0)
        #expect(received.headers.values(for: "X-One") == ["session"])
        #expect(received.headers.values(for: "X-Two") == ["request"])
    }

    @Test(arguments: [true, false])
    func theTimeoutsOfASessionApply(isIdle: Bool) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate, orPeerClose: true), .close] }
        let client = client {
            if isIdle { $0.timeoutIntervalForRequest = 0.2 } else { $0.timeoutIntervalForResource = 0.2 }
        }
        await #expect {
            try await withDeadline { try await client.fetch(request: URLRequest(url: server.url)) }
        } throws: {
            guard case NetworkClient.Error.requestError(let error) = $0 else { return false }
            return error.reason == .timedOut
        }
    }

    @Test func aWrappingTransportPassesTheDefaultsOfASessionOn() async throws {
        struct Wrapper: Transport {
            let wrapped: URLSessionTransport
            var defaults: TransportDefaults { wrapped.defaults }
            var description: String { "Wrapper" }

            func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
                try await wrapped.send(request, options: options)
            }
        }
        let server = try LoopbackServer { _ in .respond() }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Tenant": "t"]
        let transport = Wrapper(wrapped: URLSessionTransport(session: URLSession(configuration: configuration)))
        try await NetworkClient(transport: transport, logging: .off).fetch(request: URLRequest(url: server.url))
        #expect(try await server.request(at: 0).value(forHeader: "X-Tenant") == "t")
    }

    @Test func theSharedTransportStaysOpen() async throws {
        URLSessionTransport.shared.shutDown()
        let server = try LoopbackServer { _ in .respond() }
        try await NetworkClient(logging: .off).fetch(request: URLRequest(url: server.url))
        #expect(server.requestCount == 1)
    }

    #if canImport(FoundationNetworking)
    @Test func anIPv6AddressIsRefusedWithAReason() async throws {
        let client = NetworkClient(transport: URLSessionTransport.shared, logging: .off)
        await #expect { try await client.fetch(request: URLRequest(url: url("http://[::1]:1/"))) } throws: {
            "\($0)" == "The request to 'http://[::1]:1/' failed: "
                + "URLSession on Linux cannot reach an IPv6 address; use a name."
        }
    }
    #endif

    /// The texts for it differ between versions of libcurl, and without a length there is nothing but them.
    @Test(arguments: [true, false])
    func aStreamedBodyThatBreaksOffIsALostConnection(hasLength: Bool) async throws {
        let whole = Script.respond(
            headers: hasLength ? [:] : ["Transfer-Encoding": "chunked"],
            length: hasLength ? .stated(10) : .omitted,
            body: hasLength ? "hello" : "5\r\nhello\r\n"
        )
        let server = try LoopbackServer { _ in [whole, .close] }
        let client = NetworkClient(transport: URLSessionTransport(), logging: .off)
        let response = try await client.stream(URLRequest(url: server.url))
        let received = Recorder<Data>()
        await #expect {
            try await withDeadline { for try await chunk in response.item { received.record(chunk) } }
        } throws: {
            guard case NetworkClient.Error.requestError(let error) = $0 else { return false }
            return error.reason == .connectionLost
        }
        #expect(Data(received.values.joined()) == Data("hello".utf8))
    }

    @Test func theExchangeTimeoutCountsTheWaitForAConnection() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate, orPeerClose: true), .respond()] }
        let client = client { $0.httpMaximumConnectionsPerHost = 1 }
        let request = URLRequest(url: server.url)
        async let first = client.fetch(request: request)
        try await server.waitForHeads(count: 1)
        await #expect {
            try await withDeadline {
                try await client.fetch(request: request, options: CallOptions(attemptTimeout: 0.2))
            }
        } throws: {
            guard case NetworkClient.Error.requestError(let error) = $0 else { return false }
            return error.reason == .timedOut
        }
        gate.open()
        _ = try await first
        #expect(server.requestCount == 1)
    }

    @Test func theGivenSessionIsUnchanged() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-One": "1"]
        let session = URLSession(configuration: configuration)
        do {
            let transport = URLSessionTransport(session: session)
            transport.shutDown()
        }
        #expect(session.configuration.httpAdditionalHeaders?.count == 1)
        let server = try LoopbackServer { _ in .respond(body: "still there") }
        let (data, _) = try await session.data(from: server.url)
        #expect(data == Data("still there".utf8))
    }

    @Test func onlyASessionWithCookiesKeepsThem() async throws {
        let server = try LoopbackServer { _ in .respond(headers: ["Set-Cookie": "a=1"]) }
        let request = URLRequest(url: server.url)
        for client in [client { _ in }, NetworkClient(logging: .off)] {
            try await client.fetch(request: request)
            try await client.fetch(request: request)
        }
        #expect(server.requests.map { $0.value(forHeader: "Cookie") } == [nil, "a=1", nil, nil])
    }

    @Test func clientsShareConnections() async throws {
        let server = try LoopbackServer { _ in .json("1") }
        let transport = URLSessionTransport()
        for _ in 0..<20 {
            try await NetworkClient(transport: transport, logging: .off).fetch(request: URLRequest(url: server.url))
        }
        // URLSession reports the end of an exchange a moment before its connection can be reused.
        #expect(server.connectionCount < 10)
    }

    @Test func noMoreConnectionsAreOpenThanTheSessionAllows() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .respond()] }
        let client = client { $0.httpMaximumConnectionsPerHost = 2 }
        let options = CallOptions(idleTimeout: 60)
        let calls = (0..<10).map { _ in
            Task { try await client.fetch(request: URLRequest(url: server.url), options: options) }
        }
        try await server.waitForHeads(count: 2)
        gate.open()
        for call in calls { _ = try await call.value }
        #expect(server.connectionCount == 2)
    }
}
