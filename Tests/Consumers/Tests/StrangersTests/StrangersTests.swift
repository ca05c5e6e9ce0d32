import NetworkClient
import NetworkClientTesting
import Testing

/// What is written with the public API only does what the library's own does.
struct StrangersTests {
    @Test(arguments: RetryRow.all)
    func theTableOfRetriesHoldsForAStrangersRetry(row: RetryRow) async {
        expect(await row.result(of: PatientInterceptor(RetryRow.policy)), row.expected)
    }

    private let url = URL(string: "https://a.example/items") ?? URL(fileURLWithPath: "/")

    @Test func aStrangersCacheRespondsValidatesAndStandsForAServerThatIsDown() async throws {
        let clock = TestClock()
        let transport = StubTransport(time: clock)
        let first = StubTransport.Response.text("one").setting(header: .custom(name: "ETag", value: "\"1\""))
            .setting(header: .custom(name: "Cache-Control", value: "max-age=60"))
        transport.on(.get("/items"), first, .status(304), .failure(.connectionRefused))
        let client = NetworkClient(
            transport: transport,
            interceptors: [MemoryCacheInterceptor()],
            configuration: .init(time: clock)
        )
        var texts: [String] = []
        for seconds in [0.0, 59, 1, 60] {
            clock.advance(by: seconds)
            texts.append(try await client.fetch(request: URLRequest(url: url), as: String.self).item)
        }
        expect(texts, ["one", "one", "one", "one"])
        expect(
            transport.requests.map { $0.urlRequest.value(forHTTPHeaderField: "If-None-Match") },
            [nil, "\"1\"", "\"1\""]
        )
    }

    @Test func aTransportAndAnObserverOfAStrangerReadBodies() async throws {
        let (bodies, exchanges) = (AsyncStream<String>.makeStream(), AsyncStream<String>.makeStream())
        let transport = StubTransport()
        transport.on(.get("/items"), .chunks([Data("a".utf8), Data("b".utf8)]))
        let client = NetworkClient(
            transport: BodyRecorder(transport) { bodies.continuation.yield($0) },
            interceptors: [ExchangeRecorder { exchanges.continuation.yield($0) }]
        )
        let request = URLRequest(url: url)
        expect(try await client.fetch(request: request, as: String.self).item, "ab")
        for try await _ in try await client.stream(request).item {}
        bodies.continuation.finish()
        exchanges.continuation.finish()
        // Chunks that arrive together are one portion.
        expect(
            await bodies.stream.reduce("") { "\($0)\($1) " }.replacingOccurrences(of: "a b", with: "ab"),
            "ab end ab end "
        )
        // The body of a stream is its reader's.
        expect(await exchanges.stream.reduce(into: []) { $0.append($1) }, ["1: 200", "1: ab", "1: 200", "1: "])
    }
}
