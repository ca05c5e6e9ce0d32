import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Authentication where it meets other features, on sockets.
struct AuthenticationOnTheWireTests {
    private func session(_ refreshed: Recorder<Int>, after gate: Gate = Gate(open: true)) -> TokenSession {
        TokenSession(store: InMemoryCredentialStore(AccessToken("old"))) { _ in
            refreshed.record(1)
            try await gate.wait()
            return AccessToken("new")
        }
    }

    /// A server that accepts the token `new`.
    private func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            let isValid = request.value(forHeader: "Authorization") == "Bearer new"
            return isValid ? .respond(body: request.bodyText + "yes") : .respond(status: 401, body: "no")
        }
    }

    @Test(.spec(98), arguments: TransportUnderTest.all)
    func tenRefusalsOnTheWireCauseOneRefresh(transport: TransportUnderTest) async throws {
        let (server, refreshed, gate) = (try server(), Recorder<Int>(), Gate())
        let session = session(refreshed, after: gate)
        let client = try transport.client(interceptors: [.authentication(.bearer(session), origins: [server.url])])
        let calls = (0..<10).map { number in
            Task {
                let request = URLRequest.post(url: server.url("/\(number)")).bodyText("\(number)").build()
                let response: NetworkClient.Response<String> = try await client.fetch(request: request)
                return response.item
            }
        }
        try await withDeadline { try await server.waitForRequests(count: 10) }
        gate.open()
        for (number, call) in calls.enumerated() { expect(try await call.value, "\(number)yes") }
        expectAll((refreshed.count, server.requestCount), (1, 20))
    }

    @Test(.spec(98, 127), arguments: TransportUnderTest.all)
    func aRefreshKeepsTheProgressOfItsCall(transport: TransportUnderTest) async throws {
        let (server, refreshed, last) = (try server(), Recorder<Int>(), Recorder<Double?>())
        let session = session(refreshed)
        let client = try transport.client(interceptors: [.authentication(.bearer(session), origins: [server.url])])
        let response: NetworkClient.Response<String> = try await client.fetch(
            request: URLRequest(url: server.url),
            options: CallOptions(progress: { last.record($0.fraction) })
        )
        expectAll((response.item, refreshed.count), ("yes", 1))
        expect(last.values.last, 1)
    }

    @Test(.spec(101, 162), arguments: TransportUnderTest.all, ["Authorization", "X-Flux"])
    func aRedirectToAnotherOriginTakesNoCredentialAndItsRefusalRefreshesNothing(
        transport: TransportUnderTest,
        header: String
    ) async throws {
        let target = try LoopbackServer { _ in .respond(status: 401) }
        let start = try LoopbackServer { _ in .redirect(to: target.url("/x").absoluteString) }
        let (refreshed, stream) = (Recorder<Int>(), RecordingStream())
        let scheme = AuthenticationScheme.apiKey(session(refreshed), header: header)
        let client = NetworkClient(
            transport: try transport.transport(),
            interceptors: [.authentication(scheme, origins: [start.url, target.url])],
            logging: .default(logLevel: .full, logStream: stream)
        )
        expect(try await client.status(URLRequest(url: start.url)), 401)
        expect(try await start.request(at: 0).value(forHeader: header), "old")
        expect(try await target.request(at: 0).value(forHeader: header), nil)
        expectAll((refreshed.count, start.requestCount), (0, 1))
        #expect(stream.messages.contains { $0.contains("\(header): ***") })
        #expect(!stream.messages.contains { $0.contains("old") })
    }

    @Test(.spec(184), arguments: [false, true])
    func aKeyIsPutOnBehindTheInterceptorsAndMaskedInTheLog(isStacked: Bool) async throws {
        let (inside, onTheWire) = (RecordingStream(), RecordingStream())
        let interceptors: [any InterceptorProtocol] = [
            .authentication(.apiKey("seCret", header: "X-Flux"), origins: [TokenServer.origin]),
            .logging(level: .full, logStream: inside),
        ]
        let client = NetworkClient(
            transport: ClosureTransport(json: "{}"),
            interceptors: isStacked ? [InterceptorStack(interceptors)] : interceptors,
            logging: .default(logLevel: .full, logStream: onTheWire)
        )
        try await client.fetch(request: TokenServer.request())
        expect(client.configuration.sensitiveHeaders, ["X-Flux"])
        #expect(!inside.messages.isEmpty && !inside.messages.contains { $0.contains("X-Flux") })
        #expect(onTheWire.messages.contains { $0.contains("X-Flux: ***") })
        #expect(!onTheWire.messages.contains { $0.contains("seCret") })
    }

    /// Of two persons, and of one, who has another token now.
    @Test(.spec(118), arguments: TransportUnderTest.all, [nil, "ada"])
    func requestsWithDifferentTokensOfTheInterceptorShareNothing(
        transport: TransportUnderTest,
        person: String?
    ) async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            [.wait(gate), .respond(body: request.value(forHeader: "Authorization") ?? "")]
        }
        let session = TokenSession()
        let client = try transport.client(interceptors: [.authentication(.bearer(session), origins: [server.url])])
        let fetch: @Sendable () async throws -> String = {
            let request = URLRequest(url: server.url("/me")).withInstanceCaching()
            let response: NetworkClient.Response<String> = try await client.fetch(request: request)
            return response.item
        }
        try await session.setToken(AccessToken("alice"), person: person)
        let first = Task { try await fetch() }
        try await server.waitForHeads(count: 1)
        try await session.setToken(AccessToken("bob"), person: person)
        let second = Task { try await fetch() }
        try await withDeadline("the second exchange") { try await server.waitForHeads(count: 2) }
        gate.open()
        expect(try await first.value, "Bearer alice")
        expect(try await second.value, "Bearer bob")
    }
}
