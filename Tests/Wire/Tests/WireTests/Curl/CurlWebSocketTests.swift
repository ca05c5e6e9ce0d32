#if os(Linux)
import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// Sockets under TLS, through proxies and over Unix domain sockets; the messages are the matter of `WebSocketTests`.
@Suite(.spec(311, 312), .enabled(if: TLSConfiguration.isAvailable, "there is no OpenSSL here"))
struct CurlWebSocketTests {
    /// A route to the server.
    struct Route: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var tls: TLSConfiguration?
        var hasProxy = false
        var isUnix = false
    }

    private static let direct = [
        Route(testDescription: "TLS 1.2", tls: TLSConfiguration(versions: .tls12 ... .tls12)),
        Route(testDescription: "TLS 1.3", tls: TLSConfiguration(versions: .tls13 ... .tls13, sendsTickets: true)),
        Route(testDescription: "TLS without close_notify", tls: TLSConfiguration(omitsCloseNotify: true)),
        Route(testDescription: "a Unix domain socket", isUnix: true),
    ]

    private static let routes =
        direct + [
            Route(testDescription: "a proxy", hasProxy: true),
            Route(testDescription: "TLS through a proxy", tls: TLSConfiguration(), hasProxy: true),
        ]

    /// A server, and a client for the route to it.
    private struct Ends {
        let server: LoopbackServer
        let proxy: LoopbackServer?
        let client: NetworkClient
        private let directory: TemporaryDirectory

        init(_ route: Route, handler: @escaping @Sendable (RecordedRequest) -> Script) throws {
            directory = try TemporaryDirectory()
            let path = directory.url.appendingPathComponent("server.sock").path
            let server = try LoopbackServer(on: route.isUnix ? .unix(path) : .ipv4, tls: route.tls, handler: handler)
            self.server = server
            let response = "HTTP/1.1 200 Connection established\r\n\r\n"
            proxy =
                route.hasProxy
                ? try LoopbackServer { [port = server.port] _ in [.send(response), .tunnel(to: port)] } : nil
            var configuration = CurlTransport.Configuration(security: .init(trustRoots: TLSFixtures.root))
            configuration.proxy = proxy.map { .server($0.url) } ?? .none
            configuration.unixSocket = route.isUnix ? path : nil
            client = NetworkClient(transport: try CurlTransport(configuration: configuration))
        }

        func url(_ path: String, _ route: Route) -> URL {
            route.isUnix ? NetworkTestSupport.url("http://docker\(path)") : server.url(path)
        }
    }

    @Test(arguments: routes) func messagesGoBothWays(_ route: Route) async throws {
        let ends = try Ends(route) { .echo($0) }
        let socket = try await ends.client.webSocket(URLRequest(url: ends.url("/a?b=1", route)))
        let long = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0) })
        try await withDeadline {
            async let sent: Void = {
                for _ in 0..<4 { try await socket.send(long) }
                try await socket.send("end")
            }()
            for _ in 0..<4 {
                let message = try await socket.receive()
                #expect(message == .binary(long))
            }
            let last = try await socket.receive()
            #expect(last == .text("end"))
            try await sent
            try await socket.close()
        }
        #expect(ends.server.requests.map(\.target) == ["/a?b=1"])
        #expect(ends.proxy.map { $0.requests.map(\.method) } ?? ["CONNECT"] == ["CONNECT"])
    }

    @Test(arguments: direct) func theEndOfTheConnectionIsFoundWhileNothingIsSent(_ route: Route) async throws {
        for count in [0, 3] {
            let ends = try Ends(route) { request in
                .webSocket(request) { peer in
                    for _ in 0..<count { try peer.send("m") }
                }
            }
            let socket = try await ends.client.webSocket(
                URLRequest(url: ends.url("/", route)),
                socketOptions: WebSocketOptions { $0.keepAlive = nil }
            )
            try await withDeadline {
                for _ in 0..<count {
                    let message = try await socket.receive()
                    #expect(message == .text("m"))
                }
                let error = await #expect(throws: NetworkClient.Error.self) { _ = try await socket.receive() }
                #expect(error?.transportError?.reason == .connectionLost)
            }
        }
    }

    /// Bytes that are decrypted wait in libcurl, and not in the system.
    @Test func aServerWaitsForASlowReader() async throws {
        let route = Self.direct[1]
        let ends = try Ends(route) { .flood($0, count: 200, size: 1 << 16) }
        let socket = try await ends.client.webSocket(
            URLRequest(url: ends.url("/", route)),
            socketOptions: WebSocketOptions { $0.receiveBuffer = 1 << 16 }
        )
        try await withDeadline {
            while !socket.opened.connection.channel.isPaused { await Task.yield() }
            for _ in 0..<20 { try await socket.send("up") }
            var count = 0
            for try await _ in socket { count += 1 }
            #expect(count == 200)
        }
    }

    @Test func aSecureSocketFollowsNoRedirectWithoutTLS() async throws {
        let plain = try LoopbackServer { .echo($0) }
        let target = "ws" + plain.url("/").absoluteString.dropFirst(4)
        let route = Self.direct[1]
        let ends = try Ends(route) { _ in .respond(status: 302, headers: ["Location": target]) }
        let error = await #expect(throws: NetworkClient.Error.self) {
            _ = try await ends.client.webSocket(URLRequest(url: ends.url("/", route)))
        }
        #expect(error?.transportError?.reason == .redirectRefused)
        #expect(plain.requests.isEmpty)
    }

    @Test func aTaskOnTheExecutorSendsAndReceives() async throws {
        let server = try LoopbackServer { .echo($0) }
        let transport = try CurlTransport()
        let request = URLRequest(url: server.url("/"))
        let received = Task(executorPreference: transport.executor) {
            let socket = try await NetworkClient(transport: transport).webSocket(request)
            var texts: [String] = []
            for number in 0..<100 {
                try await socket.send("\(number)")
                let message = try await socket.receive()
                texts.append(String(decoding: message.data, as: UTF8.self))
            }
            try await socket.close()
            return texts
        }
        #expect(try await withDeadline { try await received.value } == (0..<100).map { "\($0)" })
    }

    /// The transport waits for a reader that handles the message before for a second only.
    @Test func aBrokenRuleEndsTheConnectionOfAReaderThatIsAway() async throws {
        let isOver = Gate()
        let server = try LoopbackServer { request in
            .webSocket(request) { peer in
                try peer.send(WebSocketPeer.frame(1, [0x6D]) + [0xC1, 0])
                peer.awaitEnd()
                isOver.open()
            }
        }
        let client = NetworkClient(transport: try CurlTransport())
        let socket = try await client.webSocket(URLRequest(url: server.url("/")))
        try await withDeadline {
            let message = try await socket.receive()
            #expect(message == .text("m"))
            try await isOver.wait()
            let error = await #expect(throws: NetworkClient.Error.self) { _ = try await socket.receive() }
            #expect(error?.transportError?.reason == .malformedResponse)
        }
    }
}
#endif
