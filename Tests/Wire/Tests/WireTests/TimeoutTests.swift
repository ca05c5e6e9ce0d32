import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The limit that the error of a timeout names.
struct TimeoutTests {
    typealias Case = (idle: TimeInterval, total: TimeInterval?, limit: PassedLimit)

    static let cases: [Case] = [(0.2, nil, .idle(0.2)), (60, 0.2, .exchange(0.2))]

    /// Returns the limit that an exchange has passed, whose response is read to its end.
    private func limit(
        _ transport: any Transport,
        _ request: URLRequest,
        _ options: TransportOptions
    ) async throws -> PassedLimit? {
        let error = await #expect(throws: TransportError.self) {
            try await withDeadline {
                let response = try await transport.send(request, options: options)
                _ = try await response.body.channel.collect(limit: .max)
            }
        }
        #expect(error?.reason == .timedOut)
        return error?.passedLimit
    }

    @Test(.spec(146, 199), arguments: TransportUnderTest.all, cases)
    func theTimeoutOfASilentServerNamesItsLimit(transport: TransportUnderTest, example: Case) async throws {
        let server = try LoopbackServer { _ in [.awaitPeerClose()] }
        var request = URLRequest(url: server.url)
        request.timeoutInterval = example.idle
        let options = TransportOptions(exchangeTimeout: example.total)
        #expect(try await limit(transport.transport(), request, options) == example.limit)
    }

    @Test(.spec(146, 199), arguments: TransportUnderTest.all, [(3, nil, .idle(3)), (60, 3, .exchange(3))] as [Case])
    func theTimeoutOfAStreamedBodyNamesItsLimit(transport: TransportUnderTest, example: Case) async throws {
        let server = try LoopbackServer { _ in [.respond(length: .stated(10), body: "hello"), .awaitPeerClose()] }
        var request = URLRequest(url: server.url)
        request.timeoutInterval = example.idle
        let options = TransportOptions(exchangeTimeout: example.total, streamsBody: true)
        #expect(try await limit(transport.transport(), request, options) == example.limit)
    }

    @Test(.spec(199), arguments: TransportUnderTest.all, cases)
    func theTimeoutOfASilentSequenceNamesItsLimit(transport: TransportUnderTest, example: Case) async throws {
        let never = Gate()
        let server = try LoopbackServer { _ in .respond() }
        let chunks = ScriptedChunks { _ in
            try await never.wait()
            return nil
        }
        let request = URLRequest.post(url: server.url).bodyStream(chunks).idleTimeout(example.idle).build()
        let options = TransportOptions(exchangeTimeout: example.total)
        #expect(try await limit(transport.transport(), request, options) == example.limit)
        never.open()
    }

    /// The limit is the one that was stated, of which the wait for a connection has used a part.
    @Test(.spec(199), arguments: TransportUnderTest.all)
    func theTimeoutAfterAWaitForAConnectionNamesTheWholeLimit(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in [.awaitPeerClose()] }
        let transport = try transport.transport(hasOneConnection: true)
        let request = URLRequest(url: server.url)
        let first = Task { try await transport.send(request, options: TransportOptions()) }
        try await server.waitForHeads(count: 1)
        let waiting = await #expect(throws: TransportError.self) {
            _ = try await transport.send(request, options: TransportOptions(exchangeTimeout: 0.1))
        }
        #expect(waiting?.passedLimit == .exchange(0.1) && waiting?.localWait == .turn)
        let second = Task { try await limit(transport, request, TransportOptions(exchangeTimeout: 2)) }
        first.cancel()
        #expect(try await second.value == .exchange(2))
    }

    /// A request that gets its turn when its limit has passed was not sent either, which tells nothing about a server.
    @Test(.spec(199), arguments: TransportUnderTest.all)
    func aLimitThatHasPassedWhenTheTurnComesIsATimeoutOfTheQueue(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond() }
        let error = await #expect(throws: TransportError.self) {
            let options = TransportOptions(exchangeTimeout: 0)
            _ = try await transport.transport().send(URLRequest(url: server.url), options: options)
        }
        #expect(error?.localWait == .turn && error?.showsThatNothingWasSent == true)
        #expect(server.requestCount == 0)
    }
}
