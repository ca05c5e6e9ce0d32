import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct EventStreamTests {
    private let clock = TestClock(advancesItself: true)
    private let transport: StubTransport
    private let client: NetworkClient

    init() {
        transport = StubTransport(time: clock)
        client = NetworkClient(
            transport: transport,
            logging: .off,
            configuration: .init(baseURL: url("https://h/"), time: clock)
        )
    }

    private static func event(_ data: String, _ id: String = "") -> ServerSentEvent {
        ServerSentEvent(data: data, id: id)
    }

    private static var exact: Reconnection {
        var reconnection = Reconnection.standard
        reconnection.jitter = .none
        return reconnection
    }

    private func data(_ stream: EventStream) async throws -> [String] {
        var data: [String] = []
        for try await event in stream { data.append(event.data) }
        return data
    }

    @Test(.spec(221, 222, 223)) func aStreamGoesOnAfterTheLastEventUntilItsServerHasNoMore() async throws {
        transport.on(
            .get("/feed"),
            .events([Self.event("a", "1"), Self.event("b", "2")]),
            .events([Self.event("c")]),
            .status(204)
        )
        let stream = try client.events(.get(path: "feed"), reconnecting: Self.exact)
        expect(try await data(stream), ["a", "b", "c"])
        let requests = transport.requests
        expect(requests.map { $0[header: "Last-Event-ID"] }, [nil, "2", "2"])
        #expect(requests.allSatisfy { $0.headers["Accept"] == "text/event-stream" })
        #expect(requests.allSatisfy { $0.headers["Cache-Control"] == "no-cache" })
        expect(stream.lastEventID, "2")
        expect(clock.sleeps, [1, 1])
    }

    @Test(.spec(221)) func theFieldsOfTheRequestAreKept() async throws {
        transport.on(.get("/feed"), .status(204))
        let request = URLRequest.get(url: url("https://h/feed")).set(header: .accept(type: .json))
            .set(header: .cacheControl(value: "max-age=1")).build()
        expect(try await data(client.events(request, lastEventID: "é 7")), [])
        let sent = try #require(transport.requests.first)
        expect(sent[header: "Accept"], "application/json")
        expect(sent[header: "Cache-Control"], "max-age=1")
        expect(sent[header: "Last-Event-ID"], "é 7")
    }

    @Test(.spec(222)) func aFailureIsWaitedForTwiceAsLongEachTimeAndAServerForAsLongAsItAsks() async throws {
        let states = Recorder<String>()
        transport.on(
            .get("/feed"),
            .status(503),
            .failure(.connectionLost),
            .status(429).setting(header: .custom(name: "Retry-After", value: "50")),
            .status(500),
            .data(Data("retry: 3000\ndata: a\n\n:note\n\n".utf8), type: MediaType("text/event-stream; charset=utf-8")),
            .failure(.connectionRefused),
            .failure(.connectionRefused),
            .status(204)
        )
        let stream = try client.events(.get(path: "feed"), reconnecting: Self.exact) { state in
            switch state {
            case .opened(let response): states.record("\(response.statusCode)")
            case .comment(let text): states.record(text)
            case .waiting(let seconds, let error): states.record("\(Int(seconds)) \(error == nil ? "end" : "failure")")
            }
        }
        expect(try await data(stream), ["a"])
        expect(
            states.values,
            [
                "1 failure", "2 failure", "50 failure", "8 failure", "200", "note", "3 end", "6 failure", "12 failure",
            ]
        )
    }

    @Test(.spec(222), arguments: [400, 401, 403, 404, 410, 501])
    func anEventStreamDoesNotReconnectAfterARefusal(status: Int) async throws {
        transport.on(.get("/feed"), .json(text: #"{"a":1}"#, status: status))
        let stream = try client.events(.get(path: "feed"))
        let error = await #expect(throws: NetworkClient.Error.self) { try await data(stream) }
        expectAll((error?.response?.statusCode, error?.data), (status, Data(#"{"a":1}"#.utf8)))
        expect(transport.requests.count, 1)
    }

    private struct Mapped: Error {}

    @Test(.spec(222)) func aMapperChangesTheErrorAndNotTheDecision() async throws {
        transport.on(.get("/feed"), .status(503), .events([Self.event("a")]), .status(404))
        let options = CallOptions(errorMapper: [503: Mapped(), 404: Mapped()])
        let stream = try client.events(.get(path: "feed"), options: options)
        var iterator = stream.makeAsyncIterator()
        expect(try await iterator.next()?.data, "a")
        await #expect(throws: Mapped.self) { try await iterator.next() }
        expect(try await iterator.next(), nil)
    }

    @Test(.spec(221)) func aResponseThatIsNoEventStreamIsAnErrorThatNamesIt() async throws {
        transport.on(.get("/feed"), .json(text: "{}"))
        let stream = try client.events(.get(path: "feed"))
        let error = await #expect(throws: NetworkClient.Error.self) { try await data(stream) }
        expect(error?.transportReason, .notAnEventStream)
        expect(error?.description, contains: "the response is application/json, not an event stream")
    }

    @Test(.spec(222)) func aPostIsSentOnceUnlessItHasAKeyOrTheCallerAsks() async throws {
        let once = Self.event("a")
        func requests(_ request: URLRequest, _ reconnection: Reconnection) async throws -> Int {
            let transport = StubTransport(time: clock)
            transport.on(.any, .events([once]), .status(503), .events([once]), .status(204))
            let client = NetworkClient(transport: transport, logging: .off, configuration: .init(time: clock))
            _ = try await data(client.events(request, reconnecting: reconnection))
            return transport.requests.count
        }
        let post = URLRequest.post(url: url("https://h/chat")).bodyText("question")
        let keyed = post.set(header: .custom(name: "Idempotency-Key", value: "k"))
        expect(try await requests(post.build(), .standard), 1)
        expect(try await requests(keyed.build(), .standard), 4)
        expect(try await requests(post.build(), .always), 4)
        expect(try await requests(URLRequest(url: url("https://h/chat")), .never), 1)
        await #expect(throws: NetworkClient.Error.self) {
            try await requests(URLRequest(url: url("https://h/chat")), .webStandard)
        }
    }

    @Test(.spec(222)) func aConnectionWithoutABytesIsTakenForLost() async throws {
        let clock = TestClock()
        let transport = StubTransport(time: clock)
        transport.on(.get("/feed"), .events([Self.event("a", "1"), Self.event("b")], every: 301), .status(204))
        let configuration = NetworkClient.Configuration(baseURL: url("https://h/"), time: clock)
        let client = NetworkClient(transport: transport, logging: .off, configuration: configuration)
        let states = Recorder<EventStream.State>()
        let stream = try client.events(.get(path: "feed"), reconnecting: Self.exact) { states.record($0) }
        var iterator = stream.makeAsyncIterator()
        expect(try await iterator.next()?.data, "a")
        async let next = iterator.next()
        try await clock.waitForSleepers()
        clock.advance(by: 300)
        try await clock.waitForSleepers()
        clock.advance(by: 1)
        expect(try await next, nil)
        expect(transport.requests.last?[header: "Last-Event-ID"], "1")
        guard case .waiting(_, let error)? = states.values.last else { throw CancellationError() }
        expect((error as? NetworkClient.Error)?.transportReason, .timedOut)
    }

    @Test(.spec(222)) func theAttemptsInARowCanBeLimited() async throws {
        transport.on(.get("/feed"), .events([Self.event("a")]), .failure(.connectionRefused))
        var reconnection = Reconnection.standard
        reconnection.maximumAttempts = 3
        let stream = try client.events(.get(path: "feed"), reconnecting: reconnection)
        let error = await #expect(throws: NetworkClient.Error.self) { try await data(stream) }
        expect(error?.transportReason, .connectionRefused)
        expect(transport.requests.count, 4)
    }

    @Test(.spec(224)) func anEventThatIsTooLongIsFinal() async throws {
        transport.on(.get("/feed"), .events([Self.event(String(repeating: "x", count: 2 << 20))]))
        let stream = try client.events(.get(path: "feed"))
        let error = await #expect(throws: NetworkClient.Error.self) { try await data(stream) }
        expect(error?.transportReason, .bodyTooLarge)
        expect(error?.description, contains: "an event is longer than the eventLimit of 1048576 bytes")
    }

    @Test(.spec(224)) func anEventStreamIsReadOnce() async throws {
        transport.on(.get("/feed"), .events([Self.event("a")]), .status(204))
        let stream = try client.events(.get(path: "feed"))
        var first = stream.makeAsyncIterator()
        var second = stream.makeAsyncIterator()
        let error = await #expect(throws: NetworkClient.Error.self) { try await second.next() }
        expect(error?.transportReason, .bodyNotReplayable)
        expect(try await first.next()?.data, "a")
    }

    /// What ends a stream, in each of its states.
    @Test(.spec(224), arguments: ["cancelAll", "cancel", "task"], ["connecting", "reading", "waiting"])
    func aStreamThatIsCancelledEndsAtOnce(by way: String, while state: String) async throws {
        let clock = TestClock()
        let transport = StubTransport(time: clock)
        switch state {
        case "connecting": transport.on(.any, .never)
        case "reading": transport.on(.any, .events([Self.event("a"), Self.event("b")], every: 100))
        default: transport.on(.any, .status(503))
        }
        let client = NetworkClient(transport: transport, logging: .off, configuration: .init(time: clock))
        let stream = client.events(URLRequest(url: url("https://h/")))
        let task = Task {
            for try await _ in stream {}
        }
        try await clock.waitForSleepers()
        switch way {
        case "cancelAll": client.cancelAll()
        case "cancel": stream.cancel()
        default: task.cancel()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        expect(client.calls.count, 0)
        expect(clock.sleeperCount, 0)
    }

    @Test func aWebSocketIsRefusedWithASentenceThatNamesWhatToUse() async throws {
        let stream = NetworkClient(logging: .off).events(URLRequest(url: url("wss://h/")))
        let error = await #expect(throws: NetworkClient.Error.self) { try await data(stream) }
        expect(error?.description, contains: "a WebSocket is opened by client.webSocket(…)")
    }

    @Test(.spec(224)) func noEventIsGivenAfterACancel() async throws {
        let both = Data("id: 1\ndata: a\n\nid: 2\ndata: b\n\n".utf8)
        transport.on(.get("/feed"), .data(both, type: .eventStream))
        let stream = try client.events(.get(path: "feed"))
        var iterator = stream.makeAsyncIterator()
        expect(try await iterator.next()?.data, "a")
        client.cancelAll()
        await #expect(throws: CancellationError.self) { try await iterator.next() }
        expect(stream.lastEventID, "1")
    }

    private struct Endless: Encodable {
        func encode(to encoder: any Encoder) throws {
            let context = EncodingError.Context(codingPath: [], debugDescription: "It has no end.")
            throw EncodingError.invalidValue(0, context)
        }
    }

    @Test(.spec(224)) func aRequestThatCannotBeMadeIsTheErrorOfTheFirstEvent() async throws {
        let stream = try client.events(.post(path: "feed").bodyJson(of: Endless()))
        let error = await #expect(throws: NetworkClient.Error.self) { try await data(stream) }
        guard case .encodingError? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        expect(client.calls.count, 0)
    }

    @Test(.spec(224)) func leavingTheLoopEndsTheStream() async throws {
        transport.on(.get("/feed"), .events([Self.event("a"), Self.event("b")]))
        for try await _ in try client.events(.get(path: "feed")) { break }
        expect(client.calls.count, 0)
        expect(transport.requests.count, 1)
    }
}
