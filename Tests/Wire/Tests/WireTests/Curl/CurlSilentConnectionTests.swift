#if os(Linux)
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Connections of HTTP/2 that die in silence: the system at the other end, or a proxy, still acknowledges the bytes.
@Suite(.spec(299), .needsHTTP2, .enabled(if: CurlLibrary.reportsConnections))
struct CurlSilentConnectionTests {
    private let transport: CurlTransport
    private let client: NetworkClient

    init() throws {
        transport = try CurlTransport(configuration: .init(security: .init(trustRoots: TLSFixtures.root)))
        client = NetworkClient(transport: transport, logging: .off)
    }

    /// A server that sends nothing over its first connection after the first response.
    private static func server() throws -> HTTP2Server {
        try HTTP2Server { $0.connection == 0 && $0.number > 0 ? .silence : .respond(to: $0) }
    }

    private func request(_ server: HTTP2Server, _ method: HTTPMethod = .get, idleTimeout: Double = 60) -> URLRequest {
        var request = URLRequest(url: server.url("/a"))
        request.method = method
        request.timeoutInterval = idleTimeout
        return request
    }

    @Test(arguments: [.get, .post] as [HTTPMethod])
    func oneCallFailsOverADeadConnectionAndTheNextSucceed(method: HTTPMethod) async throws {
        let server = try Self.server()
        var found: [Outcome] = []
        for _ in 0..<6 { found.append(await client.outcome(of: request(server, method, idleTimeout: 0.3))) }
        #expect(
            found == [.answered(200, "1"), .failed(.timedOut)] + [Outcome](repeating: .answered(200, "1"), count: 4)
        )
        #expect(server.connectionCount == 2)
    }

    /// The next calls share one connection again, however many have found the dead one.
    @Test func manyCallsOverADeadConnectionMakeOneNewConnection() async throws {
        let server = try Self.server()
        #expect(await client.outcome(of: request(server)) == .answered(200, "1"))
        let count = CurlLibrary.gathersStreams ? CurlEngine.maxStreams : 20
        for (idleTimeout, expected) in [(0.5, Outcome.failed(.timedOut)), (60, .answered(200, "1"))] {
            let outcomes = await withTaskGroup(of: Outcome.self) { group in
                for _ in 0..<count {
                    group.addTask { await client.outcome(of: request(server, idleTimeout: idleTimeout)) }
                }
                return await group.reduce(into: Set<Outcome>()) { $0.insert($1) }
            }
            #expect(outcomes == [expected])
        }
        #expect(server.connectionCount == 2)
    }

    /// A limit of an interceptor cancels the exchange.
    @Test func aRetryAfterAnInterceptorsLimitUsesAnotherConnection() async throws {
        let server = try Self.server()
        let policy = RetryPolicy(retries: 2, backoff: Backoff(base: 0))
        let retrying = NetworkClient(
            transport: transport,
            interceptors: [.retry(policy), .waitTimeout(1.1)],
            logging: .off
        )
        for _ in 0..<3 { #expect(await retrying.outcome(of: request(server)) == .answered(200, "1")) }
        #expect(server.connectionCount == 2)
    }

    /// An exchange that is in flight over the connection goes on, since the server may only be slow.
    @Test(arguments: [true, false])
    func aConnectionThatOthersUseGetsNoFurtherCall(isDead: Bool) async throws {
        let gate = Gate()
        let server = try HTTP2Server { request in
            guard request.connection == 0, request.number > 0 else { return .respond(to: request) }
            return isDead ? .silence : .respond(to: request).held(until: gate)
        }
        #expect(await client.outcome(of: request(server)) == .answered(200, "1"))
        let other = Task { await client.outcome(of: request(server)) }
        _ = try await withDeadline { try await server.requests(2) }
        #expect(await client.outcome(of: request(server, idleTimeout: 0.3)) == .failed(.timedOut))
        let outcomes = await withTaskGroup(of: Outcome.self) { group in
            for _ in 0..<5 { group.addTask { await client.outcome(of: request(server)) } }
            return await group.reduce(into: Set<Outcome>()) { $0.insert($1) }
        }
        #expect(outcomes == [.answered(200, "1")])
        #expect(server.connectionCount == 2)
        if isDead { other.cancel() }
        gate.open()
        #expect(try await withDeadline { await other.value } == (isDead ? .cancelled : .answered(200, "1")))
    }

    /// As when a user types, and only the last search matters.
    @Test func aCallThatIsGivenUpAtOnceKeepsItsConnection() async throws {
        let gate = Gate()
        let server = try HTTP2Server {
            (1...3).contains($0.number) ? .respond(to: $0).held(until: gate) : .respond(to: $0)
        }
        #expect(await client.outcome(of: request(server)) == .answered(200, "1"))
        for number in 2...4 {
            let call = Task { await client.outcome(of: request(server)) }
            _ = try await withDeadline { try await server.requests(number) }
            call.cancel()
            #expect(await call.value == .cancelled)
        }
        #expect(await client.outcome(of: request(server)) == .answered(200, "1"))
        #expect(server.connectionCount == 1)
    }

    /// Replies to pings are taken for acknowledgements.
    @Test func anUploadOverQUICGoesOnForTenIdleTimeoutsAtMost() {
        var connecting = CurlExchangeState.Connecting(end: 0)
        let second: UInt64 = 1_000_000_000
        var (now, count) = (second * 100, 0)
        while count < 100, connecting.uploads(now, until: now + second / 4, idleTimeout: second) {
            (now, count) = (now + second / 4, count + 1)
        }
        // Its last event was an idle timeout ago.
        now += second
        let goesOn = connecting.uploads(now, until: now + second / 4, idleTimeout: second)
        #expect(count == 40 && goesOn)
    }
}
#endif
