import Foundation
import NetworkClient
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

private struct Page: Codable, Equatable, Sendable {
    var names: [String]
}

/// The names of a page, in capitals; fails for a page without names.
private struct NamesEndpoint: Endpoint {
    struct Empty: Error, Equatable {}

    let gate: Gate?

    func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
        try builder.get(path: "/names").build()
    }

    func value(from response: NetworkClient.Response<Page>) async throws -> [String] {
        try await gate?.wait()
        guard !response.item.names.isEmpty else { throw Empty() }
        return response.item.names.map { $0.uppercased() }
    }
}

struct EndpointValueTests {
    private let transport = StubTransport()

    private func client(_ reports: Locked<[CallReport]> = Locked([])) -> NetworkClient {
        NetworkClient(
            transport: transport,
            interceptors: [.retry()],
            configuration: .init(
                baseURL: url("https://api.example.com"),
                time: TestClock(advancesItself: true),
                observer: { report in reports.withLock { $0.append(report) } }
            )
        )
    }

    @Test(.spec(82)) func anEndpointMakesItsValueFromTheDecodedResponse() async throws {
        transport.on(.get("/names"), .status(503), .json(Page(names: ["a", "b"])))
        let response = try await client().send(NamesEndpoint(gate: nil))
        expect(response.item, ["A", "B"])
        expect(response.journey.attempts, 2)
        expect(transport.requests.count, 2)
    }

    @Test(.spec(82, 109)) func theFailureOfAnEndpointsValueIsNeverRetried() async throws {
        transport.on(.get("/names"), .json(Page(names: [])))
        let reports = Locked<[CallReport]>([])
        await #expect(throws: NamesEndpoint.Empty()) {
            try await client(reports).fetch(NamesEndpoint(gate: nil)).item
        }
        expect(transport.requests.count, 1)
        expect(reports.withLock { $0.count }, 1)
    }

    @Test(.spec(82)) func anEndpointsValueMayWaitAndBeCancelled() async throws {
        transport.on(.get("/names"), .json(Page(names: ["a"])))
        let (client, gate) = (client(), Gate())
        let call = Task { try await client.fetch(NamesEndpoint(gate: gate)).item }
        let cancelled = Task { try await client.fetch(NamesEndpoint(gate: Gate())).item }
        try await transport.waitForRequests(count: 2)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        gate.open()
        expect(try await call.value, ["A"])
    }

    @Test(.spec(82)) func aResponseIsMappedByAClosureThatMayThrowAndWait() async throws {
        transport.on(.get("/names"), .json(Page(names: ["a"])))
        let client = client()
        let request = try client.request.get(path: "/names").build()
        let response: NetworkClient.Response<Page> = try await client.fetch(request: request)
        let count = await response.map { page in await Task { page.names.count }.value }
        expect(count.item, 1)
        expect(count.statusCode, 200)
        expect(count["content-type"], "application/json")
        await #expect(throws: NamesEndpoint.Empty()) {
            try await response.map { _ -> Int in throw NamesEndpoint.Empty() }
        }
        expect(transport.requests.count, 1)
    }
}
