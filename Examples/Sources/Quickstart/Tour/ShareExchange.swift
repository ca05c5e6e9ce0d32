import Foundation
import NetworkClient
import NetworkUtilities

struct ShareExchange: Step {
    let client: NetworkClient
    let server: URL

    let title = "Two identical calls, one exchange"
    let code = Snippet(path: #filePath)

    func run() async throws -> [Fact] {
        var round = try await drink()
        for _ in 1..<Self.rounds where round.requests > 1 { round = try await drink() }
        try expect("The number of requests at the server", round.requests, is: 1)
        try expect("The responses", round.replies.map(\.value), is: [Pot(number: 1), Pot(number: 1)])
        return [
            .wire(round.replies[0].seen, headers: "Authorization"),
            .values(round.replies.map(\.value)),
            Fact("server", "\(round.replies.count) calls, \(round.requests) request"),
        ]
    }

    private struct Round {
        let replies: [Reply<Pot>]
        let requests: Int
    }

    /// Makes two calls for one new pot.
    private func drink() async throws -> Round {
        let pot = server.appending(path: "pots/\(UUID().uuidString.prefix(8))")
        let (departures, continuation) = AsyncStream.makeStream(of: Void.self)
        let client = NetworkClient(
            interceptors: [
                AuthorizationInterceptor(token: "demo-token"),
                DepartureInterceptor(departures: continuation),
            ],
            configuration: .init(idleTimeout: 10)
        )
        // snippet.show
        let request = URLRequest.build()
            .get(url: pot)
            .build()
            .withInstanceCaching()

        async let first: NetworkClient.Response<Reply<Pot>> = client.fetch(request: request)
        async let second: NetworkClient.Response<Reply<Pot>> = client.fetch(request: request)
        // snippet.hide
        try await release(pot, after: departures)
        // snippet.show
        let replies = try await [first.item, second.item]
        // snippet.hide
        return Round(replies: replies, requests: try await requests(for: pot))
    }

    /// Releases the response when both calls have passed the interceptors and one request has arrived.
    ///
    /// A call joins the exchange microseconds after its last interceptor, without suspending; no public API shows when.
    /// Two more exchanges of milliseconds lie between the second departure and the response. Both calls are sent
    /// only if the system pauses a thread for longer than that; then the tour repeats the round. If calls weren't
    /// shared, every round would fail.
    private func release(_ pot: URL, after departures: AsyncStream<Void>) async throws {
        var departure = departures.makeAsyncIterator()
        for _ in 1...2 { await departure.next() }
        _ = try await requests(for: pot)
        let release = URLRequest.post(url: pot.appending(path: "release")).noBody().build()
        try await client.fetch(request: release)
    }

    /// Returns the number of requests for the pot at the server; waits for the first request.
    private func requests(for pot: URL) async throws -> Int {
        let request = URLRequest.get(url: pot.appending(path: "requests")).build()
        let response: NetworkClient.Response<Int> = try await client.fetch(request: request)
        return response.item
    }

    private static let rounds = 3
}
