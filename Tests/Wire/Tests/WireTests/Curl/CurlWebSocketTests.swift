#if os(Linux)
import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// Sockets under TLS and through proxies; the messages themselves are the matter of `WebSocketTests`.
@Suite(.spec(311, 312), .enabled(if: TLSConfiguration.isAvailable, "there is no OpenSSL here"))
struct CurlWebSocketTests {
    /// The way to the server.
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var tls: TLSConfiguration?
        var hasProxy = false
    }

    private static let ways = [
        Way(testDescription: "TLS 1.2", tls: TLSConfiguration(versions: .tls12 ... .tls12)),
        Way(testDescription: "TLS 1.3", tls: TLSConfiguration(versions: .tls13 ... .tls13, sendsTickets: true)),
        Way(testDescription: "TLS without close_notify", tls: TLSConfiguration(omitsCloseNotify: true)),
        Way(testDescription: "a proxy", hasProxy: true),
        Way(testDescription: "TLS through a proxy", tls: TLSConfiguration(), hasProxy: true),
    ]

    /// Returns a client for the way, and the proxy if there is one.
    private func client(_ way: Way, to server: LoopbackServer) throws -> (NetworkClient, LoopbackServer?) {
        let response = "HTTP/1.1 200 Connection established\r\n\r\n"
        let proxy =
            way.hasProxy ? try LoopbackServer { [port = server.port] _ in [.send(response), .tunnel(to: port)] } : nil
        let configuration = CurlTransport.Configuration(
            proxy: proxy.map { .server($0.url) } ?? .none,
            security: .init(trustRoots: TLSFixtures.root)
        )
        return (NetworkClient(transport: try CurlTransport(configuration: configuration)), proxy)
    }

    @Test(arguments: ways) func messagesGoBothWays(_ way: Way) async throws {
        let server = try LoopbackServer(tls: way.tls) { .echo($0) }
        let (client, proxy) = try client(way, to: server)
        let socket = try await client.webSocket(URLRequest(url: server.url("/a?b=1")))
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
        #expect(server.requests.map(\.target) == ["/a?b=1"])
        #expect(proxy.map { $0.requests.map(\.method) } ?? ["CONNECT"] == ["CONNECT"])
    }

    @Test(arguments: ways) func theEndOfTheConnectionIsFoundWhileNothingIsSent(_ way: Way) async throws {
        for count in [0, 3] {
            let server = try LoopbackServer(tls: way.tls) { request in
                .webSocket(request) { peer in
                    for _ in 0..<count { try peer.send("m") }
                }
            }
            let (client, proxy) = try client(way, to: server)
            let socket = try await client.webSocket(
                URLRequest(url: server.url("/")),
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
            _ = proxy
        }
    }

    @Test(arguments: ways) func aServerWaitsForASlowReader(_ way: Way) async throws {
        let server = try LoopbackServer(tls: way.tls) { request in
            .webSocket(request) { peer in
                let frame = WebSocketPeer.frame(2, [UInt8](repeating: 7, count: 1 << 16))
                for _ in 0..<200 { try peer.send(frame) }
                try peer.send(close: 1000)
                peer.awaitEnd()
            }
        }
        let (client, proxy) = try client(way, to: server)
        let socket = try await client.webSocket(
            URLRequest(url: server.url("/")),
            socketOptions: WebSocketOptions { $0.receiveBuffer = 1 << 16 }
        )
        try await withDeadline {
            while !socket.opened.connection.channel.isPaused { await Task.yield() }
            for _ in 0..<20 { try await socket.send("up") }
            var count = 0
            for try await _ in socket { count += 1 }
            #expect(count == 200)
        }
        _ = proxy
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

    @Test func aProxyThatRefusesIsSaidOfTheProxy() async throws {
        let proxy = try LoopbackServer { _ in .respond(status: 403) }
        let transport = try CurlTransport(configuration: .init(proxy: .server(proxy.url)))
        let client = NetworkClient(transport: transport)
        let error = await #expect(throws: NetworkClient.Error.self) {
            _ = try await client.webSocket("ws://example.invalid/")
        }
        #expect(error?.transportError?.reason == .proxyRefused)
    }
}
#endif
