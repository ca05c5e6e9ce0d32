import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Kept connections that turn out to be dead when the next request is sent.
struct DeadConnectionTests {
    /// When the server ends it.
    enum End: CaseIterable, Sendable {
        case whileIdle
        /// Perhaps before, and perhaps after the next request is on its way.
        case asTheRequestComes
        case whenTheHeadHasCome
        case whenTheBodyHasCome
    }

    private func server(_ end: End, idle: Gate) throws -> LoopbackServer {
        try LoopbackServer(
            onHead: { request in
                let isDead = request.indexOnConnection > 0 && end == .whenTheHeadHasCome
                return isDead ? .final([.close]) : .none
            },
            handler: { request in
                if request.indexOnConnection > 0 { return [.reset] }
                guard request.path == "/first" else { return .respond(body: "second") }
                switch end {
                case .whileIdle: return [.respond(), .wait(idle), .close]
                case .asTheRequestComes: return [.respond(), .close]
                case .whenTheHeadHasCome, .whenTheBodyHasCome: return .respond()
                }
            }
        )
    }

    @Test(arguments: TransportUnderTest.all, End.allCases)
    func aDeadConnectionFailsNoGET(transport: TransportUnderTest, end: End) async throws {
        let idle = Gate()
        let server = try server(end, idle: idle)
        let client = try transport.client()
        #expect(await client.outcome(of: URLRequest(url: server.url("/first"))) == .answered(200))
        idle.open()
        if end == .whileIdle { try await server.waitForOpenConnections(0) }
        #expect(await client.outcome(of: URLRequest(url: server.url("/second"))) == .answered(200, "second"))
    }

    #if os(Linux)
    @Test(.enabled(if: CurlLibrary.reportsConnections, "this libcurl does not report connections"))
    func theMetricsTellThatARequestWasSentTwice() async throws {
        let server = try server(.whenTheBodyHasCome, idle: Gate())
        let client = NetworkClient(transport: try CurlTransport(), logging: .off)
        let first = try await client.fetch(request: URLRequest(url: server.url("/first")))
        let second = try await client.fetch(request: URLRequest(url: server.url("/second")))
        #expect(first.metrics?.transmissions == 1 && second.metrics?.transmissions == 2)
        #expect(server.requests.count { $0.path == "/second" } == 2)
    }
    #endif

    /// A request that the server may have processed is sent again only if it is idempotent (RFC 9110 §9.2.2).
    @Test(.spec(105), arguments: TransportUnderTest.all, End.allCases)
    func aDeadConnectionNeverEmptiesOrDoublesABody(transport: TransportUnderTest, end: End) async throws {
        for isRepeatable in [true, false] { try await sendEachBody(transport, end, isRepeatable) }
    }

    private func sendEachBody(_ transport: TransportUnderTest, _ end: End, _ isRepeatable: Bool) async throws {
        let directory = try TemporaryDirectory()
        for kind in BodyKind.allCases {
            let idle = Gate()
            let server = try server(end, idle: idle)
            let client = try transport.client()
            #expect(await client.outcome(of: URLRequest(url: server.url("/first"))) == .answered(200))
            idle.open()
            if end == .whileIdle { try await server.waitForOpenConnections(0) }
            var (request, body) = try kind.request(to: server.url("/second"), in: directory)
            if isRepeatable { request.setValue("\"one\"", forHTTPHeaderField: "Idempotency-Key") }
            let outcome = await client.outcome(of: request)
            let mayRepeat = isRepeatable || kind == .none && transport.has(.sendsBodilessRequestsAgain)
            let mayBeLost = end == .whenTheBodyHasCome && transport.has(.mayLoseRequestsOverResetConnections)
            let isSeen = end == .whileIdle && !transport.has(.mayLoseRequestsOverClosedConnections)
            let isSent = kind.isReplayable && mayRepeat && !mayBeLost || isSeen
            let failures: Set<Outcome> = [.failed(.bodyNotReplayable), .failed(.connectionLost)]
            #expect(outcome == .answered(200, "second") || !isSent && failures.contains(outcome), "\(kind): \(outcome)")
            let arrived = server.requests.filter { $0.path == "/second" && $0.isComplete }
            #expect(arrived.allSatisfy { $0.body == body }, "\(kind)")
            #expect(arrived.count <= (end == .whenTheBodyHasCome && mayRepeat ? 2 : 1), "\(kind)")
        }
    }
}
