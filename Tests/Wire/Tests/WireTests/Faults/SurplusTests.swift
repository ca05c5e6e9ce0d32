#if os(Linux)
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Bytes behind a complete response over HTTP/1.1: they belong to no response (RFC 9112 §9.2).
@Suite(.spec(298), .needsNoSanitizer, .enabled(if: TLSConfiguration.isAvailable, "there is no OpenSSL here"))
struct SurplusTests {
    /// The bytes that a server sends behind a response.
    enum Surplus: Sendable {
        case response
        case bytes(Int)
        /// A timeout of the idle connection, as proxies send it, and the end.
        case timeout

        var script: Script {
            switch self {
            case .response: .respond(body: "evil")
            case .bytes(let count): .send(String(repeating: "x", count: count))
            case .timeout: [.respond(status: 408, headers: ["Connection": "close"], body: "late"), .closeWrite]
            }
        }
    }

    private static let all = [.response, .timeout] + [1, 11, 500, 16_384, 65_536].map { Surplus.bytes($0) }
    private static let bodies =
        [0, 7, 3_000, 16_384, 65_536, 300_000].map { ($0, false) } + [(7, true), (300_000, true)]

    private static func tls(_ version: TLSVersion?) -> TLSConfiguration? {
        version.map { TLSConfiguration(versions: $0...$0, sendsTickets: true) }
    }

    /// Sends it with the response, or when the client has got the response.
    @Test(arguments: [nil, .tls12, .tls13] as [TLSVersion?], [true, false])
    func noByteBehindAResponseIsPartOfAnother(version: TLSVersion?, isLate: Bool) async throws {
        try await withThrowingTaskGroup { group in
            for (number, surplus) in Self.all.enumerated() {
                for (length, isStreamed) in Self.bodies {
                    // From 8.22 on, libcurl itself checks only a connection that was idle for a second.
                    for pause in number < 3 ? [0, 1.5] : [0] {
                        group.addTask {
                            try await Self.expectNothing(surplus, length, isStreamed, isLate, pause, Self.tls(version))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func expectNothing(
        _ surplus: Surplus,
        _ length: Int,
        _ isStreamed: Bool,
        _ isLate: Bool,
        _ pause: Double,
        _ tls: TLSConfiguration?
    ) async throws {
        let (got, sent) = (Gate(), Gate())
        let server = try LoopbackServer(tls: tls) { request in
            guard request.path == "/first" else { return .respond(body: request.path) }
            let response = Script.respond(body: String(repeating: "a", count: length))
            return [response, isLate ? .wait(got) : [], surplus.script, .open(sent)]
        }
        let security = TransportSecurity(trustRoots: TLSFixtures.root)
        let transport = try CurlTransport(configuration: .init(connectTimeout: 60, security: security))
        let client = NetworkClient(transport: transport, logging: .off)
        let place: Comment = "\(surplus) behind \(length) bytes, streamed: \(isStreamed), after \(pause) s"
        let first = try await withDeadline {
            guard isStreamed else {
                return try await client.fetch(URLRequest(url: server.url("/first")), as: Data.self).item
            }
            return try await client.stream(URLRequest(url: server.url("/first"))).item.data()
        }
        #expect(first == Data(repeating: 0x61, count: length), place)
        got.open()
        // Bytes that come when the next request is on its way can't be told from its response.
        try await withDeadline { try await sent.wait() }
        try await Self.pass(pause)
        for path in ["/1", "/2", "/3"] {
            #expect(await client.outcome(of: URLRequest(url: server.url(path))) == .answered(200, path), place)
        }
        // A response with nothing behind it leaves its connection in use.
        #expect(server.connectionCount == 2 || !isLate && server.connectionCount < 5, place)
    }

    /// Waits some seconds, since what libcurl does depends on the time: with a call that ends at its limit.
    private static func pass(_ seconds: Double) async throws {
        guard seconds > 0 else { return }
        let server = try LoopbackServer { _ in [.awaitPeerClose(), .close] }
        let client = NetworkClient(transport: try CurlTransport(), logging: .off)
        let options = CallOptions(attemptTimeout: seconds)
        #expect(await client.outcome(of: URLRequest(url: server.url), options: options) == .failed(.timedOut))
    }
}
#endif
