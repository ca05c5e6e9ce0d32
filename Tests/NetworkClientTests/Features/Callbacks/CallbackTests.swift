import Foundation
import NetworkClient
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

private struct NumberEndpoint: Endpoint {
    typealias Response = Int

    func request(from builder: URLRequest.PathBuilder) throws -> URLRequest { try builder.get(path: "/number").build() }
}

struct CallbackTests {
    private let transport = StubTransport()
    private let outcomes = Recorder<Int?>()
    private let errors = Recorder<any Error>()

    private var client: NetworkClient {
        NetworkClient(transport: transport, configuration: .init(baseURL: url("https://api.example.com")))
    }

    /// Records the outcome on the main actor; another executor does not compile, and fails here.
    @MainActor private func record(_ result: Result<NetworkClient.Response<Int>, any Error>) {
        MainActor.assertIsolated()
        switch result {
        case .success(let response): outcomes.record(response.item)
        case .failure(let error):
            outcomes.record(nil)
            errors.record(error)
        }
    }

    @Test(.spec(160)) func theClosureIsCalledOnceOnTheMainActorWithTheResponse() async {
        transport.on(.any, .text("7"))
        await client.start(NumberEndpoint()) { record($0) }.value
        let request = URLRequest(url: url("https://api.example.com/number"))
        await client.start(request.decoded(as: Int.self)) { record($0) }.value
        expect(outcomes.values, [7, 7])
        await client.start(.delete(url: url("https://api.example.com/number"))) { result in
            expect(try? result.get().statusCode, 200)
        }.value
        expect(transport.requests.last?.method, .delete)
    }

    @Test(.spec(160)) func theClosureIsCalledOnceWithTheError() async {
        transport.on(.any, .status(404))
        await client.start(NumberEndpoint()) { record($0) }.value
        expect(outcomes.values, [nil])
        expect((errors.values.first as? NetworkClient.Error)?.statusCode, 404)
    }

    @Test(.spec(160), arguments: [false, true])
    func cancellingTheHandleCancelsTheCallAndTheClosureIsCalledOnce(isBeforeTheStart: Bool) async throws {
        transport.on(.any, .never)
        let call = client.start(NumberEndpoint()) { record($0) }
        if !isBeforeTheStart { try await transport.waitForRequests(count: 1) }
        call.cancel()
        call.cancel()
        try await withDeadline { await call.value }
        expect(outcomes.values, [nil])
        #expect(errors.values.first is CancellationError)
    }

    @Test(.spec(160)) @MainActor func aCallThatIsCancelledBeforeItsClosureRunsIsCancelled() async throws {
        transport.on(.any, .text("7"))
        let hasEnded = DispatchSemaphore(value: 0)
        let client = NetworkClient(
            transport: transport,
            configuration: .init(baseURL: url("https://api.example.com"), observer: { _ in hasEnded.signal() })
        )
        let call = client.start(NumberEndpoint()) { record($0) }
        // The main actor is busy until the call has ended.
        waitBlocking(for: hasEnded)
        call.cancel()
        await call.value
        #expect(outcomes.values == [nil] && errors.values.first is CancellationError)
    }

    private func waitBlocking(for end: DispatchSemaphore) { end.wait() }

    @Test(.spec(160)) func cancelAllCallsTheClosureOnce() async throws {
        transport.on(.any, .never)
        let client = client
        let call = client.start(NumberEndpoint()) { record($0) }
        try await transport.waitForRequests(count: 1)
        client.cancelAll()
        try await withDeadline { await call.value }
        #expect(errors.values.first is CancellationError && outcomes.count == 1)
    }

    @Test(.spec(160), arguments: TransportUnderTest.all)
    func theClosureIsCalledOnEveryTransport(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer(routes: ["/number": .json("7")])
        let client = try transport.client(configuration: .init(baseURL: server.url("/")))
        await client.start(NumberEndpoint()) { record($0) }.value
        expect(outcomes.values, [7])
    }
}
