#if os(Linux)
import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CurlExecutorTests {
    private func client() throws -> (NetworkClient, CurlTransport) {
        let transport = try CurlTransport()
        return (NetworkClient(transport: transport, logging: .off), transport)
    }

    @Test func aTaskStaysOnTheThreadThatReceivesItsResponses() async throws {
        let server = try LoopbackServer { request in .respond(body: request.path) }
        let (client, transport) = try client()
        let executor = try #require(transport.executor as? CurlExecutor)
        let stays = try await withTaskExecutorPreference(executor) {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let wasThere = executor.isCurrent
                        let request = URLRequest(url: server.url("/\(number)"))
                        let text: String = try await client.fetch(request: request).item
                        let streamed = try await client.stream(request).item.text()
                        #expect([text, streamed] == ["/\(number)", "/\(number)"])
                        return wasThere && executor.isCurrent
                    }
                }
                return try await group.allSatisfy { $0 }
            }
        }
        #expect(stays)
    }

    @Test(arguments: [Outcome.cancelled, .failed(.timedOut)])
    func aCallOnTheExecutorEndsWhileItsServerIsSilent(outcome: Outcome) async throws {
        let server = try LoopbackServer { _ in [] }
        let (client, transport) = try client()
        var request = URLRequest(url: server.url)
        if outcome != .cancelled { request.timeoutInterval = 0.2 }
        let sent = request
        let call = Task(executorPreference: transport.executor) { await client.outcome(of: sent) }
        try await server.waitForRequests(count: 1)
        if outcome == .cancelled { client.cancelAll() }
        #expect(try await withDeadline { await call.value } == outcome)
    }

    @Test func eachEngineHasAnExecutor() throws {
        let (_, transport) = try client()
        let executors = try (0..<2 * CurlEngines.most).map { _ in try #require(transport.executor as? CurlExecutor) }
        #expect(Set(executors.map { ObjectIdentifier($0) }).count == CurlEngines.most)
    }

    @Test func aTaskGoesOnAfterTheThreadHasEnded() async throws {
        let executor = CurlExecutor(poller: try #require(SocketPoller()))
        let (hasBegun, mayEnd) = (Gate(), Gate())
        let task = Task(executorPreference: executor) {
            hasBegun.open()
            try await mayEnd.wait()
            return !executor.isCurrent
        }
        executor.begin()
        #expect(executor.run())
        executor.end()
        mayEnd.open()
        #expect(try await withDeadline { try await task.value })
        let (_, transport) = try client()
        transport.shutDown()
        #expect(try await withDeadline { await Task(executorPreference: transport.executor) { true }.value })
    }
}
#endif
