import Foundation
import NetworkClient
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct ShareExchange: Step {
    let client: NetworkClient
    let server: URL

    let title = "Two identical calls, one exchange"
    let code = Snippet(path: #filePath)

    func run() async throws -> [Fact] {
        var round = try await drink()
        for _ in 1..<Self.rounds where round.requests > 1 { round = try await drink() }
        try expect("The number of requests at the server", round.requests, is: 1)
        try expect("The answers", round.replies.map(\.value), is: [Pot(number: 1), Pot(number: 1)])
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

    /// Two calls for one new pot.
    private func drink() async throws -> Round {
        let pot = server.appending(path: "pots/\(UUID().uuidString.prefix(8))")
        let (departures, continuation) = AsyncStream.makeStream(of: Void.self)
        let client = NetworkClient(
            interceptors: [
                AuthorizationInterceptor(token: "demo-token"),
                DepartureInterceptor(departures: continuation),
            ],
            configuration: .init(timeout: 10)
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

    /// Has the server answer, when both calls have left the interceptors and one of them has arrived.
    ///
    /// A call that has passed its last interceptor joins the exchange microseconds later, without suspending, and
    /// nothing public says when it has. Between the second departure and the answer lie two more exchanges, of
    /// milliseconds. Only if the system stops a thread right there for longer than that is the second call sent too;
    /// then the tour takes another round. If calls did not share, no round would help.
    private func release(_ pot: URL, after departures: AsyncStream<Void>) async throws {
        var departure = departures.makeAsyncIterator()
        for _ in 1...2 { await departure.next() }
        _ = try await requests(for: pot)
        let release = URLRequest.post(url: pot.appending(path: "release")).noBody().build()
        try await client.fetch(request: release)
    }

    /// How many requests for the pot have reached the server; waits for the first.
    private func requests(for pot: URL) async throws -> Int {
        let request = URLRequest.get(url: pot.appending(path: "requests")).build()
        let response: NetworkClient.Response<Int> = try await client.fetch(request: request)
        return response.item
    }

    private static let rounds = 3
}
