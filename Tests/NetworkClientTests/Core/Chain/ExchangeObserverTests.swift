import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient
@testable import NetworkUtilities

/// The exchanges of calls, as an observer sees them.
struct ExchangeObserverTests {
    /// Records each exchange as `number path → outcome`, and sends the number.
    private struct Watching: InterceptorProtocol, ExchangeObserver {
        let begun = Recorder<String>()
        let ended = Recorder<String>()
        var runsInCallersTask: Bool { true }

        func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
            try await RequestContext.current.observing(self) { try await next(request) }
        }

        func willSend(_ request: URLRequest, number: Int) -> ExchangeObservation? {
            let path = request.url?.path ?? ""
            begun.record("\(number) \(path)")
            guard path != "/unwatched" else { return nil }
            return ExchangeObservation(setting: [.custom(name: "X-Number", value: "\(number)")]) { result in
                switch result {
                case .success(let response): ended.record("\(number) \(path) → \(response.status.rawValue)")
                case .failure(let error as TransportError): ended.record("\(number) \(path) → \(error.reason)")
                case .failure(let error): ended.record("\(number) \(path) → \(type(of: error))")
                }
            }
        }
    }

    private let watching = Watching()
    private let transport = StubTransport(time: TestClock(advancesItself: true))
    private let time = TestClock(advancesItself: true)

    private func client(
        _ interceptors: [any InterceptorProtocol] = [],
        cache: ResponseCache? = nil,
        on time: (any TimeSource)? = nil
    ) -> NetworkClient {
        NetworkClient(
            transport: transport,
            interceptors: interceptors + [watching],
            configuration: .init(cache: cache, time: time ?? self.time)
        )
    }

    @Test(.spec(232), arguments: [true, false])
    func eachRequestOfACallIsObservedWhereverTheInterceptorStands(isOutside: Bool) async throws {
        let redirect = StubTransport.Response.status(302).setting(header: .custom(name: "Location", value: "/new"))
        transport.on(.any, .status(503), redirect, .status(401), .text("tea"))
        let session = TokenSession(store: InMemoryCredentialStore(AccessToken("old"))) { _ in AccessToken("new") }
        let others: [any InterceptorProtocol] = [
            .retry(), .authentication(.bearer(session), origins: [url("https://h")]),
        ]
        let client = NetworkClient(
            transport: transport,
            interceptors: isOutside ? [watching] + others : others + [watching],
            configuration: .init(time: time)
        )
        try await client.fetch(request: URLRequest(url: url("https://h/old")))
        expect(watching.ended.values, ["1 /old → 503", "2 /old → 302", "3 /new → 401", "4 /new → 200"])
        expect(transport.requests.map { $0[header: "X-Number"] }, ["1", "2", "3", "4"])
    }

    @Test func aFailureACancellationAndALimitAreToldApart() async throws {
        transport.on(.get("/lost"), .failure(.connectionLost))
        transport.on(.get("/hanging"), .never)
        transport.on(.get("/cancelled"), .failure(CancellationError()))
        let client = client([.deadline(5)])
        let directory = try TemporaryDirectory()
        _ = try? await client.fetch(request: URLRequest(url: url("https://h/lost")))
        _ = try? await client.fetch(request: URLRequest(url: url("https://h/hanging")))
        let file = directory.url.appendingPathComponent("a")
        _ = try? await client.download(URLRequest(url: url("https://h/hanging")), to: file).value
        _ = try? await client.fetch(request: URLRequest(url: url("https://h/cancelled")))
        _ = try? await client.fetch(request: URLRequest(url: url("ftp://h/unsent")))
        let hanging = "1 /hanging → timedOut"
        expect(
            watching.ended.values,
            ["1 /lost → connectionLost", hanging, hanging, "1 /cancelled → CancellationError"]
        )
    }

    @Test(arguments: TransportUnderTest.all)
    func theExchangeOfAStreamEndsWithItsHeadAndThatOfADownloadWithItsBody(transport: TransportUnderTest) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nte"), .wait(gate), .send("a!")]
        }
        let client = try transport.client(interceptors: [watching])
        let stream = try await client.stream(URLRequest(url: server.url("/stream")))
        expect(watching.ended.values, ["1 /stream → 200"])
        let directory = try TemporaryDirectory()
        let request = URLRequest(url: server.url("/file"))
        let download = client.download(request, to: directory.url.appendingPathComponent("file"))
        try await server.waitForHeads(count: 2)
        expect(watching.ended.values.count, 1)
        gate.open()
        _ = try await download.value
        expect(watching.ended.values, ["1 /stream → 200", "1 /file → 200"])
        expect(try await stream.item.data(), Data("tea!".utf8))
        expect(watching.ended.values.count, 2)
    }

    @Test(arguments: TransportUnderTest.all)
    func aBodyThatEndsTooEarlyIsAFailureAndAStreamThatIsLeftIsNot(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nte"), .close]
        }
        let client = try transport.client(interceptors: [watching])
        _ = try? await client.fetch(request: URLRequest(url: server.url("/cut")))
        _ = try await client.stream(URLRequest(url: server.url("/left")))
        expect(watching.ended.values, ["1 /cut → connectionLost", "1 /left → 200"])
    }

    @Test func aResponseOfTheCacheIsNoExchangeAndItsValidationInTheBackgroundIsOne() async throws {
        let fresh = StubTransport.Response.text("tea")
            .setting(header: .cacheControl(value: "max-age=60, stale-while-revalidate=600"))
        transport.on(.any, fresh, fresh)
        let calendar = CacheCalendar()
        let client = client(cache: ResponseCache(), on: calendar)
        for _ in 1...2 { try await client.fetch(request: URLRequest(url: url("https://h/a"))) }
        expect(watching.ended.values.count, 1)
        calendar.advance(by: 100)
        try await client.fetch(request: URLRequest(url: url("https://h/a")))
        while watching.ended.values.count < 2 { await Task.yield() }
        expect(watching.ended.values, ["1 /a → 200", "1 /a → 200"])
        expect(transport.requests.map { $0[header: "X-Number"] }, ["1", "1"])
    }

    @Test func callsThatShareAnExchangeHaveTheObserverOfTheFirst() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .json("[1]")] }
        let client = NetworkClient(interceptors: [watching])
        let request = URLRequest(url: server.url("/a")).withInstanceCaching()
        async let first: NetworkClient.Response<Data> = client.fetch(request: request)
        async let second: NetworkClient.Response<Data> = client.fetch(request: request)
        while client.sharing.waiterCount < 2 { await Task.yield() }
        gate.open()
        _ = try await (first, second)
        expect(watching.ended.values, ["1 /a → 200"])
    }

    @Test func theErrorOfATransportOnURLSessionIsClassified() async throws {
        let client = NetworkClient(
            transport: ClosureTransport { _, _ in throw URLError(.timedOut) },
            interceptors: [watching]
        )
        _ = try? await client.fetch(request: URLRequest(url: url("https://h/a")))
        expect(watching.ended.values, ["1 /a → timedOut"])
    }

    @Test func anExchangeThatIsNotOfInterestIsSentUnchanged() async throws {
        transport.on(.any, .text("tea"))
        try await client().fetch(request: URLRequest(url: url("https://h/unwatched")))
        expect(watching.begun.values, ["1 /unwatched"])
        expect(transport.requests.map { $0[header: "X-Number"] }, [nil])
    }
}
