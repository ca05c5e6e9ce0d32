#if canImport(Combine)
import Combine
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

struct PublisherTests {
    private let transport = StubTransport()

    private var client: NetworkClient {
        NetworkClient(transport: transport, configuration: .init(baseURL: url("https://api.example.com")))
    }

    @Test(.spec(160)) func eachSubscriberOfAPublisherGetsOneValueOfItsOwnCall() async throws {
        transport.on(.any, .text("7"))
        let publisher = client.publisher(for: NumberEndpoint())
        #expect(transport.requests.isEmpty)
        let items = Recorder<Int>()
        for _ in 0..<2 {
            let ended = Gate()
            let subscription = publisher.sink { _ in
                ended.open()
            } receiveValue: {
                items.record($0.item)
            }
            try await ended.wait()
            subscription.cancel()
        }
        expect(items.values, [7, 7])
        expect(transport.requests.count, 2)
    }

    @Test(.spec(160)) func aPublisherFailsWithTheErrorOfTheCall() async throws {
        transport.on(.any, .status(404))
        let statuses = Recorder<Int?>()
        let ended = Gate()
        let request = URLRequest(url: url("https://api.example.com/number"))
        let subscription = client.publisher(for: request.decoded(as: Int.self)).sink { completion in
            if case .failure(let error) = completion { statuses.record((error as? NetworkClient.Error)?.statusCode) }
            ended.open()
        } receiveValue: { _ in
        }
        try await ended.wait()
        subscription.cancel()
        expect(statuses.values, [404])
    }

    @Test(.spec(160)) func cancellingTheSubscriptionCancelsTheCall() async throws {
        transport.on(.any, .never)
        let cancelled = Gate()
        let client = NetworkClient(
            transport: transport,
            configuration: .init(baseURL: url("https://api.example.com")) { report in
                if report.isCancelled { cancelled.open() }
            }
        )
        let events = Recorder<Int>()
        let subscription = client.publisher(for: NumberEndpoint()).sink { _ in
            events.record(0)
        } receiveValue: {
            events.record($0.item)
        }
        try await transport.waitForRequests(count: 1)
        subscription.cancel()
        try await cancelled.wait()
        expect(events.count, 0)
    }

    @Test func theReportsOfAllCallsArePublishedUntilTheSubscriptionEnds() async throws {
        transport.on(.any, .status(404))
        let (client, statuses, two) = (client, Recorder<Int?>(), Gate())
        let subscription = client.reportPublisher.filter { $0.error != nil }.sink { report in
            statuses.record(report.response?.statusCode)
            if statuses.count == 2 { two.open() }
        }
        for _ in 0..<2 { _ = try? await client.send(NumberEndpoint()) }
        try await two.wait()
        subscription.cancel()
        _ = try? await client.send(NumberEndpoint())
        expect(statuses.values, [404, 404])
    }
}
#endif
