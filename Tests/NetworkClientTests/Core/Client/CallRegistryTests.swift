import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct CallRegistryTests {
    @Test(.spec(126)) func cancelAllEndsCallsInFlightAndLaterCallsWork() async throws {
        let (arrived, closed, waits) = (Gate(), Gate(), Gate())
        let patient = ClosureInterceptor { request, next in
            do {
                return try await next(request)
            } catch NetworkClient.Error.apiError {
                waits.open()
                try await Gate().wait()
                return try await next(request)
            }
        }
        let server = try LoopbackServer(routes: [
            "/busy": .respond(status: 503), "/slow": [.open(arrived), .awaitPeerClose(then: closed)], "/ok": .json("1"),
        ])
        let client = NetworkClient(interceptors: [patient], logging: .off)
        let calls = ["/busy", "/slow", "/slow"].enumerated().map { index, path in
            let request = URLRequest(url: server.url(path))
            return Task { try await client.fetch(request: index == 2 ? request.withInstanceCaching() : request) }
        }
        for gate in [waits, arrived] { try await gate.wait() }
        try await server.waitForHeads(count: 3)
        client.cancelAll()
        for call in calls {
            await #expect(throws: CancellationError.self) {
                try await withDeadline("a cancelled call") { try await call.value }
            }
        }
        try await withDeadline("the connection's end") { try await closed.wait() }
        let response: NetworkClient.Response<Int> = try await client.fetch(request: URLRequest(url: server.url("/ok")))
        expect(response.item, 1)
        expect(server.requests.filter { $0.path == "/busy" }.count, 1)
        expect(client.calls.count, 0)
    }

    /// Released bodies are removed now and then; bodies that are read are found nevertheless.
    @Test(.spec(125, 126)) func aClientForgetsBodiesThatWereReleased() {
        let registry = CallRegistry(interceptors: [], mapper: .default)
        let bodies = (0..<1_000).map { _ in WholeBodyChannel(Data("a".utf8)) }
        for body in bodies {
            registry.hold(body)
            for _ in 0..<10 { registry.hold(WholeBodyChannel(Data())) }
        }
        expect(registry.count, 1_000)
        #expect(registry.heldCount <= 2_000)
        registry.cancelAll()
        for body in bodies { #expect(throws: CancellationError.self) { try body.next() } }
        for body in bodies { registry.release(ObjectIdentifier(body)) }
        expect(registry.count, 0)
    }
}
